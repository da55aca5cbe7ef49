// What a restart keeps, what it refuses, and what stands in for what is damaged.
#include <filesystem>
#include <fstream>

#include "base/coding.h"
#include "frontier/local/layout.h"
#include "frontier/local/state_folder.h"
#include "tests/frontier/local/local_world.h"

namespace weir::test {
namespace {

using frontier::CandidateBatch;
using frontier::Lease;
using frontier::LeaseKind;
using frontier::Outcome;
using frontier::Reason;
using frontier::RobotsState;
using frontier::Settlement;
using frontier::local::LocalFrontier;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr Duration kTick = milliseconds(16);

class Recovery : public LocalTest {
 protected:
  void overwrite(const std::string& path, std::uint64_t offset, char byte) {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    ASSERT_TRUE(file) << path;
    file.seekp(static_cast<std::streamoff>(offset));
    file.put(byte);
  }
};

TEST_F(Recovery, KillLosesNothingThatATurnReturned) {
  auto world = open();
  world.add({"http://a.test/1", "http://a.test/2", "http://b.test/1"});
  for (const auto& lease : world.lease()) world.settle(answered(lease));
  kill_and_reopen(world);
  EXPECT_EQ(world->stats().admitted, 3U);
  EXPECT_EQ(world->stats().done, 2U);
  EXPECT_EQ(world->stats().queued, 1U);
  EXPECT_EQ(world.add({"http://a.test/1", "http://a.test/2"}).admitted, 0U);
  world.advance(seconds(2));
  EXPECT_EQ(world.lease_one().url, "http://a.test/2");
}

TEST_F(Recovery, OtherKeyRulesAreRefusedWithBothAndTheWayOut) {
  {
    auto world = open();
  }
  {
    auto world = open();
  }  // the same rules
  options.key_rules = "rules = [\"strip-www\"]\n";
  const auto refused = try_open();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kUsage);
  const std::string& message = refused.error().message();
  EXPECT_TRUE(message.contains("the state has:\nrules = []\n")) << message;
  EXPECT_TRUE(message.contains("the configuration has:\nrules = [\"strip-www\"]\n")) << message;
  EXPECT_TRUE(message.contains("weir rekey --state " + options.path + " --config FILE")) << message;
}

TEST_F(Recovery, SitemapsOfRobotsSurviveWithTheirRules) {
  options.politeness.obey_robots = true;
  auto world = open();
  world.add({"http://a.test/1"});
  Settlement robots = robots_answered(world.lease_one(), "Sitemap: http://a.test/s.xml\n");
  add_link(robots.links, "http://a.test/s.xml");
  world.settle(robots);
  kill_and_reopen(world);
  std::vector<Lease> leases;
  for (int i = 0; i < 2; ++i) {
    world.advance(seconds(2));
    leases.push_back(world.lease_one());
    EXPECT_EQ(leases.back().kind, LeaseKind::kPage) << "the rules are kept";
    world.settle(answered(leases.back()));
  }
  EXPECT_EQ(leases[1].url, "http://a.test/s.xml");
  world.subject().reset();
  const auto report = check();
  EXPECT_TRUE(report.sound()) << describe(report);
}

TEST_F(Recovery, LeasedUrlsAreLeasedAgain) {
  auto world = open();
  world.add({"http://a.test/1"});
  world.lease_one();
  kill_and_reopen(world);
  EXPECT_FALSE(world->drained());
  world.advance(seconds(1) + kTick);
  EXPECT_EQ(world.lease_one().url, "http://a.test/1");
}

TEST_F(Recovery, RestartNeverBursts) {
  auto world = open();
  world.add({"http://a.test/1", "http://a.test/2"});
  world.lease_one();  // perhaps on the wire when the process dies
  kill_and_reopen(world);
  EXPECT_TRUE(world.lease().empty());
  world.advance(seconds(1) - milliseconds(1));
  EXPECT_TRUE(world.lease().empty());
  world.advance(milliseconds(1) + kTick);
  EXPECT_EQ(world.lease().size(), 1U);
}

TEST_F(Recovery, HoldSurvivesARestart) {
  auto world = open();
  world.add({"http://a.test/1", "http://a.test/2"});
  Settlement held = answered(world.lease_one());
  held.host.hold = hours(1);
  world.settle(held);
  world.advance(minutes(20));
  kill_and_reopen(world);
  world.advance(minutes(39));
  EXPECT_TRUE(world.lease().empty());
  world.advance(minutes(1) + kTick);
  EXPECT_EQ(world.lease().size(), 1U);
}

TEST_F(Recovery, WallClockThatWentBackHoldsNoLongerThanTheHold) {
  auto world = open();
  world.add({"http://a.test/1", "http://a.test/2"});
  Settlement held = answered(world.lease_one());
  held.host.hold = minutes(10);
  world.settle(held);
  world.subject().reset();
  Now back = world.now();
  back.wall -= hours(24 * 365);
  auto reopened = try_open(back);
  ASSERT_TRUE(reopened);
  std::vector<Lease> out;
  back.mono += minutes(10) + kTick;
  ASSERT_TRUE((*reopened)->lease(10, back, out));
  EXPECT_EQ(out.size(), 1U);
}

TEST_F(Recovery, RobotsAndCrawlDelaySurvive) {
  options.politeness.obey_robots = true;
  auto world = open();
  world.add({"http://a.test/1"});
  Settlement robots = robots_answered(world.lease_one(), "User-agent: *\nDisallow: /x\n");
  robots.robots.crawl_delay = seconds(30);
  world.settle(robots);
  kill_and_reopen(world);
  world.advance(seconds(29));
  EXPECT_TRUE(world.lease().empty());
  world.advance(seconds(1) + kTick);
  const Lease page = world.lease_one();
  EXPECT_EQ(page.kind, LeaseKind::kPage);
  EXPECT_EQ(page.robots->body, "User-agent: *\nDisallow: /x\n");
  EXPECT_NE(page.robots->version, 0U);
}

TEST_F(Recovery, GivenUpHostStaysGivenUp) {
  auto world = open();
  world.add({"http://a.test/1", "http://a.test/2"});
  world.settle(settlement_of(world.lease_one(), Outcome::kFailed, Reason::kDnsNotFound));
  kill_and_reopen(world);
  const Lease lease = world.lease_one();
  EXPECT_TRUE(lease.host_given_up);
  EXPECT_EQ(lease.given_up_reason, Reason::kDnsNotFound);
}

TEST_F(Recovery, RetryKeepsItsAttemptAndItsBackoff) {
  options.retry.backoff = minutes(1);
  auto world = open();
  world.add({"http://a.test/1"});
  world.settle(settlement_of(world.lease_one(), Outcome::kRetry, Reason::kConnectionBroken));
  kill_and_reopen(world);
  world.advance(seconds(59));
  EXPECT_TRUE(world.lease().empty());
  world.advance(seconds(1) + kTick);
  EXPECT_EQ(world.lease_one().attempt, 1);
}

TEST_F(Recovery, SecretStaysTheSame) {
  auto first = try_open();
  ASSERT_TRUE(first);
  const dedup::Secret secret = (*first)->secret();
  first->reset();
  EXPECT_EQ((*try_open())->secret(), secret);
}

TEST_F(Recovery, StateOfTwoFoldersHasTwoSecrets) {
  const dedup::Secret secret = (*try_open())->secret();
  options.path += "2";
  EXPECT_NE((*try_open())->secret(), secret);
}

TEST_F(Recovery, SecondOpenIsRefusedNamingTheHolder) {
  const auto first = try_open();
  ASSERT_TRUE(first);
  const auto second = try_open();
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), ErrorCode::kState);
  EXPECT_NE(second.error().message().find("process " + std::to_string(::getpid())), std::string::npos)
      << second.error().message();
}

