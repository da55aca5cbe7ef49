// The owner's round, and what it does when the disk is full.
#include "crawler/run/owner_loop.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace weir::crawler {
namespace {

using frontier::Outcome;
using frontier::Settlement;

constexpr std::size_t kTurnSettlementsMax = 256;                   // one commit's worth
constexpr Duration kWaitMax = std::chrono::seconds(1);             // bounds every wait
constexpr Duration kSpaceRetryInterval = std::chrono::seconds(1);  // while the disk is full

}  // namespace

OwnerLoop::OwnerLoop(const OwnerOptions& options, OwnerParts parts)
    : options_(options), parts_(std::move(parts)) {
  const MonoTime now = parts_.clock.now().mono;
  next_progress_ = now + options_.progress_interval;
  next_checkpoint_ = now + options_.checkpoint_interval;
}

Result<frontier::TurnReport> OwnerLoop::inject(const frontier::CandidateBatch& batch) {
  arrived_.clear();
  return commit({&batch, 1});
}

Result<CrawlEnd> OwnerLoop::run() {
  while (true) {
    const Now now = parts_.clock.now();
    react_to_stop(now);
    if (auto handed = hand_out(now); !handed) return std::unexpected(handed.error());
    if (ended()) return end_state();
    arrived_.clear();
    parts_.settlements.pop_into(arrived_, kTurnSettlementsMax, time_to_wait(now));
    for (const Settlement& settlement : arrived_) parts_.pool.settled(settlement.fetcher);
    if (!arrived_.empty()) {
      if (auto report = commit({}); !report) return std::unexpected(report.error());
    }
    if (auto kept = housekeeping(parts_.clock.now()); !kept) return std::unexpected(kept.error());
  }
}

void OwnerLoop::react_to_stop(Now now) {
  const int stops = parts_.stop.count();
  if (stops > 0 && !draining_) {
    parts_.log.info("stop: waiting up to {} s for {} transfers",
                    std::chrono::duration_cast<std::chrono::seconds>(options_.drain_timeout).count(),
                    parts_.pool.in_flight());
    draining_ = true;
    drain_deadline_ = now.mono + options_.drain_timeout;
    parts_.pool.drain();
  }
  if (draining_ && !aborted_ && (stops > 1 || now.mono >= drain_deadline_)) {
    parts_.log.info("stop: aborting {} transfers; their URLs stay queued", parts_.pool.in_flight());
    aborted_ = true;
    parts_.pool.abort();
  }
}

// Pages that may still be leased under the page limit.
std::uint64_t OwnerLoop::pages_allowed() const {
  if (options_.limit_pages == 0) return std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t taken = parts_.counters.fetched.value() + parts_.pool.in_flight();
  return options_.limit_pages > taken ? options_.limit_pages - taken : 0;
}

Result<void> OwnerLoop::hand_out(Now now) {
  if (draining_) return {};
  const std::size_t limit = std::min<std::uint64_t>(parts_.pool.room(), pages_allowed());
  if (limit == 0) return {};
  leases_.clear();
  StageTimer timer;
  if (auto leased = parts_.frontier.lease(limit, now, leases_); !leased) return std::unexpected(leased.error());
  for (frontier::Lease& lease : leases_) parts_.pool.assign(std::move(lease));
  parts_.pool.wake();
  timer.next(parts_.times.lease);
  return {};
}

bool OwnerLoop::ended() const {
  if (parts_.pool.in_flight() > 0) return false;
  return draining_ || pages_allowed() == 0 || parts_.frontier.drained();
}

CrawlEnd OwnerLoop::end_state() const {
  if (parts_.frontier.drained()) return CrawlEnd::kDrained;
  return draining_ ? CrawlEnd::kStopped : CrawlEnd::kPageLimit;
}

Duration OwnerLoop::time_to_wait(Now now) const {
  MonoTime until = std::min(now.mono + kWaitMax, next_progress_);
  if (draining_ && !aborted_) until = std::min(until, drain_deadline_);
  if (!draining_ && parts_.pool.room() > 0 && pages_allowed() > 0) {
    if (const auto due = parts_.frontier.next_due(now)) until = std::min(until, *due);
  }
  return std::max(Duration(0), until - now.mono);
}

Result<frontier::TurnReport> OwnerLoop::commit(std::span<const frontier::CandidateBatch> injected) {
  while (true) {
    StageTimer timer;
    auto report = parts_.frontier.turn(arrived_, injected, parts_.clock.now());
    timer.next(parts_.times.turn);
    if (report) {
      const auto failed_now = std::ranges::count(arrived_, Outcome::kFailed, &Settlement::outcome);
      totals_.admitted += report->admitted;
      totals_.duplicates += report->duplicates;
      totals_.retries_exhausted +=
          report->failed - std::min<std::uint64_t>(report->failed, static_cast<std::uint64_t>(failed_now));
      totals_.stale += report->stale;
      return report;
    }
    if (report.error().code() != ErrorCode::kRetry) return report;
    if (auto space = wait_for_space(report.error()); !space) return std::unexpected(space.error());
  }
}

// Degraded mode: nothing is acknowledged, nothing leased, settlements wait in their queue, which has room for
// all of them. The store is reopened before the next try, because RocksDB stays broken after a full disk.
Result<void> OwnerLoop::wait_for_space(const Error& error) {
  parts_.log.error("degraded: {}; trying again every second, free some space", error.message());
  if (parts_.stop.wait_for(kSpaceRetryInterval)) {
    return fail(ErrorCode::kState, "stopped while the state could not be written: " + error.message());
  }
  auto recovered = parts_.frontier.recover(parts_.clock.now());
  if (!recovered && recovered.error().code() == ErrorCode::kRetry) return {};
  return recovered;
}

Result<void> OwnerLoop::housekeeping(Now now) {
  if (now.mono >= next_progress_) {
    parts_.report_progress(now);
    next_progress_ = now.mono + options_.progress_interval;
  }
  if (now.mono >= next_checkpoint_) {
    // A checkpoint that fails costs replay time at the next start, nothing else: say so and go on.
    if (auto published = parts_.frontier.checkpoint(now); !published) {
      parts_.log.warn("checkpoint failed, the one before stays valid: {}", published.error().message());
    }
    next_checkpoint_ = now.mono + options_.checkpoint_interval;
  }
  return {};
}

}  // namespace weir::crawler
