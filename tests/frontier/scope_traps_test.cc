// Endless sites: what stops each of them, and which honest URLs must pass. Numbers name field cases; walks play
// the trap until the scope ends it.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "frontier/scope/scope.h"
#include "frontier/url/url_key.h"

namespace weir::frontier {
namespace {

std::string rule_of(const ScopeOptions& options, const Url& url, std::uint32_t depth = 0) {
  const auto scope = Scope::compile(options);
  const ScopeVerdict verdict = scope->judge(url, {.depth = depth});
  return verdict.in_scope() ? "in" : std::string(scope_rule_name(verdict.rule));
}

std::string rule_of(const ScopeOptions& options, std::string_view url) {
  return rule_of(options, *parse_url(url));
}

ScopeOptions tight() {
  ScopeOptions options;
  options.traps.path_depth_max = 12;
  options.traps.segment_repeats_max = 3;
  options.traps.group_repeats_max = 2;
  options.traps.query_parameters_max = 6;
  options.traps.parameter_repeats_max = 2;
  options.url_bytes_max = 100;
  return options;
}

struct Row {
  const char* url;
  const char* rule;
};

TEST(ScopeTraps, ASingleUrlIsJudgedByItsShape) {
  const Row rows[] = {
      {"http://a.test/x/x/x", "in"},
      {"http://a.test/x/x/x/", "in"},
      {"http://a.test/x//x/x/", "in"},
      {"http://a.test/x/x/x/x", "segment_repeats"},          // 23
      {"http://a.test/x/1/x/2/x/3/x", "segment_repeats"},    // not in a row
      {"http://a.test/i/w/i/w", "in"},                       // 185
      {"http://a.test/i/w/i/w/i/w", "group_repeats"},        // 185
      {"http://a.test/p/i/w/i/w/i/w/q", "group_repeats"},    // in the middle
      {"http://a.test/w/i/w/i/w/i", "group_repeats"},        // out of step
      {"http://a.test/a/b/c/a/b/c/a/b/c", "group_repeats"},  // of three
      {"http://a.test/a/b/a/c/a/b", "in"},                   // no group
      {"http://a.test/1/2/3/4/5/6/7/8/9/10/11/12", "in"},
      {"http://a.test/1/2/3/4/5/6/7/8/9/10/11/12/13", "path_depth"},
      {"http://a.test/?a/a/a/a/a/a/a/a/a/a/a/a/a", "in"},    // no path
      {"http://a.test/v?s=1&s=2", "in"},                     // 184
      {"http://a.test/v?s=1&s=2&s=3", "parameter_repeats"},  // 184
      {"http://a.test/v?s&s=&s=3", "parameter_repeats"},     // 184: with and without value
      {"http://a.test/v?s=1&t=1&u=1&sa=1&sb=1", "in"},
      {"http://a.test/v?a&b&c&d&e&f", "in"},
      {"http://a.test/v?a&b&c&d&e&f&g", "query_parameters"},
      {"http://a.test/v?a&&&&&&&&b", "in"},  // nothing between separators is no parameter
  };
  for (const Row& row : rows) EXPECT_EQ(rule_of(tight(), row.url), row.rule) << row.url;
}

TEST(ScopeTraps, HonestUrlsPassTheDefaults) {
  const char* urls[] = {
      "http://a.test/2026/12/01/news/2026/12/01/",
      "http://a.test/tiles/0/0/0/0.html",
      "http://a.test/en/docs/en/api/en/docs/",
      "http://a.test/search?f[]=1&f[]=2&f[]=3&f[]=4&f[]=5&f[]=6&f[]=7&f[]=8",
      "http://a.test/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t",
  };
  for (const char* url : urls) EXPECT_EQ(rule_of(ScopeOptions{}, url), "in") << url;
}

TEST(ScopeTraps, LongUrlsAreRefusedNotCut) {  // 65 at scope, 181, threat 41
  const ScopeOptions defaults;
  const std::string origin = "http://a.test/";
  const auto url = [&](std::size_t bytes) { return origin + std::string(bytes - origin.size(), 'x'); };
  EXPECT_EQ(rule_of(defaults, url(2'083)), "in");
  EXPECT_EQ(rule_of(defaults, url(8'191)), "in");
  EXPECT_EQ(rule_of(defaults, url(8'192)), "in");
  EXPECT_EQ(rule_of(defaults, url(8'192) + "#fragment"), "in");
  EXPECT_EQ(rule_of(defaults, url(8'193)), "url_bytes");
  EXPECT_EQ(parse_url(url(1 << 20)).error(), UrlError::kTooLong);
  // Two that differ only at their end stay two.
  const std::string common = url(4'096);
  EXPECT_NE(canonical_key(*parse_url(common + "1")).text(), canonical_key(*parse_url(common + "2")).text());
}

struct Trap {
  const char* name;
  const char* start;
  std::function<std::string(const Url& page)> link;  // as written on the page
  const char* rule;
  int pages_max;
};

std::string escaped(std::string_view text) {
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.';
    plain ? out.append(1, c) : out.append(1, '%').append(1, kHex[byte >> 4]).append(1, kHex[byte & 15]);
  }
  return out;
}

// A page of each trap links one page further. Threat 7: the walk ends by a named rule, after few pages.
TEST(ScopeTraps, EveryWalkIntoATrapEnds) {
  const Trap traps[] = {
      {"root slash", "http://a.test/", [](const Url&) { return "x/"; }, "segment_repeats", 9},       // 23
      {"nested pair", "http://a.test/i/w/", [](const Url&) { return "i/w/"; }, "group_repeats", 4},  // 185
      {"link without scheme", "http://a.test/e/1", [](const Url&) { return "www.b.test/"; },         // 71
       "segment_repeats", 10},
      {"deep folders", "http://a.test/",
       [](const Url& page) { return std::to_string(page.href().size()) + "/"; }, "path_depth", 65},
      {"another parameter", "http://a.test/v?s=1",
       [](const Url& page) {  // 184
         return std::string(page.href()) + "&s=2";
       },
       "parameter_repeats", 17},
      {"new parameters", "http://a.test/v?s=1",
       [](const Url& page) {
         return std::string(page.href()) + "&s" + std::to_string(page.href().size()) + "=1";
       },
       "query_parameters", 65},
      {"escaped again and again", "http://a.test/p?redirect=",
       [](const Url& page) {  // 182
         return "/p?redirect=" + escaped(page.href());
       },
       "url_bytes", 100},
      {"session id in the path", "http://a.test/s1/",
       [](const Url& page) {
         return std::string(page.path()) + "s" + std::to_string(page.href().size()) + "/";
       },
       "path_depth", 65},
  };
  for (const Trap& trap : traps) {
    Url page = *parse_url(trap.start);
    int pages = 1;
    std::string rule = rule_of(ScopeOptions{}, page);
    for (; rule == "in" && pages <= 1000; ++pages) {
      page = *parse_url(trap.link(page), &page);
      rule = rule_of(ScopeOptions{}, page);
    }
    EXPECT_EQ(rule, trap.rule) << trap.name;
    EXPECT_LE(pages - 1, trap.pages_max) << trap.name;
  }
}

// A calendar has no shape to see: depth ends it.
TEST(ScopeTraps, ACalendarEndsByDepth) {
  ScopeOptions options;
  options.depth_max = 20;
  EXPECT_EQ(rule_of(options, *parse_url("http://a.test/cal?month=20"), 20), "in");
  EXPECT_EQ(rule_of(options, *parse_url("http://a.test/cal?month=21"), 21), "depth");
}

// Long groups and many segments must not cost quadratic time: 32,000 segments in well under a second.
TEST(ScopeTraps, AHostilePathIsCheap) {
  ScopeOptions options;
  options.url_bytes_max = 65'536;
  options.traps.path_depth_max = 65'535;
  options.traps.segment_repeats_max = 65'535;
  std::string path;
  for (int i = 0; i < 16'000; ++i) path += (i % 17 == 0 ? "/b" : "/a");
  EXPECT_EQ(rule_of(options, "http://a.test" + path), "in");  // groups of 17 are longer than those looked for
}

}  // namespace
}  // namespace weir::frontier
