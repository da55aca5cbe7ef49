// Line syntax of robots.txt by RFC 9309 2.2, with the tolerances that Google documents for its own parser
// (missing colon, misspelled keys, over-long lines). See robots_line.h.
#include "crawler/robots/robots_line.h"

#include <array>
#include <optional>
#include <utility>

#include "crawler/html/ascii.h"

namespace weir::crawler {
namespace {

// What follows in a longer line is ignored: eight times the longest URL that any browser took for long.
constexpr std::size_t kLineBytesMax = 2083 * 8 - 1;

constexpr std::string_view kWhiteSpace = " \t\v\f";

// Prefixes, not whole words: "disallow-all:" has always been read as "disallow:" by the large crawlers.
constexpr std::array<std::pair<std::string_view, RobotsDirective>, 13> kKeyPrefixes = {{
    {"user-agent", RobotsDirective::kUserAgent},
    {"useragent", RobotsDirective::kUserAgent},
    {"user agent", RobotsDirective::kUserAgent},
    {"allow", RobotsDirective::kAllow},
    {"disallow", RobotsDirective::kDisallow},
    {"dissallow", RobotsDirective::kDisallow},
    {"dissalow", RobotsDirective::kDisallow},
    {"disalow", RobotsDirective::kDisallow},
    {"diasllow", RobotsDirective::kDisallow},
    {"disallaw", RobotsDirective::kDisallow},
    {"sitemap", RobotsDirective::kSitemap},
    {"site-map", RobotsDirective::kSitemap},
    {"crawl-delay", RobotsDirective::kCrawlDelay},
}};

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kWhiteSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kWhiteSpace) - first + 1);
}

RobotsDirective directive_of(std::string_view key) {
  for (const auto& [prefix, directive] : kKeyPrefixes) {
    if (ascii_starts_with_ignore_case(key, prefix)) return directive;
  }
  return RobotsDirective::kUnknown;
}

// Where the key ends: at the first colon; else at the only gap of a line of two words.
std::optional<std::size_t> find_separator(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon != std::string_view::npos) return colon;
  const std::size_t gap = line.find_first_of(kWhiteSpace);
  if (gap == std::string_view::npos) return std::nullopt;
  const std::string_view value = trim(line.substr(gap));
  if (value.find_first_of(kWhiteSpace) != std::string_view::npos) return std::nullopt;
  return gap;
}

}  // namespace

RobotsLines::RobotsLines(std::string_view body) : rest_(body) {
  for (const char mark : {'\xEF', '\xBB', '\xBF'}) {
    if (rest_.empty() || rest_.front() != mark) break;
    rest_.remove_prefix(1);
  }
}

// Ends at LF, CR or CR LF, which count once.
std::string_view RobotsLines::take_line() {
  ++number_;
  const std::size_t end = rest_.find_first_of("\r\n");
  const std::string_view line = rest_.substr(0, end);
  if (end == std::string_view::npos) {
    rest_ = {};
    return line;
  }
  const bool pair = rest_.substr(end, 2) == "\r\n";
  rest_.remove_prefix(end + (pair ? 2 : 1));
  return line;
}

bool RobotsLines::next(RobotsLine& line) {
  while (!rest_.empty()) {
    const std::string_view whole = take_line().substr(0, kLineBytesMax);
    const std::string_view text = trim(whole.substr(0, whole.find('#')));
    const std::optional<std::size_t> separator = find_separator(text);
    if (!separator) continue;
    const std::string_view key = trim(text.substr(0, *separator));
    if (key.empty()) continue;
    line = {directive_of(key), trim(text.substr(*separator + 1)), trim(whole), number_};
    return true;
  }
  return false;
}

}  // namespace weir::crawler
