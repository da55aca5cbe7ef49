// The list's own conformance data through our parser and our wrapper.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "frontier/scope/public_suffix.h"
#include "frontier/url/url.h"
#include "tests/support/corpora.h"

namespace weir::frontier {
namespace {

// As SeedScope asks: the host is what the URL parser makes of the name.
std::string registrable(const PublicSuffixes& list, const std::string& name) {
  const auto url = parse_url("http://" + name + "/");
  if (!url || url->host_kind() != HostKind::kDomain) return "null";
  const std::string_view domain = list.registrable_domain(url->hostname());
  return domain.empty() ? "null" : std::string(domain);
}

std::string in_ascii(const std::string& name) {
  if (name == "null") return name;
  const auto url = parse_url("http://" + name + "/");
  return url ? std::string(url->hostname()) : "no host";
}

Result<PublicSuffixes> corpus_list() {
  const auto folder = test::corpora_folder(WEIR_SOURCE_DIR);
  return PublicSuffixes::load(folder ? (*folder / "psl/public_suffix_list.dat").string() : "absent");
}

TEST(PublicSuffix, EveryLineOfTheOldTestHolds) {
  WEIR_CORPUS_OR_SKIP(text, "psl/test_psl.txt");
  const auto list = corpus_list();
  ASSERT_TRUE(list) << list.error().message();
  std::istringstream lines(text);
  int checked = 0;
  for (std::string line; std::getline(lines, line);) {
    // checkPublicSuffix('b.example.com', 'example.com');
    if (!line.starts_with("checkPublicSuffix(")) continue;
    std::string names[2];
    std::istringstream arguments(line.substr(line.find('(') + 1));
    for (std::string& name : names) {
      arguments >> name;
      std::erase_if(name, [](char c) { return c == '\'' || c == ',' || c == ')' || c == ';'; });
    }
    EXPECT_EQ(names[0] == "null" ? "null" : registrable(*list, names[0]), in_ascii(names[1])) << line;
    ++checked;
  }
  EXPECT_GT(checked, 70);
}

TEST(PublicSuffix, EveryLineOfTheNewTestHolds) {
  WEIR_CORPUS_OR_SKIP(text, "psl/tests.txt");
  const auto list = corpus_list();
  ASSERT_TRUE(list) << list.error().message();
  std::istringstream lines(text);
  int checked = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string name;
    std::string expected;
    if (line.starts_with("//") || !(fields >> name >> expected)) continue;
    EXPECT_EQ(name == "null" ? "null" : registrable(*list, name), in_ascii(expected)) << line;
    ++checked;
  }
  EXPECT_GT(checked, 70);
}

TEST(PublicSuffix, ALabelThatNoRuleNamesIsNoSuffixButHasNoDomainEither) {
  const PublicSuffixes list = PublicSuffixes::newest();
  EXPECT_TRUE(list.is_public_suffix("com"));
  EXPECT_TRUE(list.is_public_suffix("co.uk"));
  EXPECT_TRUE(list.is_public_suffix("github.io"));
  EXPECT_FALSE(list.is_public_suffix("a.co.uk"));
  EXPECT_FALSE(list.is_public_suffix("localhost"));
  EXPECT_FALSE(list.is_public_suffix(""));
  EXPECT_EQ(list.registrable_domain("x.y.a.co.uk"), "a.co.uk");
  EXPECT_EQ(list.registrable_domain("x.y.a.test"), "a.test");
  EXPECT_EQ(list.registrable_domain("me.github.io"), "me.github.io");
  EXPECT_EQ(list.registrable_domain("github.io"), "");
  EXPECT_EQ(list.registrable_domain("localhost"), "");
  EXPECT_EQ(list.registrable_domain("a.test."), "");
}

TEST(PublicSuffix, AFileThatHoldsNoRulesIsRefused) {
  const auto list = PublicSuffixes::load("/dev/null");
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().code(), ErrorCode::kUsage);
  EXPECT_FALSE(PublicSuffixes::load("/nowhere/list.dat"));
}

}  // namespace
}  // namespace weir::frontier
