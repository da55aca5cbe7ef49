// Conformance: robots.txt before pages, and hosts that are given up.
// Run over the memory oracle and every engine.
#include "tests/frontier/conformance.h"

namespace weir::test {
namespace {

class RobotsConformance : public Conformance {};

using frontier::Lease;
using frontier::LeaseKind;
using frontier::Outcome;
using frontier::Reason;
using frontier::RobotsState;
using frontier::Settlement;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

TEST_P(RobotsConformance, RobotsComeBeforeAnyPageOfTheHost) {
  options.politeness.obey_robots = true;
  auto world = make();
  world.add({"http://a.test:81/1"});
  const Lease robots = world.lease_one();
  EXPECT_EQ(robots.kind, LeaseKind::kRobots);
  EXPECT_EQ(robots.url, "http://a.test:81/robots.txt");
  world.advance(minutes(1));
  EXPECT_TRUE(world.lease().empty());
  world.settle(robots_answered(robots, "User-agent: *\nDisallow: /x\n"));
  EXPECT_TRUE(world.lease().empty());  // a request like any other: the delay runs
  world.advance(seconds(1) + kTick);
  const Lease page = world.lease_one();
  EXPECT_EQ(page.kind, LeaseKind::kPage);
  ASSERT_NE(page.robots, nullptr);
  EXPECT_EQ(page.robots->body, "User-agent: *\nDisallow: /x\n");
  EXPECT_NE(page.robots->version, 0U);
}

TEST_P(RobotsConformance, HostWithoutRobotsHasEmptyRules) {
  options.politeness.obey_robots = true;
  auto world = make();
  world.add({"http://a.test/1"});
  world.settle(robots_answered(world.lease_one()));
  world.advance(seconds(1) + kTick);
  const Lease page = world.lease_one();
  ASSERT_NE(page.robots, nullptr);
  EXPECT_EQ(page.robots->body, "");
}

TEST_P(RobotsConformance, RobotsOfTwoHostsHaveDifferentVersions) {
  options.politeness.obey_robots = true;
  auto world = make();
  world.add({"http://a.test/1", "http://b.test/1"});
  std::vector<Settlement> settlements;
  for (const auto& lease : world.lease()) settlements.push_back(robots_answered(lease, "# " + lease.url));
  world.settle(settlements);
  world.advance(seconds(1) + kTick);
  const auto pages = world.lease();
  ASSERT_EQ(pages.size(), 2U);
  EXPECT_NE(pages[0].robots->version, pages[1].robots->version);
}

TEST_P(RobotsConformance, StaleRobotsAreFetchedAgain) {
  options.politeness.obey_robots = true;
  auto world = make();
  world.add({"http://a.test/1", "http://a.test/2"});
  Settlement robots = robots_answered(world.lease_one());
  robots.robots.fresh_for = hours(2);
  world.settle(robots);
  world.advance(hours(1));
  const Lease page = world.lease_one();
  EXPECT_EQ(page.kind, LeaseKind::kPage);
  world.settle(answered(page));
  world.advance(hours(1));
  EXPECT_EQ(world.lease_one().kind, LeaseKind::kRobots);
}

TEST_P(RobotsConformance, CrawlDelayIsKept) {
  options.politeness.obey_robots = true;
  auto world = make();
  world.add({"http://a.test/1", "http://a.test/2"});
  Settlement robots = robots_answered(world.lease_one(), "User-agent: *\nCrawl-delay: 30\n");
  robots.robots.crawl_delay = seconds(30);
  world.settle(robots);
  world.advance(seconds(29));
  EXPECT_TRUE(world.lease().empty());
  world.advance(seconds(1) + kTick);
  world.settle(answered(world.lease_one()));
  world.advance(seconds(29));
  EXPECT_TRUE(world.lease().empty());
  world.advance(seconds(1) + kTick);
  EXPECT_EQ(world.lease_one().url, "http://a.test/2");
}

TEST_P(RobotsConformance, UnreachableRobotsHoldTheHostThenGiveItUp) {
  options.politeness.obey_robots = true;
  options.retry.backoff = seconds(16);
  options.retry.host_failures_max = 3;
  auto world = make();
  world.add({"http://a.test/1", "http://a.test/2"});
  for (const Duration wait : {seconds(16), seconds(32)}) {
    Settlement down = settlement_of(world.lease_one(), Outcome::kDone, Reason::kConnectFailed);
    down.robots.state = RobotsState::kUnreachable;
    world.settle(down);
    world.advance(wait - milliseconds(1));
    EXPECT_TRUE(world.lease().empty());
    world.advance(milliseconds(1) + kTick);
  }
  Settlement down = settlement_of(world.lease_one(), Outcome::kDone, Reason::kConnectFailed);
  down.robots.state = RobotsState::kUnreachable;
  world.settle(down);
  const auto given_up = world.lease();
  ASSERT_EQ(given_up.size(), 2U);  // no contact, so that they need not wait for each other
  EXPECT_TRUE(given_up[0].host_given_up);
  EXPECT_EQ(given_up[0].kind, LeaseKind::kPage);
  EXPECT_EQ(given_up[0].given_up_reason, Reason::kRobotsUnreachable);
}

TEST_P(RobotsConformance, RobotsThatFailInAnyWayAreUnreachable) {
  options.politeness.obey_robots = true;
  auto world = make();
  world.add({"http://a.test/1"});
  world.settle(settlement_of(world.lease_one(), Outcome::kRetry, Reason::kTotalTimeout));
  world.advance(minutes(5) + kTick);
  EXPECT_EQ(world.lease_one().kind, LeaseKind::kRobots);
}

TEST_P(RobotsConformance, ReleasedRobotsAreAskedAgain) {
  options.politeness.obey_robots = true;
  auto world = make();
  world.add({"http://a.test/1"});
  world.settle(settlement_of(world.lease_one(), Outcome::kReleased, Reason::kStopped));
  EXPECT_EQ(world.lease_one().kind, LeaseKind::kRobots);
}

TEST_P(RobotsConformance, ExpiredRobotsLeaseIsLeasedAgain) {
  options.politeness.obey_robots = true;
  options.lease_duration = minutes(2);
  auto world = make();
  world.add({"http://a.test/1"});
  world.lease_one();
  world.advance(minutes(2));
  world.lease();
  world.advance(seconds(1) + kTick);
  EXPECT_EQ(world.lease_one().kind, LeaseKind::kRobots);
}

TEST_P(RobotsConformance, UnknownNameGivesTheHostUpAtOnce) {
  options.politeness.obey_robots = true;
  auto world = make();
  world.add({"http://a.test/1"});
  Settlement gone = settlement_of(world.lease_one(), Outcome::kDone, Reason::kDnsNotFound);
  gone.robots.state = RobotsState::kUnreachable;
  world.settle(gone);
  const Lease lease = world.lease_one();
  EXPECT_TRUE(lease.host_given_up);
  EXPECT_EQ(lease.given_up_reason, Reason::kDnsNotFound);
  world.settle(settlement_of(lease, Outcome::kFailed, lease.given_up_reason));
  EXPECT_TRUE(world->drained());
  EXPECT_EQ(world->stats().failed, 1U);
}

TEST_P(RobotsConformance, PagesThatFindNoHostGiveItUpInTheEnd) {
  options.retry.host_failures_max = 2;
  options.retry.backoff = seconds(16);
  auto world = make();
  world.add({"http://a.test/1", "http://a.test/2", "http://a.test/3"});
  world.settle(settlement_of(world.lease_one(), Outcome::kFailed, Reason::kConnectFailed));
  EXPECT_TRUE(world.lease().empty());
  world.advance(seconds(16) + kTick);
  world.settle(settlement_of(world.lease_one(), Outcome::kFailed, Reason::kConnectFailed));
  const Lease lease = world.lease_one();
  EXPECT_TRUE(lease.host_given_up);
  EXPECT_EQ(lease.given_up_reason, Reason::kHostGivenUp);
}

TEST_P(RobotsConformance, AnswerForgivesHostFailures) {
  options.politeness.delay = Duration(0);
  options.retry.host_failures_max = 2;
  options.retry.backoff = seconds(16);
  auto world = make();
  world.add({"http://a.test/1", "http://a.test/2", "http://a.test/3", "http://a.test/4"});
  world.settle(settlement_of(world.lease_one(), Outcome::kFailed, Reason::kConnectFailed));
  world.advance(seconds(16) + kTick);
  world.settle(answered(world.lease_one()));
  world.settle(settlement_of(world.lease_one(), Outcome::kFailed, Reason::kConnectFailed));
  world.advance(seconds(16) + kTick);
  EXPECT_FALSE(world.lease_one().host_given_up);
}

// The sitemaps of a robots.txt: candidates like any other, of the seed whose URL made us ask.
TEST_P(RobotsConformance, RobotsLeaseBelongsToTheSeedThatWaits) {
  options.politeness.obey_robots = true;
  auto world = make();
  frontier::CandidateBatch seeds = links({"http://a.test/1"});
  seeds.tag = "news";
  seeds.depth_limit = 2;
  world.add(seeds);
  const Lease robots = world.lease_one();
  EXPECT_EQ(robots.kind, LeaseKind::kRobots);
  EXPECT_EQ(robots.tag, "news");
  EXPECT_EQ(robots.depth_limit, 2);
}

TEST_P(RobotsConformance, CandidatesOfARobotsSettlementAreAdmittedWithIt) {
  options.politeness.obey_robots = true;
  auto world = make();
  world.add({"http://a.test/1"});
  Settlement robots = robots_answered(world.lease_one(), "Sitemap: http://a.test/s.xml\n");
  robots.links = links({"http://b.test/s.xml", "http://a.test/s.xml"});
  robots.links.tag = "news";
  EXPECT_EQ(world.settle(robots).admitted, 2U);
  EXPECT_EQ(world->stats().queued, 3U);
}

// Asked again a day later, the same sitemaps are nothing new.
TEST_P(RobotsConformance, CandidatesOfTheNextRobotsAreDuplicates) {
  options.politeness.obey_robots = true;
  options.politeness.delay = Duration(0);
  auto world = make();
  world.add({"http://a.test/1", "http://a.test/2"});
  Settlement robots = robots_answered(world.lease_one(), "Sitemap: http://a.test/s.xml\n");
  robots.robots.fresh_for = hours(1);
  robots.links = links({"http://a.test/s.xml"});
  EXPECT_EQ(world.settle(robots).admitted, 1U);
  world.settle(answered(world.lease_one()));
  world.advance(hours(2));
  Settlement again = robots_answered(world.lease_one(), "Sitemap: http://a.test/s.xml\n");
  again.links = links({"http://a.test/s.xml"});
  const auto report = world.settle(again);
  EXPECT_EQ(report.admitted, 0U);
  EXPECT_EQ(report.duplicates, 1U);
}

INSTANTIATE_TEST_SUITE_P(Engines, RobotsConformance, ::testing::Values(Engine::kMemory, Engine::kLocal),
                         engine_name);

}  // namespace
}  // namespace weir::test
