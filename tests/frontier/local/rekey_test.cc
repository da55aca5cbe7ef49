// Rekey: what is merged, what stays, that the new state is sound, and that a crash at any step leaves either
// the old state or the new one.
#include "frontier/local/rekey.h"

#include <filesystem>
#include <fstream>

#include "frontier/local/state_folder.h"
#include "tests/frontier/local/local_world.h"

namespace weir::test {
namespace {

using frontier::CandidateBatch;
using frontier::KeyRules;
using frontier::Lease;
using frontier::Outcome;
using frontier::Priority;
using frontier::Reason;
using frontier::Settlement;
using frontier::local::RekeyReport;
using frontier::local::RekeyStep;
using frontier::local::StateReader;

using Urls = std::vector<std::string>;

KeyRules rules_of(std::vector<std::string> names) { return *KeyRules::compile({std::move(names), {}}); }

class Rekey : public LocalTest {
 protected:
  Rekey() { options.politeness.delay = Duration(0); }

  // A crawl under `rules`, with keys made as a fetcher makes them.
  FrontierWorld crawl(const KeyRules& rules) {
    rules_ = rules;
    options.key_rules = rules.text();
    auto opened = try_open(now_);
    EXPECT_TRUE(opened) << opened.error().message();
    secret_ = (*opened)->secret();
    return FrontierWorld(std::move(*opened));
  }

  dedup::Fingerprint key(std::string_view url) const {
    return dedup::fingerprint(rules_.key(*frontier::parse_url(url)).text(), secret_);
  }

  void add(FrontierWorld& world, std::string_view url, Priority priority = Priority::kNormal) {
    CandidateBatch batch;
    add_link(batch, url, {0, priority, 0});
    batch.items[0].fingerprint = key(url);
    world.add(batch);
  }

  void fetch(FrontierWorld& world, std::string_view url, Reason reason = Reason::kOk,
             std::string redirect = "") {
    add(world, url, Priority::kUrgent);
    for (const Lease& lease : world.lease()) {
      Settlement settlement = answered(lease);
      settlement.page.fingerprint = key(lease.url);
      settlement.page.reason = reason;
      settlement.page.redirect = redirect;
      if (lease.url != url) settlement.outcome = Outcome::kReleased;
      world.settle(settlement);
    }
    world.advance(std::chrono::milliseconds(16));
  }

  Result<RekeyReport> rekey(const KeyRules& rules, std::optional<RekeyStep> crash = std::nullopt) {
    frontier::local::RekeyOptions to;
    to.path = options.path;
    to.after = [crash](RekeyStep step) -> Result<void> {
      if (step == crash) return fail(ErrorCode::kState, "crash");
      return {};
    };
    return frontier::local::rekey(to, rules, std::make_unique<ExactUrlSet>(), *log);
  }

  frontier::local::CheckReport check_under(const KeyRules& rules) {
    auto reader = StateReader::open(options.path, *log);
    EXPECT_TRUE(reader) << reader.error().message();
    EXPECT_TRUE((*reader)->load_filter(std::make_unique<ExactUrlSet>()));
    return *(*reader)->check(rules);
  }

  Urls queued() {
    Urls urls;
    auto reader = StateReader::open(options.path, *log);
    EXPECT_TRUE(reader) << reader.error().message();
    EXPECT_TRUE((*reader)->for_each_queued([&](const auto& url) {
      urls.push_back(url.url);
      return true;
    }));
    std::ranges::sort(urls);
    return urls;
  }

