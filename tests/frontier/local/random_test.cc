// The same random operations for the oracle and the engine, with kills, checkpoints and failed commits in
// between: after each, both must have leased the same URLs and counted the same fates. Prints its seed.
#include <map>
#include <random>
#include <set>

#include "tests/frontier/local/local_world.h"
#include "tests/support/faulty_file_system.h"
#include "tests/support/memory_frontier.h"

namespace weir::test {
namespace {

using frontier::CandidateBatch;
using frontier::Lease;
using frontier::LeaseKind;
using frontier::Outcome;
using frontier::Priority;
using frontier::Reason;
using frontier::RobotsState;
using frontier::Settlement;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Duration kTick =
    milliseconds(16);  // every time is a multiple, so that rounding does not tell them apart
constexpr int kSeeds = 10;
constexpr int kSteps = 300;

class Random : public LocalTest, public ::testing::WithParamInterface<int> {
 protected:
  Random() : random(static_cast<std::uint64_t>(GetParam())) {
    options.politeness.delay = kTick * 20;
    options.politeness.obey_robots = GetParam() % 2 == 0;
    options.politeness.connections_per_host = 1 + static_cast<std::uint32_t>(GetParam() % 3);
    options.retry.backoff = kTick * 64;
    options.retry.backoff_max = kTick * 4096;
    options.retry.robots_retry = kTick * 256;
    options.lease_duration = kTick * 2000;
    options.window_urls_max = 4;
    options.hosts_idle_max = 3;
    options.checkpoint.fingerprints_min = 200;
    options.file_system = disk;
    oracle = std::make_unique<MemoryFrontier>(
        MemoryOptions{options.politeness, options.retry, options.lease_duration});
    now = FrontierWorld::start();
    reopen();
  }

  std::uint64_t pick(std::uint64_t below) { return random() % below; }

  void reopen() {
    engine.reset();
    auto opened = try_open(now);
    ASSERT_TRUE(opened) << opened.error().message();
    engine = std::move(*opened);
  }

  CandidateBatch random_links(std::uint64_t count) {
    constexpr Priority kPriorities[] = {Priority::kUrgent, Priority::kHigh, Priority::kNormal, Priority::kLow};
    CandidateBatch batch;
    batch.parent = "http://h0.test/parent";
    if (pick(2) == 0) batch.tag = "tag";
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::string url = "http://h" + std::to_string(pick(12)) + ".test/" + std::to_string(pick(3000));
      add_link(batch, url, {static_cast<std::uint16_t>(pick(5)), kPriorities[pick(4)], 0});
    }
    return batch;
  }

  Settlement random_settlement(const Lease& lease) {
    constexpr Reason kFailures[] = {Reason::kConnectFailed, Reason::kConnectionBroken, Reason::kDecodeFailed,
                                    Reason::kTotalTimeout};
    if (lease.host_given_up) return settlement_of(lease, Outcome::kFailed, lease.given_up_reason);
    const auto kind = pick(10);
    if (kind == 0) return settlement_of(lease, Outcome::kReleased, Reason::kStopped);
    Settlement settlement = answered(lease);
    if (lease.kind == LeaseKind::kRobots) {
      if (kind == 1) settlement.robots.state = RobotsState::kUnreachable;
      if (kind > 6) settlement = robots_answered(lease, "# " + lease.url);
      if (kind == 9) settlement.robots.crawl_delay = kTick * 40;
      settlement.robots.fresh_for = kTick * static_cast<int>(5000 + pick(5000));
      if (kind == 1) settlement.page.reason = Reason::kConnectFailed;
      return settlement;
    }
    if (kind < 4) {
      settlement.outcome = pick(2) == 0 ? Outcome::kRetry : Outcome::kFailed;
      settlement.page.reason = kFailures[pick(4)];
      return settlement;
    }
    if (pick(20) == 0) settlement.host.hold = kTick * 300;
    if (pick(20) == 0) settlement.host.overloaded = true;
    settlement.links = random_links(pick(6));
    return settlement;
  }

  void turn(std::vector<Settlement> theirs, std::vector<Settlement> ours,
            const std::vector<CandidateBatch>& seeds) {
    if (pick(15) == 0) fail_once(ours, seeds);
    const auto expected = oracle->turn(theirs, seeds, now);
    const auto got = engine->turn(ours, seeds, now);
    ASSERT_TRUE(got) << got.error().message();
    EXPECT_EQ(got->admitted, expected->admitted);
    EXPECT_EQ(got->duplicates, expected->duplicates);
    EXPECT_EQ(got->retried, expected->retried);
    EXPECT_EQ(got->failed, expected->failed);
    EXPECT_EQ(got->stale, expected->stale);
  }

