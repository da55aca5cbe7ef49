// robots.txt rules, one law a test: RFC 9309 where it speaks, our decisions where it does not.
#include "crawler/robots/robots.h"

#include <gtest/gtest.h>

#include <chrono>

namespace weir::crawler {
namespace {

using namespace std::chrono_literals;

bool allowed(std::string_view body, std::string_view target, std::string_view agent = "weir") {
  return RobotsRules::parse(body, agent).judge(target).allowed;
}

Duration delay_of(std::string_view body) { return RobotsRules::parse(body, "weir").crawl_delay(); }

struct Case {
  std::string_view rules;  // after "User-agent: *\n"
  std::string_view target;
  bool allowed;
};

TEST(RobotsRules, Rfc9309_PatternsMatch) {
  constexpr Case kCases[] = {
      {"Disallow: /a", "/a", false},
      {"Disallow: /a", "/ab/c?d", false},
      {"Disallow: /a", "/b/a", true},
      {"Disallow: /A", "/a", true},
      {"Disallow: /a$", "/a", false},
      {"Disallow: /a$", "/ab", true},
      {"Disallow: /a$b", "/a$bc", false},
      {"Disallow: /*.gif$", "/x/y.gif", false},
      {"Disallow: /*.gif$", "/x/y.gif?z", true},
      {"Disallow: /a*b*c", "/a--b--c--", false},
      {"Disallow: /a*b*c", "/a--c--b--", true},
      {"Disallow: /a*a$", "/a", true},
      {"Disallow: /*", "/", false},
      {"Disallow: *", "/", false},
      {"Disallow: /**/x", "/y/x", false},
      {"Disallow: *$", "/y", false},
      {"Disallow:", "/a", true},
      {"Disallow: /", "", false},
      {"Disallow: /a\nAllow: /a", "/a", true},        // a tie goes to allow
      {"Disallow: /a/b\nAllow: /a", "/a/b", false},   // the longer pattern decides
      {"Allow: /a/b\nDisallow: /a", "/a/b/c", true},  // in whatever order they stand
      {"Disallow: /%c3%bc", "/%C3%BC", false},
      {"Disallow: /\xC3\xBC", "/%C3%BC", false},
      {"Disallow: /a%", "/a%", false},
      {"Allow: /p\nDisallow: /\nDisallow: /p/index.html", "/p/", true},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(allowed("User-agent: *\n" + std::string(c.rules), c.target), c.allowed)
        << c.rules << " " << c.target;
  }
}

// Each was a fault of another crawler.
TEST(RobotsRules, FieldCases) {
  constexpr Case kCases[] = {
      {"Allow: /*/list/p=*/$\nDisallow: /", "/7/list/p=3/", true},
      {"Allow: /*/list/p=*/$\nDisallow: /", "/7/list/p=3", false},
      {"Disallow: */tmp", "/tmp", false},
      {"Disallow: */tmp", "/a/tmp", false},
      {"Disallow: /*.prt$\nDisallow: /*.prt?", "/a.prt", false},
      {"Disallow: /*.prt$\nDisallow: /*.prt?", "/a.prt?x", false},
      {"Disallow: /*.prt$\nDisallow: /*.prt?", "/a.prtx", true},
      {"Disallow: /d/*%2F", "/d/a/b", true},
      {"Disallow: /d/*%2F", "/d/a%2Fb", false},
      {"Disallow: /d/*%2F", "/d/a%2fb", false},
      {"User-agent: other\nDisallow: /hide?", "/hide?id=1", false},
      {"User-agent: other\nDisallow: /hide?", "/hide", true},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(allowed("User-agent: *\n" + std::string(c.rules), c.target), c.allowed)
        << c.rules << " " << c.target;
  }
}

TEST(RobotsRules, Rfc9309_OurGroupHidesTheGlobalOne) {
  constexpr std::string_view kBody =
      "User-agent: *\nDisallow: /\nUser-agent: WEIR/1.0\nDisallow: /b\n\nUser-agent: weir\nDisallow: /c\n";
  EXPECT_TRUE(allowed(kBody, "/a"));
  EXPECT_FALSE(allowed(kBody, "/b"));
  EXPECT_FALSE(allowed(kBody, "/c"));  // groups of one agent are merged
  EXPECT_FALSE(allowed(kBody, "/a", "other"));
  EXPECT_TRUE(allowed("User-agent: *\nDisallow: /\nUser-agent: weir\n", "/a")) << "an empty group allows all";
}

TEST(RobotsRules, Rfc9309_LinesEndInAnyWay) {
  for (const std::string_view end : {"\n", "\r", "\r\n", "\r\n\r\n"}) {
    std::string body = "\xEF\xBB\xBFUser-agent: *";
    body.append(end).append("# text").append(end).append("  Disallow :  /a # why").append(end);
    EXPECT_FALSE(allowed(body, "/a")) << body;
    EXPECT_TRUE(allowed(body, "/b")) << body;
  }
}

TEST(RobotsRules, Ours_MisspeltKeysAreForgiven) {
  for (const std::string_view key :
       {"disallow", "DISALLOW", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"}) {
    for (const std::string_view agent : {"user-agent", "useragent", "User Agent"}) {
      std::string body(agent);
      body.append(": *\n").append(key).append(": /a\n");
      EXPECT_FALSE(allowed(body, "/a")) << body;
    }
  }
  EXPECT_FALSE(allowed("User-agent *\nDisallow /a\n", "/a")) << "a missing colon";
  EXPECT_TRUE(allowed("User-agent: *\nDisallow /a or not\n", "/a")) << "but a sentence is no rule";
}

TEST(RobotsRules, Ours_Utf16IsRead) {
  const std::string_view text = "User-agent: *\nDisallow: /a\n";
  std::string little = "\xFF\xFE";
  std::string big = "\xFE\xFF";
  for (const char c : text) {
    little.append({c, '\0'});
    big.append({'\0', c});
  }
  EXPECT_FALSE(allowed(little, "/a"));
  EXPECT_FALSE(allowed(big, "/a"));
  EXPECT_TRUE(allowed(big, "/b"));
}

TEST(RobotsRules, VerdictNamesTheDecidingLine) {
  const RobotsRules rules =
      RobotsRules::parse("# head\r\nUser-agent: *\r\n Disallow: /a # why\nAllow: /a/b\n", "weir");
  EXPECT_EQ(rules.judge("/a").line, 3u);
  EXPECT_EQ(rules.judge("/a").text, "Disallow: /a # why");
  EXPECT_EQ(rules.judge("/a/b").line, 4u);
  EXPECT_EQ(rules.judge("/c").line, 0u);
  EXPECT_EQ(rules.judge("/c").text, "");
}

TEST(RobotsRules, CrawlDelayIsNeverNegativeOrNonsense) {
  struct Delay {
    std::string_view value;
    Duration expected;
  };
  constexpr Delay kDelays[] = {{"10", 10s}, {"0.5", 500ms},    {"1e9", 24h},  {"-5", 0s},
                               {"abc", 0s}, {"", 0s},          {"NaN", 0s},   {"inf", 0s},
                               {"5s", 0s},  {"5 seconds", 5s}, {"5<BR>", 5s}, {"1e999", 0s}};
  for (const Delay& delay : kDelays) {
    EXPECT_EQ(delay_of("User-agent: *\nCrawl-delay: " + std::string(delay.value)), delay.expected)
        << delay.value;
  }
  EXPECT_EQ(delay_of(""), 0s);
}

TEST(RobotsRules, CrawlDelayBelongsToTheAgentsAboveIt) {
  EXPECT_EQ(delay_of("User-agent: *\nCrawl-delay: 30\nUser-agent: weir\nDisallow: /b/\n"), 0s)
      << "the global group's delay leaked into ours";
  EXPECT_EQ(delay_of("User-agent: slow\nCrawl-delay: 30\nUser-agent: weir\nCrawl-delay: 2\nDisallow: /b/\n"),
            2s);
  EXPECT_EQ(delay_of("User-agent: slow\nUser-agent: weir\nCrawl-delay: 30\n"), 30s);
  EXPECT_EQ(delay_of("User-agent: *\nDisallow: /x\nCrawl-delay: 3\n"), 3s);
}

TEST(RobotsRules, SitemapsStandAnywhereAndOnce) {
  const RobotsRules rules = RobotsRules::parse(
      "Sitemap: http://a.test/1\nUser-agent: other\nDisallow: /\nsite-map: /2\nSITEMAP: "
      "http://a.test/1\nSitemap:\n",
      "weir");
  EXPECT_EQ(rules.sitemaps(), (std::vector<std::string>{"http://a.test/1", "/2"}));
}

// A pattern of many stars against a long path was exponential in some matchers.
TEST(RobotsRules, ManyStarsCostNoMoreThanTheyShould) {
  std::string pattern = "Disallow: /";
  for (int i = 0; i < 5'000; ++i) pattern += "a*";
  const std::string target = "/" + std::string(60'000, 'a') + "b";
  EXPECT_TRUE(allowed("User-agent: *\n" + pattern + "c$\n", target));
  EXPECT_FALSE(allowed("User-agent: *\n" + pattern + "b$\n", target));
}

TEST(RobotsRules, JunkIsNoRule) {
  EXPECT_TRUE(allowed("<html><body>404: not found</body></html>", "/a"));
  EXPECT_TRUE(allowed(std::string(1 << 20, '\0'), "/a"));
  EXPECT_TRUE(allowed("Disallow: /\n", "/a")) << "a rule before any user-agent";
  EXPECT_TRUE(allowed(":::\n#\n:\n", "/a"));
}

}  // namespace
}  // namespace weir::crawler