  KeyRules rules_;
  dedup::Secret secret_{};
  Now now_ = FrontierWorld::start();
};

TEST_F(Rekey, WaitingUrlsOfOneKeyLeaveTheFirst) {
  {
    auto world = crawl({});
    add(world, "http://a.test/x");
    add(world, "http://a.test/x/");                   // later
    add(world, "https://a.test/x", Priority::kHigh);  // better class, another host
    add(world, "http://a.test/y/");
    add(world, "http://b.test/z");
  }
  const KeyRules rules = rules_of({"ignore-scheme", "strip-trailing-slash"});
  const auto report = rekey(rules);
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_TRUE(report->changed);
  EXPECT_EQ(report->rules_before, frontier::kNoKeyRules);
  EXPECT_EQ(report->queued, 3U);
  EXPECT_EQ(report->queued_merged, 2U);
  EXPECT_EQ(report->queued_already_done, 0U);
  EXPECT_EQ(queued(), (Urls{"http://a.test/y/", "http://b.test/z", "https://a.test/x"}));
  const auto sound = check_under(rules);
  EXPECT_TRUE(sound.sound()) << describe(sound);
  EXPECT_EQ(sound.keys, 3U);
}

TEST_F(Rekey, OfTwoInOneClassTheEarlierStays) {
  {
    auto world = crawl({});
    add(world, "http://b.test/");  // host 0
    add(world, "https://a.test/x");
    world.advance(std::chrono::seconds(5));
    add(world, "http://b.test/?a&b");
    world.advance(std::chrono::seconds(5));
    add(world, "http://b.test/?b&a");
    add(world, "http://a.test/x");
  }
  ASSERT_TRUE(rekey(rules_of({"ignore-scheme", "sort-query"})));
  EXPECT_EQ(queued(), (Urls{"http://b.test/", "http://b.test/?a&b", "https://a.test/x"}));
}

TEST_F(Rekey, WaitingUrlWhoseKeyIsDoneIsRemoved) {
  {
    auto world = crawl({});
    fetch(world, "http://a.test/x");
    fetch(world, "http://a.test/?a&b");
    fetch(world, "http://a.test/?b&a", Reason::kHttpStatus);
    add(world, "http://a.test/x/");
    add(world, "http://a.test/y");
  }
  const KeyRules rules = rules_of({"sort-query", "strip-trailing-slash"});
  const auto report = rekey(rules);
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(report->queued, 1U);
  EXPECT_EQ(report->queued_already_done, 1U);
  EXPECT_EQ(report->done, 2U);
  EXPECT_EQ(report->done_merged, 1U);
  EXPECT_EQ(queued(), Urls{"http://a.test/y"});
  const auto sound = check_under(rules);
  EXPECT_TRUE(sound.sound()) << describe(sound);
  auto reader = StateReader::open(options.path, *log);
  EXPECT_EQ((*reader)->explain(*frontier::parse_url("http://a.test/?b&a"), rules)->reason, Reason::kOk);
  EXPECT_EQ((*reader)->totals().done, 2U);
  EXPECT_EQ((*reader)->totals().admitted, 3U);
  EXPECT_EQ((*reader)->totals().duplicates, 2U);
}

// Symptom: a site that sends http to https lost every page that still waited.
TEST_F(Rekey, RedirectToAnotherSpellingOfThePageDoesNotCloseIt) {
  {
    auto world = crawl({});
    fetch(world, "http://a.test/x", Reason::kRedirect, "https://a.test/x");
    add(world, "https://a.test/x");
    fetch(world, "http://a.test/y", Reason::kRedirect, "http://a.test/z");
    add(world, "https://a.test/y");
  }
  const KeyRules rules = rules_of({"ignore-scheme"});
  ASSERT_TRUE(rekey(rules));
  EXPECT_EQ(queued(), Urls{"https://a.test/x"});
  EXPECT_TRUE(check_under(rules).sound()) << describe(check_under(rules));
}

TEST_F(Rekey, CrawlGoesOnUnderTheNewRulesAndOnlyThose) {
  {
    auto world = crawl({});
    fetch(world, "http://a.test/1");
    add(world, "http://a.test/2/");
    add(world, "http://a.test/3");
    ASSERT_TRUE(world->checkpoint(world.now()));
    add(world, "http://b.test/4/");
  }
  const KeyRules rules = rules_of({"strip-trailing-slash"});
  ASSERT_TRUE(rekey(rules));
  EXPECT_EQ(try_open().error().code(), ErrorCode::kUsage);
  auto world = crawl(rules);
  add(world, "http://a.test/1/");
  add(world, "http://a.test/2");
  add(world, "http://b.test/4");
  EXPECT_EQ(world->stats().queued, 3U);
  std::vector<std::string> fetched = world.drain([&](const Lease& lease) {
    Settlement settlement = answered(lease);
    settlement.page.fingerprint = key(lease.url);
    return settlement;
  });
  std::ranges::sort(fetched);
  EXPECT_EQ(fetched, (Urls{"http://a.test/2/", "http://a.test/3", "http://b.test/4/"}));
  ASSERT_TRUE(world->close(world.now()));
  EXPECT_TRUE(check_under(rules).sound());
}

TEST_F(Rekey, BackToNoRulesBringsNothingBackAndLosesNothing) {
  const KeyRules rules = rules_of({"strip-trailing-slash"});
  {
    auto world = crawl(rules);
    add(world, "http://a.test/1/");
    add(world, "http://a.test/1");  // a duplicate: dropped for good
    fetch(world, "http://a.test/2/");
  }
  const auto report = rekey({});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->queued, 1U);
  EXPECT_EQ(queued(), Urls{"http://a.test/1/"});
  EXPECT_TRUE(check_under({}).sound());
  auto world = crawl({});
  add(world, "http://a.test/1");
  EXPECT_EQ(world->stats().queued, 2U);
}

TEST_F(Rekey, SameRulesAreNoWorkAndNoStateIsAnError) {
  {
    auto world = crawl({});
  }
  const auto report = rekey({});
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->changed);
  options.path = folder.path() + "/none";
  EXPECT_EQ(rekey({}).error().code(), ErrorCode::kState);
  EXPECT_FALSE(std::filesystem::exists(options.path));
}