  // The disk is full for one commit. After recover() the same turn must count once. Hosts then wait a delay, as
  // after a restart, so that the oracle is told.
  void fail_once(const std::vector<Settlement>& ours, const std::vector<CandidateBatch>& seeds) {
    disk->set_space(0);
    const auto failed = engine->turn(ours, seeds, now);
    disk->set_space(FaultyFileSystem::kUnlimited);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code(), ErrorCode::kRetry) << failed.error().message();
    std::vector<Lease> none;
    EXPECT_FALSE(engine->lease(1, now, none));
    const auto recovered = engine->recover(now);
    ASSERT_TRUE(recovered) << recovered.error().message();
    oracle->delay_all(now);
  }

  void lease_all() {
    std::vector<Lease> theirs;
    std::vector<Lease> ours;
    ASSERT_TRUE(oracle->lease(1000, now, theirs));
    ASSERT_TRUE(engine->lease(1000, now, ours));
    const auto describe = [](const std::vector<Lease>& leases) {
      std::multiset<std::string> lines;
      for (const auto& lease : leases) {
        lines.insert(lease.url + " " + std::to_string(lease.attempt) + " " + std::to_string(lease.depth) + " " +
                     lease.parent + " " + lease.tag + " " + std::to_string(lease.host_given_up) + " " +
                     (lease.robots ? lease.robots->body : "-"));
      }
      return lines;
    };
    ASSERT_EQ(describe(ours), describe(theirs));
    for (const auto& lease : theirs) out[lease.url].first = lease;
    for (const auto& lease : ours) out[lease.url].second = lease;
  }

  void settle_some() {
    std::vector<Settlement> theirs;
    std::vector<Settlement> ours;
    for (auto it = out.begin(); it != out.end();) {
      if (pick(3) == 0) {
        ++it;
        continue;
      }
      Settlement settlement = random_settlement(it->second.first);
      theirs.push_back(settlement);
      settlement.lease = it->second.second.id;
      ours.push_back(std::move(settlement));
      it = out.erase(it);
    }
    if (!theirs.empty()) turn(theirs, ours, {});
  }

  void compare_stats() {
    const auto expected = oracle->stats();
    const auto got = engine->stats();
    EXPECT_EQ(got.admitted, expected.admitted);
    EXPECT_EQ(got.duplicates, expected.duplicates);
    EXPECT_EQ(got.done, expected.done);
    EXPECT_EQ(got.failed, expected.failed);
    EXPECT_EQ(got.queued, expected.queued);
    EXPECT_EQ(got.leased, expected.leased);
    EXPECT_EQ(got.hosts, expected.hosts);
    EXPECT_EQ(engine->drained(), oracle->drained());
  }

  void advance(Duration by) {
    now.mono += by;
    now.wall += by;
  }

  void step() {
    switch (pick(12)) {
      case 0:
      case 1: turn({}, {}, {random_links(1 + pick(30))}); break;
      case 2:
      case 3:
      case 4: lease_all(); break;
      case 5:
      case 6:
      case 7: settle_some(); break;
      case 8:
      case 9: advance(kTick * static_cast<int>(pick(200))); break;
      case 10:
        if (pick(4) == 0) advance(kTick * 2100);  // past every lease
        break;
      case 11:
        if (pick(3) == 0) {
          ASSERT_TRUE(engine->checkpoint(now));
        } else {
          reopen();
          oracle->restart(now);
          out.clear();
        }
        break;
    }
  }

  std::mt19937_64 random;
  std::shared_ptr<FaultyFileSystem> disk = std::make_shared<FaultyFileSystem>();
  std::unique_ptr<MemoryFrontier> oracle;
  std::unique_ptr<frontier::local::LocalFrontier> engine;
  std::map<std::string, std::pair<Lease, Lease>> out;  // by URL: the oracle's and the engine's
  Now now;
};

TEST_P(Random, EngineDoesWhatTheOracleDoes) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  for (int i = 0; i < kSteps && !HasFailure(); ++i) {
    SCOPED_TRACE("step " + std::to_string(i));
    step();
    compare_stats();
  }
  engine.reset();
  const auto report = check();
  EXPECT_TRUE(report.sound()) << describe(report);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Random, ::testing::Range(1, kSeeds + 1));

}  // namespace
}  // namespace weir::test
