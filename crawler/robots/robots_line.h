// The lines of a robots.txt: bytes in, (directive, value, line number) out. It knows the line syntax and the
// spelling mistakes that are forgiven, not groups, agents or matching (robots.h). Views borrow from the body.
// Pure, linear, one pass.
#pragma once

#include <cstdint>
#include <string_view>

namespace weir::crawler {

enum class RobotsDirective : std::uint8_t { kUserAgent, kAllow, kDisallow, kCrawlDelay, kSitemap, kUnknown };

struct RobotsLine {
  RobotsDirective directive = RobotsDirective::kUnknown;
  std::string_view value;  // trimmed, without the comment
  std::string_view text;   // the whole line, trimmed
  std::uint32_t number = 0;
};

class RobotsLines {
 public:
  // `body` without a byte order mark is UTF-8 or anything like it; a UTF-8 mark, also a torn one, is skipped.
  explicit RobotsLines(std::string_view body);

  // The next line that has a key and a value separated by a colon (or, forgiven, by white space when the line
  // has exactly two words). False at the end.
  bool next(RobotsLine& line);

 private:
  std::string_view take_line();

  std::string_view rest_;
  std::uint32_t number_ = 0;
};

}  // namespace weir::crawler
