// The progress line: one live line on a terminal, a plain line now and then otherwise. Formatting and a little
// state for the rate; time is handed in, bytes go to the caller's sink. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace weir::crawler {

struct ProgressSnapshot {
  std::uint64_t pages = 0;  // fetched in this run
  std::uint64_t queued = 0;
  std::uint64_t in_flight = 0;
  std::uint64_t hosts = 0;
  std::uint64_t duplicates = 0;
  std::uint64_t failed = 0;
  std::uint64_t memory_bytes = 0;  // resident
};

// "1234 pages 56.7/s | 9876 queued | 12 hosts | 4321 duplicates | 3 failed | 45 MiB"
std::string format_progress(const ProgressSnapshot& snapshot, double pages_per_second);

class ProgressLine {
 public:
  struct Options {
    bool terminal = false;                         // rewrite one line
    std::size_t width = 80;                        // of the terminal
    Duration interval = std::chrono::seconds(10);  // between two plain lines; a terminal is rewritten each time
  };
  using Sink = std::function<void(std::string_view)>;

  ProgressLine(const Options& options, Sink sink) : options_(options), sink_(std::move(sink)) {}

  void show(const ProgressSnapshot& snapshot, Now now);
  void finish();  // leaves the cursor below the live line

 private:
  double rate(std::uint64_t pages, MonoTime now);

  const Options options_;
  const Sink sink_;
  bool started_ = false;
  bool line_open_ = false;
  MonoTime shown_;       // last plain line
  MonoTime rate_since_;  // start of the window the rate is measured over
  std::uint64_t pages_at_rate_since_ = 0;
  double rate_ = 0;
};

}  // namespace weir::crawler
