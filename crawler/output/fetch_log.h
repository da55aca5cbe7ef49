// FetchLog: OUT/fetch.jsonl, one line of JSON per fetch (docs/formats.md). One object per fetcher thread; how
// lines reach the disk and what may be lost is LineFile's.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "crawler/output/line_file.h"

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
  static Result<std::unique_ptr<FetchLog>> open(const std::string& path);

  void add(const FetchLine& line);  // flushes by itself when much has been collected
  void flush() { file_->flush(); }

  std::uint64_t lines_lost() const { return file_->lines_lost(); }

 private:
  explicit FetchLog(std::unique_ptr<LineFile> file) : file_(std::move(file)) {}

  std::unique_ptr<LineFile> file_;
};

}  // namespace weir::crawler
