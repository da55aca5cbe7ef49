// Settlements: a lease is closed, retried or returned, and what the fetch taught about the host is kept. A
// settlement whose lease has expired still teaches; its URL is closed only if nobody else has it by then.
#include <algorithm>

#include "frontier/local/done_record.h"
#include "frontier/local/queue_entry.h"
#include "frontier/local/turn.h"

namespace weir::frontier::local {
namespace {

constexpr Duration kRobotsFreshMin =
    std::chrono::minutes(1);                                  // else a host is asked for nothing but robots.txt
constexpr Duration kRobotsFreshMax = std::chrono::hours(24);  // RFC 9309 2.4
constexpr unsigned kRobotsVersionBits = 20;                   // settlements per turn that can bring a file

void hold(Host& host, const PolitenessOptions& options, Duration wait, Now now) {
  host.hold_until = std::max(host.hold_until, now.mono + std::min(wait, options.hold_max));
  host.not_before = std::max(host.not_before, host.hold_until);
}

void learn(Turn& turn, Host& host, const HostFeedback& feedback) {
  const LocalOptions& options = turn.core.options;
  if (feedback.ip.known) host.ip = feedback.ip;
  if (feedback.contacted) {
    host.contacted = true;
    const Duration delay = host_delay(options.politeness, host.crawl_delay, feedback.fetch_time);
    host.not_before = std::max(host.not_before, turn.now.mono + delay);
    if (!feedback.overloaded) host.overloads = 0;
  }
  if (feedback.hold > Duration(0)) {
    hold(host, options.politeness, feedback.hold, turn.now);
  } else if (feedback.overloaded) {
    hold(host, options.politeness, retry_backoff(options.retry, host.overloads), turn.now);
    if (host.overloads < 0xff) ++host.overloads;
  }
}

bool is_permanent(Reason reason) { return reason == Reason::kDnsNotFound || reason == Reason::kAddressRefused; }

void count_failure(Turn& turn, Host& host, Reason reason, LeaseKind kind) {
  const RetryPolicy& retry = turn.core.options.retry;
  const bool robots = kind == LeaseKind::kRobots;
  if (host.given_up) return;
  if (host.failures < 0xff) ++host.failures;
  if (is_permanent(reason)) {
    host.given_up = reason;
  } else if (host.failures >= retry.host_failures_max) {
    host.given_up = robots ? Reason::kRobotsUnreachable : Reason::kHostGivenUp;
  } else {
    const Duration wait = retry_backoff(retry, host.failures - 1U);
    hold(host, turn.core.options.politeness, robots ? std::min(wait, retry.robots_retry) : wait, turn.now);
  }
}

void settle_robots(Turn& turn, Host& host, const Settlement& settlement) {
  host.robots_leased = false;
  if (settlement.outcome == Outcome::kReleased) return;
  const RobotsFeedback& robots = settlement.robots;
  if (settlement.outcome != Outcome::kDone || robots.state == RobotsState::kUnreachable) {
    host.robots = RobotsState::kUnreachable;
    count_failure(turn, host, settlement.page.reason, LeaseKind::kRobots);
    return;
  }
  host.failures = 0;
  host.robots = robots.state;
  host.robots_until = turn.now.mono + std::clamp(robots.fresh_for, kRobotsFreshMin, kRobotsFreshMax);
  host.crawl_delay = std::max(robots.crawl_delay, Duration(0));
  if (robots.state != RobotsState::kRules) return;
  host.robots_version = ((turn.core.commit + 1) << kRobotsVersionBits) + turn.robots_files++;
  turn.batch.put(kRobots, host_key(host.id), robots.body);
  turn.core.memory->robots.put(
      host.id, std::make_shared<const RobotsFile>(RobotsFile{robots.body, host.robots_version}));
  const Duration delay = host_delay(turn.core.options.politeness, host.crawl_delay, settlement.host.fetch_time);
  if (settlement.host.contacted) host.not_before = std::max(host.not_before, turn.now.mono + delay);
}

void write_done(Turn& turn, const Host& host, const QueueEntry& entry, const PageRecord& page, bool failed) {
  std::string url = host.origin;
  url.append(entry.path);
  const std::string parent = parent_url(entry, host.origin);
  DoneRecord record;
  record.failed = failed;
  record.reason = page.reason;
  record.status = page.status;
  record.fetched = turn.now.wall;
  record.bytes = page.bytes;
  record.digest = page.digest;
  record.depth = entry.depth;
  record.attempts = static_cast<std::uint8_t>(entry.attempt + 1);
  record.discovered = entry.discovered;
  record.url = url;
  record.parent = parent;
  record.redirect = page.redirect;
  record.tag = entry.tag;
  turn.key.clear();
  append_fingerprint_key(turn.key, page.fingerprint);
  turn.value.clear();
  append_done_record(turn.value, record);
  turn.batch.put(kDone, turn.key, turn.value);
}

// Takes the URL out of its queue for good. It is neither in the window nor leased any more.
void remove_entry(Turn& turn, ClassQueue& queue, const QueueKey& key) {
  turn.key.clear();
  append_queue_key(turn.key, key);
  turn.batch.remove_single(kQueue, turn.key);
  if (--queue.pending > 0) return;
  turn.core.memory->window_bytes -= queue.window.bytes();
  queue.window.clear();
  turn.core.memory->window_bytes += queue.window.bytes();
}

void finish(Turn& turn, Host& host, const QueueEntry& entry, const PageRecord& page, bool failed) {
  write_done(turn, host, entry, page, failed);
  Totals& totals = turn.core.memory->totals;
  ++(failed ? totals.failed : totals.done);
  if (failed) ++turn.report.failed;
}

void retry_later(Turn& turn, Host& host, QueueEntry entry) {
  const Duration wait = retry_backoff(turn.core.options.retry, entry.attempt);
  ++entry.attempt;
  entry.not_before = turn.now.wall + wait;
  turn.value.clear();
  append_queue_entry(turn.value, entry);
  turn.push_entry(host, host.queue(static_cast<std::uint8_t>(Priority::kRetry)));
  ++turn.report.retried;
}

void settle_page(Turn& turn, Host& host, const LeaseRecord& lease, const Settlement& settlement) {
  if (settlement.outcome == Outcome::kReleased) {
    return_to_queue(turn.core, lease);
    return;
  }
  const Reason reason = settlement.page.reason;
  if (is_host_failure(reason) && settlement.outcome != Outcome::kDone) {
    count_failure(turn, host, reason, LeaseKind::kPage);
  } else if (settlement.host.contacted) {
    host.failures = 0;
  }
  ClassQueue& queue = host.queue(lease.key.queue_class);
  host.drop_lease(queue, lease.key.seq);
  remove_entry(turn, queue, lease.key);
  const auto entry = decode_queue_entry(lease.value).value_or(QueueEntry{});
  const bool again =
      settlement.outcome == Outcome::kRetry && entry.attempt + 1 < turn.core.options.retry.attempts_max;
  if (again) {
    retry_later(turn, host, entry);
  } else {
    finish(turn, host, entry, settlement.page, settlement.outcome != Outcome::kDone);
  }
}

// The lease expired and its URL went back. If it still waits, the answer that came late spares a second fetch.
void settle_late(Turn& turn, const Settlement& settlement) {
  ++turn.report.stale;
  LeaseRecord* found = turn.core.leases.find_expired(settlement.lease);
  if (found == nullptr || found->settled_in == turn.core.turn) return;
  found->settled_in = turn.core.turn;
  const LeaseRecord& lease = *found;
  Host& host = turn.touch(lease.slot);
  learn(turn, host, settlement.host);
  ClassQueue& queue = host.queue(lease.key.queue_class);
  const bool answered = settlement.outcome == Outcome::kDone || settlement.outcome == Outcome::kFailed;
  if (!answered || host.is_leased(lease.key.queue_class, lease.key.seq)) return;
  turn.closed.push_back(lease.id);
  queue.window.erase(lease.key.seq);
  queue.head_due =
      queue.window.empty() ? MonoTime{} : due_of(queue.window.front_value(), turn.now, turn.core.options.retry);
  --turn.core.memory->queued;
  remove_entry(turn, queue, lease.key);
  finish(turn, host, decode_queue_entry(lease.value).value_or(QueueEntry{}), settlement.page,
         settlement.outcome == Outcome::kFailed);
}

}  // namespace

void settle(Turn& turn, const Settlement& settlement) {
  LeaseRecord* lease = turn.core.leases.find(settlement.lease);
  if (lease == nullptr || lease->settled_in == turn.core.turn) {
    settle_late(turn, settlement);
    return;
  }
  lease->settled_in = turn.core.turn;
  turn.closed.push_back(lease->id);
  Host& host = turn.touch(lease->slot);
  learn(turn, host, settlement.host);
  if (lease->kind == LeaseKind::kRobots) {
    settle_robots(turn, host, settlement);
  } else {
    settle_page(turn, host, *lease, settlement);
  }
}

}  // namespace weir::frontier::local