TEST_F(Recovery, ClosedFrontierIsRefusedPolitely) {
  auto world = open();
  ASSERT_TRUE(world->close(world.now()));
  EXPECT_EQ(world->turn({}, {}, world.now()).error().code(), ErrorCode::kState);
  std::vector<Lease> out;
  EXPECT_FALSE(world->lease(1, world.now(), out));
}

TEST_F(Recovery, CleanCloseLeavesNothingToReplay) {
  auto world = open();
  world.add({"http://a.test/1"});
  ASSERT_TRUE(world->close(world.now()));
  EXPECT_TRUE(check().sound());
  kill_and_reopen(world);
  EXPECT_EQ(world->stats().queued, 1U);
  EXPECT_EQ(world.add({"http://a.test/1"}).admitted, 0U);
}

TEST_F(Recovery, OtherFormatIsRefusedWithTheWayOut) {
  try_open()->reset();
  StoreOptions store;
  store.path = frontier::local::store_path(options.path);
  store.families = frontier::local::families();
  for (const auto name : {frontier::local::kMetaFormat, frontier::local::kMetaKeys}) {
    std::string ninety_nine;
    put_u32(ninety_nine, 99);
    std::string saved;
    {
      auto raw = Store::open(store, StoreAccess::kReadWrite, *log);
      ASSERT_TRUE(raw);
      saved = (*raw)->get(frontier::local::kMeta, name)->value();
      StoreBatch batch = (*raw)->batch();
      batch.put(frontier::local::kMeta, name, ninety_nine);
      ASSERT_TRUE((*raw)->write(batch, true));
    }
    const auto refused = try_open();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code(), ErrorCode::kState);
    EXPECT_NE(refused.error().message().find("99"), std::string::npos) << refused.error().message();
    auto raw = Store::open(store, StoreAccess::kReadWrite, *log);
    StoreBatch batch = (*raw)->batch();
    batch.put(frontier::local::kMeta, name, saved);
    ASSERT_TRUE((*raw)->write(batch, true));
  }
  EXPECT_TRUE(try_open());
}

// Three checkpoints, so that the journal has been trimmed; then URLs that only the journal knows.
class DamagedSnapshot : public Recovery {
 protected:
  void SetUp() override {
    auto world = open();
    for (int round = 0; round < 3; ++round) {
      CandidateBatch batch;
      for (int i = 0; i < 10; ++i) add_link(batch, "http://a.test/" + std::to_string(round * 10 + i));
      world.add(batch);
      if (round < 2) {
        ASSERT_TRUE(world->checkpoint(world.now()));
      }
    }
    ASSERT_TRUE(world->checkpoint(world.now()));
    world.add({"http://a.test/last"});
  }

