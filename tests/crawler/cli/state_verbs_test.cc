// The verbs that look into a state or change it, over a state that the real frontier has made.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "crawler/cli/explain_verb.h"
#include "crawler/cli/params_verb.h"
#include "crawler/cli/rekey_verb.h"
#include "crawler/config/loader.h"
#include "crawler/config/options.h"
#include "frontier/local/engine.h"
#include "tests/support/recorded_streams.h"

namespace weir::crawler {
namespace {

using frontier::local::LocalFrontier;

class StateVerbs : public testing::Test {
 protected:
  void SetUp() override {
    // RocksDB's threads outlive the test and inherit this: none may take the signal that another test sends.
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTERM);
    sigaddset(&stop, SIGINT);
    pthread_sigmask(SIG_BLOCK, &stop, &mask_before_);
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    config_.crawl.state = testing::TempDir() + "weir_state_verbs_" + name;
    std::filesystem::remove_all(config_.crawl.state);
  }
  void TearDown() override {
    std::filesystem::remove_all(config_.crawl.state);
    pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
  }

  void open() {
    frontier::local::LocalOptions options;
    options.path = config_.crawl.state;
    options.key_rules = key_rules(config_).text();
    options.politeness.delay = Duration(0);
    options.politeness.obey_robots = false;
    auto opened = LocalFrontier::open(options, *dedup::make_set(set_options(config_)), *log_, now_);
    ASSERT_TRUE(opened) << opened.error().message();
    frontier_ = std::move(*opened);
  }
  void close() {
    ASSERT_TRUE(frontier_->close(now_));
    frontier_.reset();
  }

  dedup::Fingerprint key(const std::string& url) const {
    return dedup::fingerprint(key_rules(config_).key(*frontier::parse_url(url)).text(), frontier_->secret());
  }
  void add(const std::string& url) {
    frontier::CandidateBatch batch;
    frontier::Candidate candidate;
    candidate.fingerprint = key(url);
    candidate.origin_length = static_cast<std::uint32_t>(frontier::origin(*frontier::parse_url(url)).size());
    batch.add(url, candidate);
    ASSERT_TRUE(frontier_->turn({}, {&batch, 1}, now_));
  }
  void fetch(const std::string& url, std::uint64_t digest, std::uint16_t status = 200) {
    add(url);
    now_.mono += std::chrono::seconds(1);
    now_.wall += std::chrono::seconds(1);
    std::vector<frontier::Lease> leases;
    ASSERT_TRUE(frontier_->lease(1, now_, leases));
    ASSERT_EQ(leases.size(), 1u);
    frontier::Settlement settlement;
    settlement.lease = leases[0].id;
    settlement.outcome = frontier::Outcome::kDone;
    settlement.page.fingerprint = key(leases[0].url);
    settlement.page.status = status;
    settlement.page.digest = digest;
    ASSERT_TRUE(frontier_->turn({&settlement, 1}, {}, now_));
  }

