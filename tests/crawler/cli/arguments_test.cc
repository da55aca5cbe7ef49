// The command line as plain values, and what is said when it is wrong.
#include "crawler/cli/arguments.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace weir::crawler {
namespace {

std::variant<Arguments, Farewell> parse(std::vector<const char*> words) {
  words.insert(words.begin(), "weir");
  return parse_arguments(static_cast<int>(words.size()), words.data());
}

Arguments parsed(const std::vector<const char*>& words) {
  auto result = parse(words);
  if (const auto* farewell = std::get_if<Farewell>(&result)) {
    ADD_FAILURE() << farewell->text;
    return {};
  }
  return std::get<Arguments>(result);
}

Farewell farewell(const std::vector<const char*>& words) {
  auto result = parse(words);
  if (const auto* found = std::get_if<Farewell>(&result)) return *found;
  ADD_FAILURE() << "was accepted: " << words.front();
  return {};
}

std::string value_of(const Arguments& arguments, std::string_view key) {
  for (const FlagSetting& flag : arguments.flags) {
    if (flag.key == key) return flag.value;
  }
  return "absent";
}

TEST(CommandLine, CrawlFlagsAreConfigurationKeys) {
  const Arguments arguments = parsed({"crawl",    "http://a.test/?x=[1,2]",
                                      "b.test",   "--depth",
                                      "3",        "--limit-pages=10",
                                      "--state",  "s",
                                      "--out",    "o",
                                      "--seeds",  "f",
                                      "--seeds",  "-",
                                      "--config", "c",
                                      "--set",    "a.b=1",
                                      "--set",    "scope.allow=[\"x,y\"]"});
  EXPECT_EQ(arguments.verb, Verb::kCrawl);
  EXPECT_EQ(value_of(arguments, "crawl.depth"), "3");
  EXPECT_EQ(value_of(arguments, "crawl.limit_pages"), "10");
  EXPECT_EQ(value_of(arguments, "crawl.state"), "s");
  EXPECT_EQ(value_of(arguments, "output.folder"), "o");
  EXPECT_EQ(arguments.config_file, "c");
  EXPECT_EQ(arguments.sets, (std::vector<std::string>{"a.b=1", "scope.allow=[\"x,y\"]"}));
  std::vector<std::string> seeds;
  for (const FlagSetting& flag : arguments.flags) {
    if (flag.append) seeds.push_back(flag.key + " " + flag.value);
  }
  EXPECT_EQ(seeds, (std::vector<std::string>{"crawl.seed_files f", "crawl.seed_files -",
                                             "crawl.seeds http://a.test/?x=[1,2]", "crawl.seeds b.test"}));
}

TEST(CommandLine, SetDoesNotSwallowWhatFollows) {
  const Arguments arguments = parsed({"crawl", "--set", "a.b=1", "http://a.test/"});
  EXPECT_EQ(arguments.sets.size(), 1u);
  EXPECT_EQ(value_of(arguments, "crawl.seeds"), "http://a.test/");
}

TEST(CommandLine, EachVerbHasItsArguments) {
  EXPECT_EQ(parsed({"url", "key", "a", "-", "b", "--json"}).urls, (std::vector<std::string>{"a", "-", "b"}));
  EXPECT_TRUE(parsed({"url", "key", "a", "--json"}).json);
  EXPECT_EQ(parsed({"url", "parse", "--base", "b", "a"}).base, "b");
  EXPECT_EQ(parsed({"url", "same", "a", "b"}).verb, Verb::kUrlSame);
  EXPECT_EQ(parsed({"links", "-", "--content-type", "text/html"}).content_type, "text/html");
  const Arguments robots = parsed({"robots", "check", "--agent", "x", "file", "u1", "u2"});
  EXPECT_EQ(robots.agent, "x");
  EXPECT_EQ(robots.file, "file");
  EXPECT_EQ(robots.urls, (std::vector<std::string>{"u1", "u2"}));
  EXPECT_TRUE(parsed({"config", "print", "--reference"}).reference);
  EXPECT_EQ(parsed({"config", "check", "weir.toml"}).file, "weir.toml");
  EXPECT_EQ(parsed({"explain", "http://a.test/", "--state", "s"}).verb, Verb::kExplain);
  EXPECT_EQ(parsed({"params", "--state", "s", "--min", "3"}).pairs_min, 3u);
  EXPECT_EQ(parsed({"rekey", "--state", "s", "--config", "c", "--json"}).verb, Verb::kRekey);
  const Arguments check = parsed({"scope", "check", "--seed", "s", "--depth", "2", "u", "-"});
  EXPECT_EQ(check.depth, 2u);
  EXPECT_EQ(check.urls, (std::vector<std::string>{"u", "-"}));
  EXPECT_EQ(value_of(check, "crawl.seeds"), "s");
  const Arguments diff = parsed({"scope", "diff", "old", "new", "--urls", "f", "--examples", "0"});
  EXPECT_EQ(diff.files, (std::vector<std::string>{"old", "new"}));
  EXPECT_EQ(diff.file, "f");
  EXPECT_EQ(diff.examples, 0u);
}

TEST(CommandLine, HelpAndVersionAreEverywhere) {
  const std::vector<std::vector<const char*>> verbs = {{},
                                                       {"crawl"},
                                                       {"explain"},
                                                       {"url"},
                                                       {"url", "key"},
                                                       {"url", "parse"},
                                                       {"url", "same"},
                                                       {"links"},
                                                       {"robots"},
                                                       {"robots", "check"},
                                                       {"config"},
                                                       {"config", "check"},
                                                       {"config", "print"},
                                                       {"scope"},
                                                       {"scope", "check"},
                                                       {"scope", "diff"}};
  for (std::vector<const char*> words : verbs) {
    words.push_back("--help");
    EXPECT_EQ(farewell(words).code, ExitCode::kDone);
    EXPECT_NE(farewell(words).text.find("Exit codes:"), std::string::npos) << farewell(words).text;
    words.back() = "--version";
    EXPECT_EQ(farewell(words).text, "weir " WEIR_VERSION "\n");
  }
}

TEST(CommandLine, WrongWordsAreUsageErrorsThatHelp) {
  struct Row {
    std::vector<const char*> words;
    std::string_view message;
  };
  const Row rows[] = {
      {{"crwl"}, "no verb 'crwl'; did you mean 'crawl'?"},
      {{"url", "kye"}, "no verb 'kye'; did you mean 'key'?"},
      {{"frobnicate"}, "there are: crawl explain rekey params url links sitemap robots config"},
      {{"crawl", "--dept", "3"}, "--dept"},
      {{"url", "same", "a"}, "url"},
      {{"robots", "check", "file", "u"}, "--agent is required"},
      {{"links"}, "file is required"},
      {{"scope"}, "subcommand is required"},
      {{"scope", "check"}, "url is required"},
      {{"scope", "check", "u", "--depth", "x"}, "--depth"},
      {{"scope", "diff", "a", "b"}, "--urls is required"},
      {{"scope", "diff", "a", "--urls", "f"}, "config"},
      {{"crawl", "--set"}, "--set"},
  };
  for (const Row& row : rows) {
    const Farewell said = farewell(row.words);
    EXPECT_EQ(said.code, ExitCode::kUsage) << said.text;
    EXPECT_NE(said.text.find(row.message), std::string::npos) << said.text;
  }
}

}  // namespace
}  // namespace weir::crawler