  // All 31 known, none new.
  void expect_whole() {
    auto world = open();
    CandidateBatch batch = links({"http://a.test/last"});
    for (int i = 0; i < 30; ++i) add_link(batch, "http://a.test/" + std::to_string(i));
    EXPECT_EQ(world.add(batch).admitted, 0U);
    EXPECT_EQ(world->stats().queued, 31U);
    ASSERT_TRUE(world->close(world.now()));
  }

  std::string present() const { return frontier::local::snapshot_path(options.path); }
  std::string previous() const { return frontier::local::previous_snapshot_path(options.path); }
};

TEST_F(DamagedSnapshot, UntouchedOneRestoresEverything) { expect_whole(); }

TEST_F(DamagedSnapshot, PreviousOneAndALongerJournalStandIn) {
  overwrite(present(), 3, 'x');
  expect_whole();
  EXPECT_TRUE(check().sound());
}

TEST_F(DamagedSnapshot, MissingOneIsReplacedLikewise) {
  std::filesystem::remove(present());
  expect_whole();
  expect_whole();
}

TEST_F(DamagedSnapshot, TornOneIsReplacedLikewise) {
  std::filesystem::resize_file(present(), std::filesystem::file_size(present()) / 2);
  expect_whole();
}

TEST_F(DamagedSnapshot, DamagedOneNeverPushesOutTheGoodOne) {
  overwrite(present(), 3, 'x');
  expect_whole();  // close() wrote a new one; the damaged one must not have become the previous
  overwrite(present(), 3, 'x');
  expect_whole();
}

TEST_F(DamagedSnapshot, BothDamagedIsRefusedNotSilentlyEmpty) {
  overwrite(present(), 3, 'x');
  overwrite(previous(), 3, 'x');
  const auto refused = try_open();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kState);
  EXPECT_NE(refused.error().message().find("filter"), std::string::npos) << refused.error().message();
}

TEST_F(Recovery, DamagedFirstSnapshotIsRebuiltFromTheWholeJournal) {
  {
    auto world = open();
    world.add({"http://a.test/1", "http://a.test/2"});
  }
  overwrite(frontier::local::snapshot_path(options.path), 3, 'x');
  auto world = open();
  EXPECT_EQ(world.add({"http://a.test/1", "http://a.test/2", "http://a.test/3"}).admitted, 1U);
}

TEST_F(Recovery, ManyIdleHostsLeaveMemoryAndComeBack) {
  options.hosts_idle_max = 10;
  options.politeness.delay = milliseconds(16);
  auto world = open();
  CandidateBatch batch;
  for (int i = 0; i < 200; ++i) add_link(batch, "http://h" + std::to_string(i) + ".test/1");
  world.add(batch);
  world.drain();
  for (int i = 0; i < 5; ++i) {
    world.advance(seconds(1));
    const std::string url = "http://x.test/" + std::to_string(i);
    world.add({std::string_view(url)});
  }
  EXPECT_LT(world->stats().hosts_active, 20U);
  EXPECT_EQ(world->stats().hosts, 201U);
  world.add({"http://h7.test/1", "http://h7.test/2"});
  EXPECT_EQ(world->stats().hosts, 201U);
  kill_and_reopen(world);
  world.advance(seconds(1));
  EXPECT_EQ(world.lease().size(), 2U);
  world.subject().reset();
  const auto report = check();
  EXPECT_TRUE(report.sound()) << describe(report);
}

TEST_F(Recovery, LongQueuesAreReadBackInOrderThroughSmallWindows) {
  options.window_urls_max = 4;
  options.politeness.delay = Duration(0);
  auto world = open();
  std::vector<std::string> expected;
  CandidateBatch batch;
  for (int i = 0; i < 500; ++i) {
    expected.push_back("http://a.test/" + std::to_string(i));
    add_link(batch, expected.back());
  }
  world.add(batch);
  std::vector<std::string> got;
  for (int i = 0; i < 500; ++i) {
    if (i % 100 == 50) kill_and_reopen(world);
    const Lease lease = world.lease_one();
    got.push_back(lease.url);
    world.settle(answered(lease));
  }
  EXPECT_EQ(got, expected);
  EXPECT_TRUE(world->drained());
}

TEST_F(Recovery, WindowsKeepToTheByteBudget) {
  options.window_bytes = 64 << 10;
  options.politeness.delay = Duration(0);
  auto world = open();
  for (int round = 0; round < 20; ++round) {
    CandidateBatch batch;
    for (int i = 0; i < 500; ++i) {
      add_link(batch,
               "http://h" + std::to_string(i) + ".test/" + std::to_string(round) + std::string(100, 'x'));
    }
    world.add(batch);
  }
  EXPECT_LT(world->stats().window_bytes, 200U << 10);
  EXPECT_EQ(world.drain().size(), 10'000U);
}

}  // namespace
}  // namespace weir::test