  sigset_t mask_before_{};
  Arguments arguments_;
  Config config_;
  RecordedStreams streams_;
  Now now_{MonoTime(std::chrono::hours(1)), WallTime(std::chrono::hours(400'000))};
  std::unique_ptr<Log> log_ = Log::discard();
  std::unique_ptr<LocalFrontier> frontier_;
};

TEST_F(StateVerbs, RekeyPrintsWhatItDid) {
  open();
  fetch("http://a.test/1", 1);
  add("http://a.test/1/");
  add("http://a.test/2");
  add("http://a.test/2/");
  close();
  config_.key.rules = {"strip-trailing-slash"};
  EXPECT_EQ(run_rekey(arguments_, config_, *log_, streams_), ExitCode::kDone);
  EXPECT_EQ(streams_.said,
            "rules = [\"strip-trailing-slash\"]\n"
            "queued: 1\nqueued, merged with another that waits: 1\nqueued, removed because done: 1\n"
            "done: 1\ndone, merged: 0\n");
  streams_.said.clear();
  EXPECT_EQ(run_rekey(arguments_, config_, *log_, streams_), ExitCode::kDone);
  EXPECT_EQ(streams_.said, "rules = [\"strip-trailing-slash\"]\nnothing to do: the state has these rules\n");
  open();
}

TEST_F(StateVerbs, RekeyFillsTheFilterOfTheConfig) {
  config_.dedup = {"bloom", 1000, 1e-4};
  open();
  fetch("http://a.test/1", 1);
  add("http://a.test/2/");
  close();
  config_.key.rules = {"strip-trailing-slash"};
  EXPECT_EQ(run_rekey(arguments_, config_, *log_, streams_), ExitCode::kDone);
  open();
  for (const char* known : {"http://a.test/1/", "http://a.test/2"}) add(known);
  EXPECT_EQ(frontier_->stats().queued, 1u);
}

TEST_F(StateVerbs, RekeyAsJson) {
  open();
  close();
  arguments_.json = true;
  config_.key.strip_params = {{"", {"sid"}}};
  EXPECT_EQ(run_rekey(arguments_, config_, *log_, streams_), ExitCode::kDone);
  const auto json = nlohmann::json::parse(streams_.said);
  EXPECT_EQ(json["changed"], true);
  EXPECT_EQ(json["rules_before"], "rules = []\n");
  EXPECT_EQ(json["rules"], "rules = []\nstrip_params = [{ params = [\"sid\"] }]\n");
  EXPECT_EQ(json["queued"], 0);
  EXPECT_EQ(json["queued_merged"], 0);
  EXPECT_EQ(json["queued_already_done"], 0);
  EXPECT_EQ(json["done"], 0);
  EXPECT_EQ(json["done_merged"], 0);
}

TEST_F(StateVerbs, RekeyWithoutAStateOrBesideACrawlIsAStateError) {
  EXPECT_EQ(run_rekey(arguments_, config_, *log_, streams_), ExitCode::kState);
  EXPECT_TRUE(streams_.complained.contains("there is no crawl state")) << streams_.complained;
  open();
  EXPECT_EQ(run_rekey(arguments_, config_, *log_, streams_), ExitCode::kState);
  EXPECT_TRUE(streams_.complained.contains("in use")) << streams_.complained;
}

TEST_F(StateVerbs, ExplainGoesByTheStatesRulesAndNamesTheConflict) {
  config_.key.rules = {"strip-www"};
  open();
  add("http://a.test/x");
  close();
  arguments_.urls = {"http://www.a.test/x"};
  EXPECT_EQ(run_explain(arguments_, config_, streams_), ExitCode::kDone);
  EXPECT_TRUE(streams_.said.starts_with("verdict: queued\n")) << streams_.said;
  EXPECT_TRUE(streams_.said.contains("\nkey: http://a.test/x\nkey rules: strip-www\n")) << streams_.said;
  EXPECT_FALSE(streams_.said.contains("rules of the")) << streams_.said;
  streams_.said.clear();
  config_.key.rules = {"sort-query"};
  EXPECT_EQ(run_explain(arguments_, config_, streams_), ExitCode::kDone);
  EXPECT_TRUE(streams_.said.starts_with("verdict: queued\n")) << streams_.said;
  EXPECT_TRUE(streams_.said.contains(
      "\nrules of the state: rules = [\"strip-www\"]\n"
      "rules of the config: rules = [\"sort-query\"] (refused by a crawl; see weir rekey)\n"))
      << streams_.said;
}

class ParamsVerb : public StateVerbs {
 protected:
  // On a.test sid and ref never matter, p does; on b.test sid matters once.
  void make_state() {
    open();
    for (int i = 0; i < 4; ++i) {
      const std::string number = std::to_string(i);
      fetch("http://a.test/x?sid=" + number, 1);
      fetch("http://a.test/y?p=1&sid=" + number, 2);
      fetch("http://a.test/z?ref=" + number, 3);
      fetch("http://b.test/x?sid=" + number, i == 3 ? 5 : 4);
    }
    fetch("http://a.test/y?p=2&sid=0", 9);
    fetch("http://a.test/x?sid=8", 77, 404);  // no page
    fetch("http://a.test/x?sid=9", 0);        // no content known
    close();
  }
};

TEST_F(ParamsVerb, PrintsWhatCanBePastedIntoAConfiguration) {
  make_state();
  arguments_.pairs_min = 3;
  EXPECT_EQ(run_params(arguments_, config_, *log_, streams_), ExitCode::kDone);
  EXPECT_EQ(streams_.said,
            "# a.test: 'ref' made no difference: 3 pairs agree, 0 disagree, on 1 pages, 4 values\n"
            "#   http://a.test/z?ref=0\n#   http://a.test/z?ref=1\n"
            "# a.test: 'sid' made no difference: 6 pairs agree, 0 disagree, on 2 pages, 4 values\n"
            "#   http://a.test/x?sid=0\n#   http://a.test/x?sid=1\n"
            "[[key.strip_params]]\nhost = \"a.test\"\nparams = [\"ref\", \"sid\"]\n\n");
  ConfigSources sources;
  sources.system_file.clear();
  sources.file = config_.crawl.state + ".toml";
  std::ofstream(sources.file) << streams_.said;
  const auto loaded = load_config(sources);
  std::filesystem::remove(sources.file);
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->config.key.strip_params.at(0).params, (TextList{"ref", "sid"}));
}

TEST_F(ParamsVerb, NeedsEnoughPairsAndNoneAgainst) {
  make_state();
  EXPECT_EQ(run_params(arguments_, config_, *log_, streams_), ExitCode::kDone);  // 5 pairs
  EXPECT_TRUE(streams_.said.contains("params = [\"sid\"]")) << streams_.said;
  EXPECT_FALSE(streams_.said.contains("b.test") || streams_.said.contains("'p'")) << streams_.said;
}

TEST_F(ParamsVerb, JsonHasAnObjectALine) {
  make_state();
  arguments_.json = true;
  EXPECT_EQ(run_params(arguments_, config_, *log_, streams_), ExitCode::kDone);
  const auto json = nlohmann::json::parse(streams_.said);
  EXPECT_EQ(json["host"], "a.test");
  EXPECT_EQ(json["param"], "sid");
  EXPECT_EQ(json["pairs_agreeing"], 6);
  EXPECT_EQ(json["pairs_disagreeing"], 0);
  EXPECT_EQ(json["pages"], 2);
  EXPECT_EQ(json["values"], 4);
  EXPECT_EQ(json["examples"][1], "http://a.test/x?sid=1");
}

TEST_F(ParamsVerb, WithoutAStateIsAStateError) {
  EXPECT_EQ(run_params(arguments_, config_, *log_, streams_), ExitCode::kState);
}

}  // namespace
}  // namespace weir::crawler
