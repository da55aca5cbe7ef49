// Conformance: when a host may be asked, and when a URL is tried again.
// Run over the memory oracle and every engine.
#include "tests/frontier/conformance.h"

namespace weir::test {
namespace {

class DelayConformance : public Conformance {};

using frontier::CandidateBatch;
using frontier::Lease;
using frontier::Outcome;
using frontier::Reason;
using frontier::Settlement;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

TEST_P(DelayConformance, OneLeaseOfAHostAtATime) {
  auto world = make();
  world.add({"http://a.test/1", "http://a.test/2", "http://b.test/1"});
  EXPECT_EQ(urls_of(world.lease()), (Urls{"http://a.test/1", "http://b.test/1"}));
  world.advance(minutes(1));
  EXPECT_TRUE(world.lease().empty());
}

TEST_P(DelayConformance, ConnectionsPerHostAllowsSoManyLeases) {
  options.politeness.connections_per_host = 3;
  auto world = make();
  world.add({"http://a.test/1", "http://a.test/2", "http://a.test/3", "http://a.test/4"});
  EXPECT_EQ(urls_of(world.lease()), (Urls{"http://a.test/1", "http://a.test/2", "http://a.test/3"}));
}

TEST_P(DelayConformance, DelayRunsFromTheEndOfTheFetch) {
  options.politeness.delay = seconds(1);
  auto world = make();
  world.add({"http://a.test/1", "http://a.test/2"});
  const Lease lease = world.lease_one();
  world.advance(seconds(5));
  world.settle(answered(lease));
  EXPECT_TRUE(world.lease().empty());
  world.advance(milliseconds(999));
  EXPECT_TRUE(world.lease().empty());
  world.advance(milliseconds(1) + kTick);
  EXPECT_EQ(world.lease_one().url, "http://a.test/2");
}

TEST_P(DelayConformance, NextDueLeadsToTheNextLease) {
  auto world = make();
  world.add({"http://a.test/1", "http://a.test/2"});
  world.settle(answered(world.lease_one()));
  for (int i = 0; i < 3; ++i) {
    const auto due = world->next_due(world.now());
    ASSERT_TRUE(due);
    world.advance(*due - world.now().mono);
    if (!world.lease().empty()) return;
  }
  FAIL() << "three times due, and no lease";
}

TEST_P(DelayConformance, UncontactedHostNeedsNoDelay) {
  auto world = make();
  world.add({"http://a.test/1", "http://a.test/2"});
  world.settle(settlement_of(world.lease_one(), Outcome::kFailed, Reason::kUnsupportedScheme));
  EXPECT_EQ(world.lease_one().url, "http://a.test/2");
}

TEST_P(DelayConformance, AdaptiveDelayFollowsTheFetchTime) {
  options.politeness.delay = milliseconds(160);
  options.politeness.adaptive_factor = 10;
  auto world = make();
  world.add({"http://a.test/1", "http://a.test/2"});
  Settlement slow = answered(world.lease_one());
  slow.host.fetch_time = seconds(2);
  world.settle(slow);
  world.advance(seconds(19));
  EXPECT_TRUE(world.lease().empty());
  world.advance(seconds(1) + kTick);
  EXPECT_EQ(world.lease().size(), 1U);
}

TEST_P(DelayConformance, HoldKeepsTheHostBack) {
  auto world = make();
  world.add({"http://a.test/1", "http://a.test/2", "http://b.test/1", "http://b.test/2"});
  std::vector<Settlement> settlements;
  for (const auto& lease : world.lease()) {
    settlements.push_back(answered(lease));
    if (lease.url.starts_with("http://a")) settlements.back().host.hold = hours(1);
  }
  world.settle(settlements);
  world.advance(minutes(59));
  EXPECT_EQ(world.lease_one().url, "http://b.test/2");
  world.advance(minutes(1) + kTick);
  EXPECT_EQ(urls_of(world.lease()), (Urls{"http://a.test/2"}));
}

TEST_P(DelayConformance, HoldIsCapped) {
  options.politeness.hold_max = minutes(1);
  auto world = make();
  world.add({"http://a.test/1", "http://a.test/2"});
  Settlement held = answered(world.lease_one());
  held.host.hold = hours(1000);
  world.settle(held);
  world.advance(minutes(1) + kTick);
  EXPECT_EQ(world.lease().size(), 1U);
}

TEST_P(DelayConformance, OverloadWithoutRetryAfterBacksOffDoubling) {
  options.retry.backoff = seconds(10);
  auto world = make();
  world.add({"http://a.test/1", "http://a.test/2", "http://a.test/3", "http://a.test/4"});
  for (const Duration wait : {seconds(10), seconds(20)}) {
    Settlement busy = answered(world.lease_one());
    busy.host.overloaded = true;
    world.settle(busy);
    world.advance(wait - milliseconds(1));
    EXPECT_TRUE(world.lease().empty());
    world.advance(milliseconds(1) + kTick);
  }
  world.settle(answered(world.lease_one()));  // an answer forgives
  world.advance(seconds(1) + kTick);
  Settlement busy = answered(world.lease_one());
  busy.host.overloaded = true;
  world.settle(busy);
  world.add({"http://a.test/5"});
  world.advance(seconds(10) + kTick);
  EXPECT_EQ(world.lease().size(), 1U);
}

TEST_P(DelayConformance, RetryWaitsItsBackoffAndCountsTheAttempt) {
  options.retry.backoff = seconds(10);
  auto world = make();
  world.add({"http://a.test/1"});
  EXPECT_EQ(world.settle(settlement_of(world.lease_one(), Outcome::kRetry, Reason::kConnectionBroken)).retried,
            1U);
  EXPECT_FALSE(world->drained());
  world.advance(seconds(10) - milliseconds(1));
  EXPECT_TRUE(world.lease().empty());
  world.advance(milliseconds(1) + kTick);
  const Lease again = world.lease_one();
  EXPECT_EQ(again.url, "http://a.test/1");
  EXPECT_EQ(again.attempt, 1);
}

TEST_P(DelayConformance, AttemptsEndInFailure) {
  options.retry.attempts_max = 3;
  options.retry.host_failures_max = 100;
  auto world = make();
  world.add({"http://a.test/1"});
  unsigned tries = 0;
  world.drain([&](const Lease& lease) {
    EXPECT_EQ(lease.attempt, tries++);
    return settlement_of(lease, Outcome::kRetry, Reason::kConnectionBroken);
  });
  EXPECT_EQ(tries, 3U);
  EXPECT_EQ(world->stats().failed, 1U);
  EXPECT_EQ(world->stats().done, 0U);
}

TEST_P(DelayConformance, FreshUrlDoesNotWaitForARetry) {
  options.politeness.delay = Duration(0);
  options.retry.backoff = seconds(10);
  auto world = make();
  world.add({"http://a.test/1"});
  world.settle(settlement_of(world.lease_one(), Outcome::kRetry, Reason::kConnectionBroken));
  EXPECT_TRUE(world.lease().empty());
  world.add({"http://a.test/2"});
  EXPECT_EQ(world.lease_one().url, "http://a.test/2");
}

TEST_P(DelayConformance, HostsOnOneAddressKeepTheGapBetweenStarts) {
  options.politeness.delay = milliseconds(160);
  options.politeness.per_ip_delay = milliseconds(320);
  auto world = make();
  CandidateBatch batch;
  for (int host = 0; host < 5; ++host) {
    for (int page = 0; page < 4; ++page) {
      add_link(batch, "http://h" + std::to_string(host) + ".test/" + std::to_string(page));
    }
  }
  world.add(batch);
  std::vector<MonoTime> starts;
  bool known = false;
  world.drain([&](const Lease& lease) {
    if (known) starts.push_back(world.now().mono);
    if (lease.url.ends_with("/0")) known = lease.url.starts_with("http://h4") || known;
    Settlement settlement = answered(lease);
    settlement.host.ip.known = true;
    settlement.host.ip.bytes[15] = 1;
    return settlement;
  });
  std::ranges::sort(starts);
  Duration smallest = hours(1);
  for (std::size_t i = 6; i < starts.size(); ++i) smallest = std::min(smallest, starts[i] - starts[i - 1]);
  EXPECT_GE(smallest, milliseconds(320));
}

INSTANTIATE_TEST_SUITE_P(Engines, DelayConformance, ::testing::Values(Engine::kMemory, Engine::kLocal),
                         engine_name);

}  // namespace
}  // namespace weir::test
