// The small verbs: their output forms are used from outside, so each is held to the letter.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "crawler/cli/config_verb.h"
#include "crawler/cli/explain_verb.h"
#include "crawler/cli/links_verb.h"
#include "crawler/cli/robots_verb.h"
#include "crawler/cli/url_verb.h"
#include "tests/support/recorded_streams.h"

namespace weir::crawler {
namespace {

class Verbs : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        testing::TempDir() + "weir_verbs_" + testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(std::string_view text) {
    const std::string path = folder_ + "/file";
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  std::string folder_;
  Arguments arguments_;
  Config config_;
  RecordedStreams streams_;
};

TEST_F(Verbs, UrlKeyAnswersALineForEachUrl) {
  arguments_.urls = {"http://A.test/%7ea", "http://[", "http://a.test:80"};
  EXPECT_EQ(run_url_key(arguments_, config_, streams_), ExitCode::kRuntime);
  EXPECT_TRUE(streams_.said.starts_with("http://a.test/~a\ninvalid: ")) << streams_.said;
  EXPECT_TRUE(streams_.said.ends_with("\nhttp://a.test/\n")) << streams_.said;
  EXPECT_EQ(streams_.complained, "");
}

TEST_F(Verbs, UrlKeyAsJsonNamesTheRules) {
  arguments_.json = true;
  arguments_.urls = {"http://a.test/%7ea"};
  EXPECT_EQ(run_url_key(arguments_, config_, streams_), ExitCode::kDone);
  const auto json = nlohmann::json::parse(streams_.said);
  EXPECT_EQ(json["key"], "http://a.test/~a");
  EXPECT_EQ(json["rules"], nlohmann::json::array({"percent-unreserved"}));
}

TEST_F(Verbs, UrlParseGivesTheComponents) {
  arguments_.base = "http://u:p@a.test:8080/d/e";
  arguments_.urls = {"f?#"};
  EXPECT_EQ(run_url_parse(arguments_, streams_), ExitCode::kDone);
  const auto json = nlohmann::json::parse(streams_.said);
  EXPECT_EQ(json["href"], "http://u:p@a.test:8080/d/f?#");
  EXPECT_EQ(json["scheme"], "http");
  EXPECT_EQ(json["hostname"], "a.test");
  EXPECT_EQ(json["port"], 8080);
  EXPECT_EQ(json["path"], "/d/f");
  EXPECT_EQ(json["query"], "");
  EXPECT_EQ(json["fragment"], "");
  arguments_.base = "nonsense";
  EXPECT_EQ(run_url_parse(arguments_, streams_), ExitCode::kUsage);
}

TEST_F(Verbs, UrlSameIsAWordAndAnExitCode) {
  arguments_.urls = {"http://a.test", "http://A.test:80/#x"};
  EXPECT_EQ(run_url_same(arguments_, config_, streams_), ExitCode::kDone);
  EXPECT_EQ(streams_.said, "same\n");
  streams_.said.clear();
  arguments_.urls = {"http://a.test/?", "http://a.test/"};
  EXPECT_EQ(run_url_same(arguments_, config_, streams_), ExitCode::kRuntime);
  EXPECT_EQ(streams_.said, "different\n");
  arguments_.urls = {"http://a.test/", "nonsense"};
  EXPECT_EQ(run_url_same(arguments_, config_, streams_), ExitCode::kUsage);
}

TEST_F(Verbs, UrlKeyGoesByTheRulesOfTheConfig) {
  config_.key.rules = {"strip-www"};
  config_.key.strip_params = {{"a.test", {"sid"}}};
  arguments_.urls = {"http://www.a.test/?sid=1"};
  EXPECT_EQ(run_url_key(arguments_, config_, streams_), ExitCode::kDone);
  EXPECT_EQ(streams_.said, "http://a.test/\n");
  streams_.said.clear();
  arguments_.json = true;
  EXPECT_EQ(run_url_key(arguments_, config_, streams_), ExitCode::kDone);
  EXPECT_EQ(nlohmann::json::parse(streams_.said)["rules"],
            nlohmann::json::array({"strip-www", "strip-params"}));
}

TEST_F(Verbs, UrlSameWhyNamesWhatMergedOrSplit) {
  struct Row {
    std::vector<std::string> rules;
    std::string_view a;
    std::string_view b;
    std::string_view said;
  };
  const Row rows[] = {
      {{},
       "http://a.test/%7e",
       "http://a.test/~",
       "same\nhttp://a.test/~  [\"percent-unreserved\"]\nhttp://a.test/~  []\nmerged by: percent-unreserved\n"},
      {{},
       "http://a.test",
       "http://A.test/#x",
       "same\nhttp://a.test/  []\nhttp://a.test/  []\nmerged by: parsing alone\n"},
      {{"strip-www", "ignore-scheme"},
       "https://a.test/",
       "http://www.a.test/",
       "same\nhttp://a.test/  [\"ignore-scheme\"]\nhttp://a.test/  [\"strip-www\"]\nmerged by: ignore-scheme, "
       "strip-www\n"},
      {{},
       "http://a.test/x",
       "http://a.test/X/",
       "different\nhttp://a.test/x  []\nhttp://a.test/X/  []\nfirst difference: path\n"
       "would be merged by: lowercase-path and strip-trailing-slash together\n"},
      {{},
       "http://a.test/?b&a",
       "http://a.test/?a&b",
       "different\nhttp://a.test/?b&a  []\nhttp://a.test/?a&b  []\nfirst difference: order of query\n"
       "would be merged by: sort-query\n"},
      {{"hashbang"},
       "http://a.test/#!/1",
       "http://a.test/",
       "different\nhttp://a.test/#!/1  [\"hashbang\"]\nhttp://a.test/  []\nfirst difference: fragment\nsplit "
       "by: hashbang\n"},
      {{},
       "http://a.test/1",
       "https://a.test/2",
       "different\nhttp://a.test/1  []\nhttps://a.test/2  []\nfirst difference: scheme\nwould be merged by: no "
       "rule\n"},
      {{},
       "http://a.test/;sid=1?sid=2",
       "http://a.test/",
       "different\nhttp://a.test/;sid=1?sid=2  []\nhttp://a.test/  []\nfirst difference: path\n"
       "would be merged by: strip-session-ids\n"},
  };
  arguments_.why = true;
  for (const Row& row : rows) {
    streams_.said.clear();
    config_.key.rules = row.rules;
    arguments_.urls = {std::string(row.a), std::string(row.b)};
    const bool same = row.said.starts_with("same");
    EXPECT_EQ(run_url_same(arguments_, config_, streams_), same ? ExitCode::kDone : ExitCode::kRuntime);
    EXPECT_EQ(streams_.said, row.said);
  }
}

TEST_F(Verbs, UrlSameAsJsonNamesTheFirstDifference) {
  struct Row {
    std::string_view b;
    std::string_view differs;
  };
  constexpr Row kRows[] = {{"https://a.test/?x", "scheme"}, {"http://b.test/?x", "host"},
                           {"http://a.test:81/?x", "port"}, {"http://a.test/y?x", "path"},
                           {"http://a.test/?y", "query"},   {"http://a.test/", "query"}};
  arguments_.json = true;
  for (const Row& row : kRows) {
    streams_.said.clear();
    arguments_.urls = {"http://a.test/?x", std::string(row.b)};
    EXPECT_EQ(run_url_same(arguments_, config_, streams_), ExitCode::kRuntime);
    EXPECT_EQ(nlohmann::json::parse(streams_.said)["differs"], row.differs);
  }
}

TEST_F(Verbs, LinksAreAbsoluteAndInWireForm) {
  const SystemClock clock;
  arguments_.base = "http://a.test/";
  arguments_.file = write(
      "<base href='/d/'><a href='x#top' rel=nofollow>1</a><a href='http://['>2</a><a "
      "href='http://u:p@b.test/'>3</a>");
  EXPECT_EQ(run_links(arguments_, Config{}, clock, streams_), ExitCode::kDone);
  EXPECT_EQ(streams_.said, "http://a.test/d/x\nhttp://b.test/\n");
  streams_.said.clear();
  arguments_.json = true;
  EXPECT_EQ(run_links(arguments_, Config{}, clock, streams_), ExitCode::kDone);
  EXPECT_TRUE(streams_.said.starts_with(
      R"({"url":"http://a.test/d/x","tag":"a","attr":"href","rel":"nofollow","nofollow":true,"kind":"page"})"
      "\n"))
      << streams_.said;
  arguments_.file = folder_ + "/missing";
  EXPECT_EQ(run_links(arguments_, Config{}, clock, streams_), ExitCode::kUsage);
}

TEST_F(Verbs, LinksOfXhtmlAreReadByXmlsRules) {
  const SystemClock clock;
  arguments_.base = "http://a.test/";
  arguments_.content_type = "application/xhtml+xml";
  arguments_.file =
      write("<html xmlns='http://www.w3.org/1999/xhtml'><script/><A href='no'/><a href='x'/></html>");
  EXPECT_EQ(run_links(arguments_, Config{}, clock, streams_), ExitCode::kDone);
  EXPECT_EQ(streams_.said, "http://a.test/x\n");
}

TEST_F(Verbs, RobotsCheckNamesTheDecidingLine) {
  arguments_.agent = "weir";
  arguments_.file = write("User-agent: *\nDisallow: /x\n");
  arguments_.urls = {"http://a.test/x", "/y"};
  EXPECT_EQ(run_robots_check(arguments_, streams_), ExitCode::kDone);
  EXPECT_EQ(streams_.said, "disallow http://a.test/x\tDisallow: /x\nallow /y\t\n");
  streams_.said.clear();
  arguments_.json = true;
  EXPECT_EQ(run_robots_check(arguments_, streams_), ExitCode::kDone);
  EXPECT_TRUE(
      streams_.said.starts_with(R"({"url":"http://a.test/x","allowed":false,"line":2,"rule":"Disallow: /x"})"
                                "\n"))
      << streams_.said;
  arguments_.urls = {"nonsense"};
  EXPECT_EQ(run_robots_check(arguments_, streams_), ExitCode::kUsage);
}

TEST_F(Verbs, ConfigCheckSaysEveryProblemOnItsLine) {
  ConfigSources sources;
  sources.system_file.clear();
  EXPECT_EQ(run_config_check(arguments_, load_config(sources), streams_), ExitCode::kDone);
  EXPECT_EQ(streams_.said, "ok\n");
  sources.sets = {"crawl.detph=3", "politeness.delay=5"};
  EXPECT_EQ(run_config_check(arguments_, load_config(sources), streams_), ExitCode::kUsage);
  EXPECT_EQ(std::count(streams_.complained.begin(), streams_.complained.end(), '\n'), 2) << streams_.complained;
  streams_.said.clear();
  arguments_.json = true;
  EXPECT_EQ(run_config_check(arguments_, load_config(sources), streams_), ExitCode::kUsage);
  EXPECT_EQ(nlohmann::json::parse(streams_.said)["problems"].size(), 2u);
}

TEST_F(Verbs, ConfigPrintAsJsonIsALineForEachKey) {
  ConfigSources sources;
  sources.system_file.clear();
  sources.sets = {"crawl.depth=3"};
  arguments_.json = true;
  EXPECT_EQ(run_config_print(arguments_, load_config(sources), streams_), ExitCode::kDone);
  EXPECT_NE(streams_.said.find(R"({"key":"crawl.depth","value":"3","origin":"--set"})"
                               "\n"),
            std::string::npos);
}

TEST_F(Verbs, ExplainWithoutAStateIsAStateError) {
  Config config;
  config.crawl.state = folder_ + "/missing";
  arguments_.urls = {"http://a.test/"};
  EXPECT_EQ(run_explain(arguments_, config, streams_), ExitCode::kState);
  EXPECT_NE(streams_.complained.find("no crawl state"), std::string::npos);
  arguments_.urls = {"mailto:a@b.test"};
  EXPECT_EQ(run_explain(arguments_, config, streams_), ExitCode::kUsage);
}

}  // namespace
}  // namespace weir::crawler
