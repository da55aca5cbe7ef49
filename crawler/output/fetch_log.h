// FetchLog: OUT/fetch.jsonl, one line of JSON per fetch (docs/formats.md). Lines are collected and appended by
// one write(2) per flush to a file opened with O_APPEND, so that several writers share it without mixing lines.
// One object per fetcher thread. A full disk never stops a crawl: lines that could not be written are counted.
// Not synced: after a power loss the last lines may be missing; after kill -9 none that were flushed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"

namespace weir::crawler {

// Empty texts and zero status, digest are written as null; tag, attempt, truncated and limited only when set.
struct FetchLine {
  WallTime ts;
  std::string_view url;
  std::string key;
  std::uint16_t status = 0;
  std::string_view reason;
  std::string_view type;    // Content-Type as received
  std::uint64_t bytes = 0;  // decoded
  Duration elapsed{0};      // written as "ms"
  std::uint16_t depth = 0;
  std::string_view parent;
  std::uint64_t digest = 0;  // of the decoded body
  std::string_view redirect;
  std::string ip;
  std::string_view robots;  // "allowed", "denied", "off"
  std::string_view tag;
  std::uint8_t attempt = 0;
  bool truncated = false;
  bool limited = false;
};

// Appends the line with its newline.
void append_fetch_line(std::string& out, const FetchLine& line);

class FetchLog {
 public:
  // Makes the folder and the file when missing. A last line that a crash cut short is ended first.
  static Result<std::unique_ptr<FetchLog>> open(const std::string& path);
  ~FetchLog();  // flushes
  FetchLog(const FetchLog&) = delete;
  FetchLog& operator=(const FetchLog&) = delete;

  void add(const FetchLine& line);  // flushes by itself when much has been collected
  void flush();

  std::uint64_t lines_lost() const { return lines_lost_; }

 private:
  explicit FetchLog(int descriptor) : descriptor_(descriptor) {}

  const int descriptor_;
  std::string buffer_;
  std::uint64_t lines_buffered_ = 0;
  std::uint64_t lines_lost_ = 0;
};

}  // namespace weir::crawler
