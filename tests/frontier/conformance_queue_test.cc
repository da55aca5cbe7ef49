// Conformance: queues, order, leases and their ends.
// Run over the memory oracle and every engine.
#include "tests/frontier/conformance.h"

namespace weir::test {
namespace {

class QueueConformance : public Conformance {};

using frontier::CandidateBatch;
using frontier::Lease;
using frontier::Outcome;
using frontier::Priority;
using frontier::Reason;
using frontier::Settlement;
using std::chrono::minutes;
using std::chrono::seconds;

TEST_P(QueueConformance, EmptyFrontierIsDrainedAndHasNothingDue) {
  auto world = make();
  EXPECT_TRUE(world->drained());
  EXPECT_TRUE(world.lease().empty());
  EXPECT_EQ(world->next_due(world.now()), std::nullopt);
}

TEST_P(QueueConformance, NewUrlIsQueuedOnceAndLeasedOnce) {
  auto world = make();
  const auto first = world.add({"http://a.test/1", "http://a.test/1"});
  EXPECT_EQ(first.admitted, 1U);
  EXPECT_EQ(first.duplicates, 1U);
  EXPECT_EQ(world.add({"http://a.test/1"}).duplicates, 1U);
  EXPECT_EQ(world.lease_one().url, "http://a.test/1");
  EXPECT_TRUE(world.lease().empty());
  EXPECT_FALSE(world->drained());
}

// Symptom: under ignore-scheme a site that sends http to https was never fetched.
TEST_P(QueueConformance, RedirectToAnotherSpellingOfThePageIsAdmittedThoughItsKeyWasMet) {
  auto world = make();
  world.add({"http://a.test/1"});
  Settlement redirect = answered(world.lease_one());
  redirect.page.reason = Reason::kRedirect;
  redirect.links = links({"https://a.test/1", "https://a.test/1"});
  for (auto& candidate : redirect.links.items) candidate.fingerprint = redirect.page.fingerprint;
  redirect.links.items[0].same_page = true;
  const auto report = world.settle(redirect);
  EXPECT_EQ(report.admitted, 1U);
  EXPECT_EQ(report.duplicates, 1U);
  EXPECT_EQ(world.drain(), Urls{"https://a.test/1"});
}

TEST_P(QueueConformance, TurnWithNothingToDoMakesNoCommit) {
  auto world = make();
  const auto before = world.add({"http://a.test/1"}).commit;
  EXPECT_EQ(world->turn({}, {}, world.now())->commit, before);
  EXPECT_EQ(world.add({"http://a.test/2"}).commit, before + 1);
}

TEST_P(QueueConformance, LeaseCarriesWhatTheCandidateWas) {
  auto world = make();
  CandidateBatch batch;
  batch.parent = "http://b.test/from?x";
  batch.tag = "news";
  batch.depth_limit = 7;
  add_link(batch, "https://a.test:8443/p?q=1", {3, Priority::kHigh, 2, 3});
  world.add(batch);
  const Lease lease = world.lease_one();
  EXPECT_EQ(lease.url, "https://a.test:8443/p?q=1");
  EXPECT_EQ(lease.url.substr(0, lease.origin_length), "https://a.test:8443");
  EXPECT_EQ(lease.depth, 3);
  EXPECT_EQ(lease.depth_limit, 7);
  EXPECT_EQ(lease.redirect_hops, 2);
  EXPECT_EQ(lease.off_scope_hops, 3);
  EXPECT_EQ(lease.attempt, 0);
  EXPECT_EQ(lease.parent, "http://b.test/from?x");
  EXPECT_EQ(lease.tag, "news");
  EXPECT_FALSE(lease.host_given_up);
  EXPECT_EQ(lease.robots, nullptr);
}

TEST_P(QueueConformance, ParentOnTheSameHostComesBackWhole) {
  auto world = make();
  CandidateBatch batch = links({"http://a.test/child"});
  batch.parent = "http://a.test/parent";
  world.add(batch);
  CandidateBatch lookalike = links({"http://b.test/child"});
  lookalike.parent = "http://b.test.evil.test/parent";
  world.add(lookalike);
  auto leases = world.lease();
  ASSERT_EQ(leases.size(), 2U);
  std::ranges::sort(leases, {}, &Lease::url);
  EXPECT_EQ(leases[0].parent, "http://a.test/parent");
  EXPECT_EQ(leases[1].parent, "http://b.test.evil.test/parent");
}

TEST_P(QueueConformance, UrlsOfOneHostGoOutInOrderOfArrival) {
  options.politeness.delay = Duration(0);
  auto world = make();
  Urls expected;
  CandidateBatch batch;
  for (int i = 0; i < 200; ++i) {
    expected.push_back("http://a.test/" + std::to_string(i));
    add_link(batch, expected.back());
  }
  world.add(batch);
  EXPECT_EQ(world.drain(), expected);
}

TEST_P(QueueConformance, HigherClassesGoFirst) {
  options.politeness.delay = Duration(0);
  auto world = make();
  CandidateBatch batch;
  add_link(batch, "http://a.test/low", {0, Priority::kLow, 0});
  add_link(batch, "http://a.test/normal", {0, Priority::kNormal, 0});
  add_link(batch, "http://a.test/urgent", {0, Priority::kUrgent, 0});
  add_link(batch, "http://a.test/high", {0, Priority::kHigh, 0});
  world.add(batch);
  EXPECT_EQ(world.drain(),
            (Urls{"http://a.test/urgent", "http://a.test/high", "http://a.test/normal", "http://a.test/low"}));
}

TEST_P(QueueConformance, LateUrgentUrlOvertakes) {
  options.politeness.delay = Duration(0);
  auto world = make();
  world.add({"http://a.test/1", "http://a.test/2"});
  const Lease first = world.lease_one();
  CandidateBatch batch;
  add_link(batch, "http://a.test/now", {0, Priority::kUrgent, 0});
  world.add(batch);
  world.settle(answered(first));
  EXPECT_EQ(world.drain(), (Urls{"http://a.test/now", "http://a.test/2"}));
}

TEST_P(QueueConformance, PortsAndSchemesAreHostsOfTheirOwn) {
  auto world = make();
  world.add({"http://a.test/1", "http://a.test:81/1", "https://a.test/1"});
  EXPECT_EQ(world.lease().size(), 3U);
  EXPECT_EQ(world->stats().hosts, 3U);
}

TEST_P(QueueConformance, LimitIsKeptAndTheRestStaysDue) {
  auto world = make();
  world.add({"http://a.test/1", "http://b.test/1", "http://c.test/1"});
  EXPECT_EQ(world.lease(2).size(), 2U);
  EXPECT_EQ(world->next_due(world.now()), world.now().mono);
  EXPECT_EQ(world.lease(2).size(), 1U);
}

TEST_P(QueueConformance, ReleasedUrlGoesBackToTheHead) {
  options.politeness.delay = Duration(0);
  auto world = make();
  world.add({"http://a.test/1", "http://a.test/2"});
  world.settle(settlement_of(world.lease_one(), Outcome::kReleased, Reason::kStopped));
  EXPECT_EQ(world.drain(), (Urls{"http://a.test/1", "http://a.test/2"}));
  EXPECT_EQ(world->stats().done, 2U);
}

TEST_P(QueueConformance, ReleasesOutOfOrderKeepTheOrder) {
  options.politeness.delay = Duration(0);
  options.politeness.connections_per_host = 3;
  auto world = make();
  world.add({"http://a.test/1", "http://a.test/2", "http://a.test/3", "http://a.test/4"});
  auto leases = world.lease();
  ASSERT_EQ(leases.size(), 3U);
  std::ranges::sort(leases, std::ranges::greater{}, &Lease::url);
  for (const auto& lease : leases) {
    world.settle(settlement_of(lease, Outcome::kReleased, Reason::kStopped));
  }
  EXPECT_EQ(world.lease(1).at(0).url, "http://a.test/1");
  EXPECT_EQ(world.lease(1).at(0).url, "http://a.test/2");
}

TEST_P(QueueConformance, ExpiredLeaseIsLeasedAgain) {
  options.lease_duration = minutes(2);
  auto world = make();
  world.add({"http://a.test/1", "http://a.test/2"});
  const Lease lost = world.lease_one();
  EXPECT_EQ(lost.expires, world.now().mono + minutes(2));
  world.advance(minutes(2));
  EXPECT_TRUE(world.lease().empty());  // the delay: whoever had it may be talking to the host
  world.advance(seconds(1) + kTick);
  const Lease again = world.lease_one();
  EXPECT_EQ(again.url, "http://a.test/1");
  EXPECT_NE(again.id, lost.id);
  EXPECT_EQ(again.attempt, 0);
}

TEST_P(QueueConformance, LateSettlementOfAWaitingUrlClosesIt) {
  options.lease_duration = minutes(2);
  auto world = make();
  world.add({"http://a.test/1"});
  const Lease late = world.lease_one();
  world.advance(minutes(2));
  EXPECT_TRUE(world.lease().empty());
  EXPECT_EQ(world.settle(answered(late)).stale, 1U);
  EXPECT_TRUE(world->drained());
  EXPECT_EQ(world->stats().done, 1U);
}

TEST_P(QueueConformance, LateSettlementOfAReleasedUrlIsOnlyCounted) {
  options.lease_duration = minutes(2);
  auto world = make();
  world.add({"http://a.test/1"});
  const Lease late = world.lease_one();
  world.advance(minutes(2));
  world.lease();
  world.advance(seconds(1) + kTick);
  const Lease again = world.lease_one();
  EXPECT_EQ(world.settle(answered(late)).stale, 1U);
  EXPECT_FALSE(world->drained());
  EXPECT_EQ(world.settle(answered(again)).stale, 0U);
  EXPECT_TRUE(world->drained());
  EXPECT_EQ(world->stats().done, 1U);
}

TEST_P(QueueConformance, LinksOfALateSettlementAreAdmitted) {
  options.lease_duration = minutes(2);
  auto world = make();
  world.add({"http://a.test/1"});
  Settlement late = answered(world.lease_one());
  late.links = links({"http://b.test/1"});
  world.advance(minutes(3));
  EXPECT_EQ(world.settle(late).admitted, 1U);
}

TEST_P(QueueConformance, SecondSettlementOfALeaseIsStale) {
  auto world = make();
  world.add({"http://a.test/1"});
  const Lease lease = world.lease_one();
  EXPECT_EQ(world.settle({answered(lease), answered(lease)}).stale, 1U);
  EXPECT_EQ(world.settle(answered(lease)).stale, 1U);
  EXPECT_EQ(world->stats().done, 1U);
  EXPECT_TRUE(world->drained());
}

TEST_P(QueueConformance, LinksAreAdmittedWithThePageThatLedToThem) {
  auto world = make();
  world.add({"http://a.test/"});
  Settlement page = answered(world.lease_one());
  page.links = links({"http://a.test/", "http://a.test/x", "http://b.test/", "http://b.test/"});
  page.links.parent = "http://a.test/";
  const auto report = world.settle(page);
  EXPECT_EQ(report.admitted, 2U);
  EXPECT_EQ(report.duplicates, 2U);
  EXPECT_EQ(world.drain().size(), 2U);
}

TEST_P(QueueConformance, InjectedCandidatesWinOverLinks) {
  auto world = make();
  world.add({"http://a.test/"});
  Settlement page = answered(world.lease_one());
  page.links = links({"http://b.test/"});
  page.links.tag = "link";
  CandidateBatch seed = links({"http://b.test/"});
  seed.tag = "seed";
  ASSERT_TRUE(world->turn({&page, 1}, {&seed, 1}, world.now()));
  EXPECT_EQ(world.lease_one().tag, "seed");
}

TEST_P(QueueConformance, StatsCountEveryFate) {
  options.politeness.delay = Duration(0);
  auto world = make();
  world.add({"http://a.test/1", "http://a.test/2", "http://a.test/3", "http://a.test/1"});
  world.settle(answered(world.lease_one()));
  world.settle(settlement_of(world.lease_one(), Outcome::kFailed, Reason::kDecodeFailed));
  const auto stats = world->stats();
  EXPECT_EQ(stats.admitted, 3U);
  EXPECT_EQ(stats.duplicates, 1U);
  EXPECT_EQ(stats.done, 1U);
  EXPECT_EQ(stats.failed, 1U);
  EXPECT_EQ(stats.queued, 1U);
  EXPECT_EQ(stats.leased, 0U);
  world.lease_one();
  EXPECT_EQ(world->stats().queued, 0U);
  EXPECT_EQ(world->stats().leased, 1U);
}

INSTANTIATE_TEST_SUITE_P(Engines, QueueConformance, ::testing::Values(Engine::kMemory, Engine::kLocal),
                         engine_name);

}  // namespace
}  // namespace weir::test
