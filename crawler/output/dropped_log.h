// DroppedLog: OUT/dropped.jsonl, one line of JSON per candidate that was refused before it reached the queue
// (docs/formats.md): which URL, on which page, why, and by which rule. Not robots.txt: what that forbids was
// admitted and stands in fetch.jsonl. One object per thread; LineFile says how lines reach the disk.
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

enum class DropReason : std::uint8_t { kOutOfScope, kRedirectOutOfScope, kNotHttp, kInvalidUrl, kNofollow };
std::string_view drop_reason_name(DropReason reason);

// An empty parent or rule is written as null; the tag only when set.
struct DroppedLine {
  std::string_view url;  // wire form; as written on the page when it does not parse
  std::string_view parent;
  DropReason reason = DropReason::kOutOfScope;
  std::string rule;  // what decided: "scope.deny[2] '/private'"
  std::uint32_t depth = 0;
  std::string_view tag;
};

// Appends the line with its newline.
void append_dropped_line(std::string& out, const DroppedLine& line, WallTime ts);

class DroppedLog {
 public:
  static Result<std::unique_ptr<DroppedLog>> open(const std::string& path);

  // The time of the lines that follow.
  void set_time(WallTime now) { now_ = now; }
  void add(const DroppedLine& line);
  void flush() { file_->flush(); }

  std::uint64_t lines_lost() const { return file_->lines_lost(); }

 private:
  explicit DroppedLog(std::unique_ptr<LineFile> file) : file_(std::move(file)) {}

  std::unique_ptr<LineFile> file_;
  WallTime now_{};
};

}  // namespace weir::crawler
