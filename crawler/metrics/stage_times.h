// CPU time of each stage of a page's way, summed over all threads: what a crawl spends its processor on.
// A StageTimer belongs to one thread and adds to shared counters; next() closes one stage and opens another,
// so that each boundary is one reading of the clock.
#pragma once

#include <chrono>

#include "base/cpu_clock.h"
#include "crawler/metrics/counters.h"

namespace weir::crawler {

struct StageTimes {
  Counter fetch;   // nanoseconds: HTTP client, DNS, decoding
  Counter parse;   // charset and link extraction
  Counter links;   // resolution, keys, scope, fingerprints
  Counter settle;  // fetch log, settlements
  Counter turn;    // owner: dedup stage and durable commit
  Counter dedup;   // of that, the dedup stage
  Counter lease;   // owner: choosing what is due
};

class StageTimer {
 public:
  StageTimer() : mark_(thread_cpu_time()) {}

  // Everything since the last call is not counted.
  void skip() { mark_ = thread_cpu_time(); }
  void next(Counter& finished) {
    const auto now = thread_cpu_time();
    finished.add(static_cast<std::uint64_t>((now - mark_).count()));
    mark_ = now;
  }

 private:
  std::chrono::nanoseconds mark_;
};

}  // namespace weir::crawler
