// `scope check` and `scope diff`: output to the letter, exit codes, and what is asked for when seeds are
// missing.
#include "crawler/cli/scope_verb.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "crawler/cli/seed_scope.h"
#include "tests/support/recorded_streams.h"

namespace weir::crawler {
namespace {

class ScopeVerb : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        testing::TempDir() + "weir_scope_verb_" + testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, std::string_view text) {
    std::ofstream(folder_ + "/" + name, std::ios::binary) << text;
    return folder_ + "/" + name;
  }

  std::string folder_;
  Arguments arguments_;
  Config config_;
  RecordedStreams streams_;
};

TEST_F(ScopeVerb, CheckNamesTheDecidingRule) {
  config_.scope.hosts = {"a.test"};
  config_.scope.deny = {"/x", "/private"};
  arguments_.urls = {"http://u:p@A.test/#f", "http://a.test/private", "http://b.test/", "http://["};
  EXPECT_EQ(run_scope_check(arguments_, config_, streams_), ExitCode::kRuntime);
  EXPECT_EQ(streams_.said,
            "in\tscope.hosts 'a.test'\thttp://a.test/\n"
            "out\tscope.deny[1] '/private'\thttp://a.test/private\n"
            "out\tno scope rule matches\thttp://b.test/\n"
            "out\tno URL: invalid host: not an IPv6 address\thttp://[\n");
  EXPECT_EQ(streams_.complained, "");
}

TEST_F(ScopeVerb, CheckIsDoneWhenAllAreIn) {
  config_.scope.hosts = {"a.test"};
  config_.crawl.depth = 2;
  arguments_.json = true;
  arguments_.urls = {"http://a.test/"};
  EXPECT_EQ(run_scope_check(arguments_, config_, streams_), ExitCode::kDone);
  EXPECT_EQ(nlohmann::json::parse(streams_.said),
            nlohmann::json::parse(R"({"url":"http://a.test/","in":true,"rule":"scope.hosts 'a.test'"})"));
  arguments_.depth = 3;
  streams_.said.clear();
  EXPECT_EQ(run_scope_check(arguments_, config_, streams_), ExitCode::kRuntime);
  EXPECT_EQ(nlohmann::json::parse(streams_.said)["rule"], "crawl.depth 2");
}

TEST_F(ScopeVerb, CheckWithoutHostsTakesTheSeedsAndSaysSo) {
  arguments_.urls = {"http://www.a.test/"};
  EXPECT_EQ(run_scope_check(arguments_, config_, streams_), ExitCode::kUsage);
  EXPECT_NE(streams_.complained.find("--seed URL"), std::string::npos);
  config_.crawl.seeds = {"a.test"};
  streams_ = {};
  EXPECT_EQ(run_scope_check(arguments_, config_, streams_), ExitCode::kDone);
  EXPECT_EQ(streams_.said, "in\tscope.hosts 'www.a.test'\thttp://www.a.test/\n");
  EXPECT_NE(streams_.complained.find("scope check: the scope is the seeds' hosts (seeds: 1)"),
            std::string::npos);
}

TEST_F(ScopeVerb, DiffCountsByThePairOfRules) {
  arguments_.files = {write("old.toml", "[scope]\nhosts = [\"a.test\"]\n"),
                      write("new.toml", "[scope]\nhosts = [\"a.test\", \"b.test\"]\ndeny = ['/p/']\n")};
  arguments_.file = write("urls",
                          "http://a.test/1\nhttp://a.test/p/1\nhttp://a.test/p/2\n\nhttp://b.test/\n"
                          "http://c.test/\nhttp://[\n");
  arguments_.examples = 1;
  EXPECT_EQ(run_scope_diff(arguments_, {}, streams_), ExitCode::kDone) << streams_.complained;
  EXPECT_EQ(streams_.said,
            "enter\t1\tno scope rule matches -> scope.hosts 'b.test'\n\thttp://b.test/\n"
            "leave\t2\tscope.hosts 'a.test' -> scope.deny[0] '/p/'\n\thttp://a.test/p/1\n"
            "in\t1\tscope.hosts 'a.test'\n\thttp://a.test/1\n"
            "out\t1\tno URL: invalid host: not an IPv6 address\n\thttp://[\n"
            "out\t1\tno scope rule matches\n\thttp://c.test/\n");
  streams_.said.clear();
  arguments_.json = true;
  EXPECT_EQ(run_scope_diff(arguments_, {}, streams_), ExitCode::kDone);
  const auto first = nlohmann::json::parse(streams_.said.substr(0, streams_.said.find('\n')));
  EXPECT_EQ(first["change"], "enter");
  EXPECT_EQ(first["count"], 1);
  EXPECT_EQ(first["old"], "no scope rule matches");
  EXPECT_EQ(first["examples"], nlohmann::json::array({"http://b.test/"}));
}

TEST_F(ScopeVerb, DiffRefusesAWrongConfigAndAMissingFile) {
  const std::string good = write("good.toml", "[scope]\nhosts = [\"a.test\"]\n");
  arguments_.files = {good, write("bad.toml", "[scope]\nrules = [\"x\"]\n")};
  arguments_.file = write("urls", "http://a.test/\n");
  EXPECT_EQ(run_scope_diff(arguments_, {}, streams_), ExitCode::kUsage);
  EXPECT_NE(streams_.complained.find("scope.rules[0]"), std::string::npos) << streams_.complained;
  arguments_.files = {good, good};
  arguments_.file = folder_ + "/absent";
  EXPECT_EQ(run_scope_diff(arguments_, {}, streams_), ExitCode::kUsage);
}

TEST_F(ScopeVerb, SameDomainIsTheRegistrableDomainOfEachSeed) {
  config_.scope.same_domain = true;
  config_.scope.hosts = {"z.test"};
  SeedScope scope(config_);
  EXPECT_TRUE(scope.asks_seeds());
  for (const char* seed :
       {"http://www.a.co.uk/", "http://x.y.a.co.uk:81/", "http://me.github.io/", "http://github.io/",
        "http://localhost:8080/", "http://127.0.0.1/", "http://[::1]:82/"}) {
    scope.add(*frontier::parse_url(seed));
  }
  const auto options = std::move(scope).finish();
  EXPECT_EQ(options.domains, (TextList{"a.co.uk", "me.github.io"}));
  EXPECT_EQ(options.hosts, (TextList{"z.test", "127.0.0.1", "[::1]:82", "github.io", "localhost:8080"}));
  EXPECT_TRUE(frontier::Scope::compile(options));
}

}  // namespace
}  // namespace weir::crawler