TEST_F(Rekey, LockedStateIsRefused) {
  auto world = crawl({});
  const auto refused = rekey(rules_of({"sort-query"}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kState);
  EXPECT_TRUE(refused.error().message().contains("in use"));
}

TEST_F(Rekey, DamagedFirstSnapshotIsStoodInForByTheSecond) {
  {
    auto world = crawl({});
    add(world, "http://a.test/1");
  }
  const KeyRules rules = rules_of({"sort-query"});
  ASSERT_TRUE(rekey(rules));
  std::filesystem::resize_file(frontier::local::snapshot_path(options.path), 10);
  auto world = crawl(rules);
  add(world, "http://a.test/1");
  EXPECT_EQ(world->stats().queued, 1U);
}

// A set that grows by being rebuilt needs every key in it.
TEST_F(Rekey, JournalNamesEveryKeyAndItsNumbersGoOn) {
  std::uint64_t last = 0;
  {
    auto world = crawl({});
    fetch(world, "http://a.test/1");
    add(world, "http://a.test/2");
    ASSERT_TRUE(world->checkpoint(world.now()));
    last = world.add({"http://c.test/"}).commit;
  }
  ASSERT_TRUE(rekey(rules_of({"sort-query"})));
  auto reader = StateReader::open(options.path, *log);
  ASSERT_TRUE(reader);
  std::size_t keys = 0;
  frontier::local::JournalVisitor visitor;
  visitor.fingerprints = [&](const auto& fingerprints) { keys += fingerprints.size(); };
  ASSERT_TRUE(
      (*reader)->for_each_raw(frontier::local::kJournal, [&](std::string_view key, std::string_view value) {
        EXPECT_GT(frontier::local::decode_commit_key(key), last);
        EXPECT_TRUE(frontier::local::decode_journal(value, visitor));
        return Result<void>();
      }));
  EXPECT_EQ(keys, 3U);
  EXPECT_GT(*(*reader)->last_commit(), last);
}

// ---- crashes ----

class RekeyCrash : public Rekey, public ::testing::WithParamInterface<int> {
 protected:
  void make_state() {
    auto world = crawl({});
    fetch(world, "http://a.test/1");
    add(world, "http://a.test/1/");
    add(world, "http://a.test/2/");
    add(world, "http://a.test/2");
    add(world, "http://b.test/3");
    ASSERT_TRUE(world->checkpoint(world.now()));
    add(world, "http://b.test/4");
  }
  static RekeyStep step() { return static_cast<RekeyStep>(GetParam()); }
  static bool decided() { return step() >= RekeyStep::kDecided; }

  const KeyRules to_ = rules_of({"strip-trailing-slash"});
  const Urls before_ = {"http://a.test/1/", "http://a.test/2", "http://a.test/2/", "http://b.test/3",
                        "http://b.test/4"};
  const Urls after_ = {"http://a.test/2/", "http://b.test/3", "http://b.test/4"};
};

TEST_P(RekeyCrash, NextCrawlFindsTheOldStateOrTheNewOne) {
  make_state();
  ASSERT_FALSE(rekey(to_, step()));
  {
    auto world = crawl(decided() ? to_ : KeyRules());
    EXPECT_EQ(world->stats().queued, decided() ? after_.size() : before_.size());
  }
  EXPECT_EQ(queued(), decided() ? after_ : before_);
  const auto sound = check_under(decided() ? to_ : KeyRules());
  EXPECT_TRUE(sound.sound()) << describe(sound);
  EXPECT_FALSE(std::filesystem::exists(options.path + "/rekey.new"));
  EXPECT_FALSE(std::filesystem::exists(options.path + "/rekeyed"));
}

TEST_P(RekeyCrash, NextRekeyFinishesOrBeginsAnew) {
  make_state();
  ASSERT_FALSE(rekey(to_, step()));
  const auto report = rekey(to_);
  ASSERT_TRUE(report) << report.error().message();
  EXPECT_EQ(report->changed, !decided());
  EXPECT_EQ(queued(), after_);
  EXPECT_TRUE(check_under(to_).sound());
  auto world = crawl(to_);
  EXPECT_EQ(world->stats().queued, after_.size());
}

// Another crash while the first one is being repaired.
TEST_P(RekeyCrash, RepairMayCrashToo) {
  make_state();
  ASSERT_FALSE(rekey(to_, RekeyStep::kDecided));
  const auto crash = [](RekeyStep at) -> Result<void> {
    if (at == step()) return fail(ErrorCode::kState, "crash");
    return {};
  };
  const bool reached = step() >= RekeyStep::kOldStoreRemoved;
  EXPECT_EQ(frontier::local::finish_rekey(options.path, crash).has_value(), !reached);
  {
    auto world = crawl(to_);
  }
  EXPECT_EQ(queued(), after_);
  EXPECT_TRUE(check_under(to_).sound());
}

// What stands in the folder between the decision and the last move is no state to read.
TEST_P(RekeyCrash, ReadersSayWhatFinishesIt) {
  make_state();
  ASSERT_FALSE(rekey(to_, step()));
  const bool between = decided() && step() != RekeyStep::kDone;
  auto reader = StateReader::open(options.path, *log);
  ASSERT_EQ(reader.has_value(), !between);
  EXPECT_TRUE(!between || reader.error().message().contains("weir rekey"));
}

INSTANTIATE_TEST_SUITE_P(EachStep, RekeyCrash,
                         ::testing::Range(0, static_cast<int>(frontier::local::kRekeySteps)));

}  // namespace
}  // namespace weir::test
