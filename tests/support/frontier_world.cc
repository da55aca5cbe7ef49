// The clock starts at an odd moment, so that nothing relies on zero.
#include "tests/support/frontier_world.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace weir::test {

using frontier::CandidateBatch;
using frontier::Lease;
using frontier::LeaseKind;
using frontier::Outcome;
using frontier::Settlement;
using frontier::TurnReport;

namespace {

constexpr int kRoundsMax = 100'000;  // of drain: a frontier that never ends is a failure, not a hang

}  // namespace

ScratchFolder::ScratchFolder() {
  std::string pattern = ::testing::TempDir() + "weir-XXXXXX";
  EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
  path_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

dedup::Fingerprint fingerprint_of(std::string_view url) { return dedup::fingerprint(url, dedup::Secret{}); }

void add_link(CandidateBatch& batch, std::string_view url, const LinkOptions& options) {
  frontier::Candidate candidate;
  candidate.fingerprint = fingerprint_of(url);
  candidate.origin_length = static_cast<std::uint32_t>(url.find('/', url.find("://") + 3));
  candidate.depth = options.depth;
  candidate.priority = options.priority;
  candidate.redirect_hops = options.redirect_hops;
  candidate.off_scope_hops = options.off_scope_hops;
  batch.add(url, candidate);
}

CandidateBatch links(std::initializer_list<std::string_view> urls) {
  CandidateBatch batch;
  for (const auto url : urls) add_link(batch, url);
  return batch;
}

Settlement settlement_of(const Lease& lease, Outcome outcome, frontier::Reason reason) {
  Settlement settlement;
  settlement.lease = lease.id;
  settlement.kind = lease.kind;
  settlement.outcome = outcome;
  settlement.page.reason = reason;
  settlement.page.fingerprint = fingerprint_of(lease.url);
  return settlement;
}

Settlement answered(const Lease& lease) {
  if (lease.kind == LeaseKind::kRobots) return robots_answered(lease);
  Settlement settlement = settlement_of(lease, Outcome::kDone);
  settlement.page.status = 200;
  settlement.host.contacted = true;
  settlement.host.fetch_time = std::chrono::milliseconds(10);
  return settlement;
}

Settlement robots_answered(const Lease& lease, std::string body) {
  Settlement settlement = settlement_of(lease, Outcome::kDone);
  settlement.host.contacted = true;
  settlement.host.fetch_time = std::chrono::milliseconds(10);
  settlement.robots.state = body.empty() ? frontier::RobotsState::kNone : frontier::RobotsState::kRules;
  settlement.robots.body = std::move(body);
  settlement.robots.fresh_for = std::chrono::hours(24);
  return settlement;
}

Now FrontierWorld::start() {
  return {MonoTime(std::chrono::milliseconds(16) * 10'001),
          WallTime(std::chrono::duration_cast<Duration>(std::chrono::seconds(1'800'000'007)))};
}

void FrontierWorld::advance(Duration by) {
  now_.mono += by;
  now_.wall += by;
}

TurnReport FrontierWorld::add(std::initializer_list<std::string_view> urls) { return add(links(urls)); }

TurnReport FrontierWorld::add(const CandidateBatch& batch) {
  const auto report = subject_->turn({}, {&batch, 1}, now_);
  EXPECT_TRUE(report) << report.error().message();
  return report.value_or(TurnReport{});
}

std::vector<Lease> FrontierWorld::lease(std::size_t limit) {
  std::vector<Lease> out;
  const auto count = subject_->lease(limit, now_, out);
  EXPECT_TRUE(count) << count.error().message();
  EXPECT_EQ(count.value_or(0), out.size());
  return out;
}

Lease FrontierWorld::lease_one() {
  auto out = lease();
  EXPECT_EQ(out.size(), 1U);
  return out.empty() ? Lease{} : out.front();
}

TurnReport FrontierWorld::settle(const Settlement& settlement) {
  return settle(std::vector<Settlement>{settlement});
}

TurnReport FrontierWorld::settle(const std::vector<Settlement>& settlements) {
  const auto report = subject_->turn(settlements, {}, now_);
  EXPECT_TRUE(report) << report.error().message();
  return report.value_or(TurnReport{});
}

std::vector<std::string> FrontierWorld::drain(const std::function<Settlement(const Lease&)>& fetch) {
  std::vector<std::string> urls;
  for (int round = 0; round < kRoundsMax && !subject_->drained(); ++round) {
    const auto out = lease();
    std::vector<Settlement> settlements;
    for (const auto& lease : out) {
      if (lease.kind == LeaseKind::kPage) urls.push_back(lease.url);
      settlements.push_back(fetch(lease));
    }
    if (!settlements.empty()) settle(settlements);
    const auto due = subject_->next_due(now_);
    if (due && *due > now_.mono) advance(*due - now_.mono);
  }
  EXPECT_TRUE(subject_->drained());
  return urls;
}

}  // namespace weir::test
