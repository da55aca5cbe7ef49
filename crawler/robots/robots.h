// robots.txt: RFC 9309 parsing and matching, with the tolerances of Google's matcher where the RFC is silent
// (docs/decisions/0005). Immutable after parsing. Linear in the file; matching is O(rules * path) worst case
// without recursion or backtracking over more than one star.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace weir::crawler {

struct RobotsVerdict {
  bool allowed = true;
  std::uint32_t line = 0;  // number of the deciding line, from 1; 0: no rule matched
  std::string_view text;   // that line as written, trimmed; borrowed from the RobotsRules
};

class RobotsRules {
 public:
  // `body` as received (BOM, CR, LF, bad bytes are all tolerated), cut at limits::kRobotsBytesMax by the
  // caller. `agent` is our product token ("weir"), matched without regard to case.
  static RobotsRules parse(std::string_view body, std::string_view agent);

  // `target` is path and query as on the wire ("/a?b"). "/robots.txt" is a path like any other here: that
  // fetching the rules is always allowed (RFC 9309 2.2.2) needs no verdict.
  RobotsVerdict judge(std::string_view target) const;

  Duration crawl_delay() const { return crawl_delay_; }  // 0: unset; negative and junk are unset
  const std::vector<std::string>& sitemaps() const { return sitemaps_; }

 private:
  class Builder;  // robots.cc: groups while parsing
  struct Rule {
    std::string pattern;  // percent-escapes normalised
    std::uint32_t line = 0;
    bool allow = false;
    std::string text;
  };
  std::vector<Rule> rules_;
  std::vector<std::string> sitemaps_;
  Duration crawl_delay_{0};
};

}  // namespace weir::crawler
