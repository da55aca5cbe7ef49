// Lines of seed files as people write them: one row, one reason.
#include "crawler/seeds/seed_line.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace weir::crawler {
namespace {

using frontier::kNoDepthLimit;
using frontier::Priority;

TEST(SeedLine, UrlsAreTakenAsPeopleWriteThem) {
  struct Row {
    std::string_view line;
    std::string_view url;
    std::string_view reason;
  };
  constexpr Row kRows[] = {
      {"http://a.test/x", "http://a.test/x", "plain"},
      {"  https://a.test/ \t", "https://a.test/", "white space around"},
      {"a.test", "http://a.test/", "no scheme"},
      {"a.test/x?y", "http://a.test/x?y", "no scheme, with a path"},
      {"a.test:8080/x", "http://a.test:8080/x", "a port is no scheme"},
      {"localhost:8080", "http://localhost:8080/", "a port after a single label"},
      {"127.0.0.1:80", "http://127.0.0.1/", "an address"},
      {"//a.test/x", "http://a.test/x", "scheme-relative"},
      {"a.test/?u=http://b.test/", "http://a.test/?u=http://b.test/", "a scheme inside the query is not ours"},
      {"HTTP://A.test/", "http://a.test/", "upper case"},
      {"http://a.test/#top", "http://a.test/", "the fragment is not sent"},
      {"http://a.test/ # main page", "http://a.test/", "a comment at the end"},
      {"http://a.test/a b", "http://a.test/a%20b", "a space in the path"},
      {"http://u:p@a.test/", "http://a.test/", "credentials are not sent"},
  };
  for (const Row& row : kRows) {
    const auto seed = parse_seed_line(row.line);
    ASSERT_TRUE(seed) << row.reason << ": " << seed.error();
    ASSERT_TRUE(seed->has_value()) << row.reason;
    EXPECT_EQ((*seed)->url.href(), row.url) << row.reason;
    EXPECT_EQ((*seed)->depth_limit, kNoDepthLimit) << row.reason;
    EXPECT_EQ((*seed)->credentials_dropped, row.line.find('@') != std::string_view::npos) << row.reason;
  }
}

TEST(SeedLine, BlankLinesAndCommentsAreNoSeeds) {
  for (const std::string_view line : {"", "   ", "\t", "# http://a.test/", "  # x", "#"}) {
    const auto seed = parse_seed_line(line);
    ASSERT_TRUE(seed) << line;
    EXPECT_FALSE(seed->has_value()) << line;
  }
}

TEST(SeedLine, AttributesFollowAfterTabsOrSpaces) {
  struct Row {
    std::string_view line;
    std::uint16_t depth;
    Priority priority;
    std::string_view tag;
  };
  constexpr Row kRows[] = {
      {"http://a.test/\tdepth=2", 2, Priority::kNormal, ""},
      {"http://a.test/\tdepth=0\tpriority=high\ttag=x", 0, Priority::kHigh, "x"},
      {"http://a.test/ depth=2 tag=x", 2, Priority::kNormal, "x"},
      {"a.test tag=x\tpriority=urgent", kNoDepthLimit, Priority::kUrgent, "x"},
      {"a.test\ttag=two words", kNoDepthLimit, Priority::kNormal, "two words"},
      {"a.test\tpriority=low depth=1", 1, Priority::kLow, ""},
      {"a.test\t\tdepth=65534\t", 65534, Priority::kNormal, ""},
  };
  for (const Row& row : kRows) {
    const auto seed = parse_seed_line(row.line);
    ASSERT_TRUE(seed) << row.line << ": " << seed.error();
    EXPECT_EQ((*seed)->depth_limit, row.depth) << row.line;
    EXPECT_EQ((*seed)->priority, row.priority) << row.line;
    EXPECT_EQ((*seed)->tag, row.tag) << row.line;
    EXPECT_EQ((*seed)->url.path(), "/") << row.line;
  }
}

TEST(SeedLine, BadLinesSayWhatIsWrong) {
  struct Row {
    std::string line;
    std::string_view message;
  };
  const Row rows[] = {
      {"http://[bad", "is no URL"},
      {"http://", "is no URL"},
      {"/path/only", "is a path, not a URL"},
      {"ftp://a.test/", "only http and https"},
      {"mailto:a@b.test", "only http and https"},
      {"javascript:alert(1)", "only http and https"},
      {"a.test\tdepht=2", "unknown attribute 'depht=2'"},
      {"a.test\tdepth=", "depth must be"},
      {"a.test\tdepth=-1", "depth must be"},
      {"a.test\tdepth=65535", "depth must be"},
      {"a.test\tpriority=retry", "priority must be urgent, high, normal or low"},
      {"a.test\ttag=" + std::string(257, 'x'), "tag must be"},
      {"a.test\ttag=\x1b[31m", "tag must be"},
      {std::string("a.test/\0x", 9), "NUL"},
      {"a.test:99999/", "is no URL"},
  };
  for (const Row& row : rows) {
    const auto seed = parse_seed_line(row.line);
    ASSERT_FALSE(seed) << row.line;
    EXPECT_NE(seed.error().find(row.message), std::string::npos) << row.line << ": " << seed.error();
  }
}

}  // namespace
}  // namespace weir::crawler
