// Each rule once, in the order of the contract: admit, settle, learn, lease.
#include "tests/support/memory_frontier.h"

#include <algorithm>

namespace weir::test {

using frontier::CandidateBatch;
using frontier::HostFeedback;
using frontier::Lease;
using frontier::LeaseKind;
using frontier::Outcome;
using frontier::Priority;
using frontier::Reason;
using frontier::RobotsState;
using frontier::Settlement;
using frontier::TurnReport;

namespace {

constexpr std::size_t kGivenUpLeasesMax = 64;
constexpr Duration kRobotsFreshMin = std::chrono::minutes(1);
constexpr Duration kRobotsFreshMax = std::chrono::hours(24);

std::string text_of(const frontier::IpAddress& ip) {
  return {reinterpret_cast<const char*>(ip.bytes.data()), ip.bytes.size()};
}

}  // namespace

Result<TurnReport> MemoryFrontier::turn(std::span<const Settlement> settled,
                                        std::span<const CandidateBatch> injected, Now now) {
  expire(now);
  TurnReport report;
  for (const auto& batch : injected) admit(batch, report);
  for (const auto& settlement : settled) admit(settlement.links, report);
  for (const auto& settlement : settled) settle(settlement, now, report);
  if (!settled.empty() || report.admitted + report.duplicates > 0) ++commit_;
  totals_.admitted += report.admitted;
  totals_.duplicates += report.duplicates;
  report.commit = commit_;
  return report;
}

void MemoryFrontier::admit(const CandidateBatch& batch, TurnReport& report) {
  for (const auto& candidate : batch.items) {
    dedup::Verdict verdict{};
    if (!set_.test_and_set({&candidate.fingerprint, 1}, {&verdict, 1})) continue;
    if (verdict == dedup::Verdict::kSeen && !candidate.same_page) {
      ++report.duplicates;
      continue;
    }
    ++report.admitted;
    const std::string origin(batch.origin(candidate));
    const auto [place, added] = hosts_.try_emplace(origin);
    if (added) place->second.id = static_cast<frontier::HostId>(hosts_.size() - 1);
    Host& host = place->second;
    Waiting url;
    url.path = batch.url(candidate).substr(candidate.origin_length);
    url.parent = batch.parent;
    url.tag = batch.tag;
    url.depth = candidate.depth;
    url.depth_limit = batch.depth_limit;
    url.redirect_hops = candidate.redirect_hops;
    url.off_scope_hops = candidate.off_scope_hops;
    host.waiting.emplace(Place(static_cast<std::uint8_t>(candidate.priority), host.next_seq++), std::move(url));
  }
}

void MemoryFrontier::expire(Now now) {
  for (auto it = leases_.begin(); it != leases_.end();) {
    if (it->second.expires > now.mono) {
      ++it;
      continue;
    }
    Out& out = it->second;
    Host& host = hosts_.at(out.origin);
    if (out.kind == LeaseKind::kRobots) {
      host.robots_leased = false;
    } else {
      host.leased.erase(out.place);
      out.url.not_before = MonoTime{};
      host.waiting.emplace(out.place, out.url);
      expired_.emplace(it->first, out);
    }
    const Duration delay = host_delay(options_.politeness, host.crawl_delay, Duration(0));
    host.not_before = std::max(host.not_before, now.mono + delay);
    it = leases_.erase(it);
  }
}

void MemoryFrontier::restart(Now now) {
  for (auto& [id, out] : leases_) {
    Host& host = hosts_.at(out.origin);
    host.robots_leased = false;
    if (out.kind == LeaseKind::kRobots) continue;
    host.leased.erase(out.place);
    host.waiting.emplace(out.place, out.url);
  }
  leases_.clear();
  expired_.clear();
  delay_all(now);
}

void MemoryFrontier::delay_all(Now now) {
  for (auto& [origin, host] : hosts_) {
    const Duration delay = host_delay(options_.politeness, host.crawl_delay, Duration(0));
    host.not_before = std::max(host.hold_until, now.mono + delay);
  }
}

void MemoryFrontier::settle(const Settlement& settlement, Now now, TurnReport& report) {
  const auto found = leases_.find(settlement.lease);
  if (found == leases_.end()) {
    settle_late(settlement, now, report);
    return;
  }
  const Out out = std::move(found->second);
  leases_.erase(found);
  Host& host = hosts_.at(out.origin);
  learn(host, settlement.host, now);
  if (out.kind == LeaseKind::kRobots) {
    settle_robots(host, settlement, now);
  } else {
    settle_page(host, out, settlement, now, report);
  }
}

void MemoryFrontier::settle_late(const Settlement& settlement, Now now, TurnReport& report) {
  ++report.stale;
  const auto found = expired_.find(settlement.lease);
  if (found == expired_.end()) return;
  Host& host = hosts_.at(found->second.origin);
  learn(host, settlement.host, now);
  const bool answered = settlement.outcome == Outcome::kDone || settlement.outcome == Outcome::kFailed;
  if (!answered || host.waiting.erase(found->second.place) == 0) return;
  finish(settlement.outcome == Outcome::kFailed, report);
}

void MemoryFrontier::finish(bool failed, TurnReport& report) {
  ++(failed ? totals_.failed : totals_.done);
  if (failed) ++report.failed;
}

void MemoryFrontier::settle_page(Host& host, const Out& out, const Settlement& settlement, Now now,
                                 TurnReport& report) {
  host.leased.erase(out.place);
  if (settlement.outcome == Outcome::kReleased) {
    host.waiting.emplace(out.place, out.url).first->second.not_before = MonoTime{};
    return;
  }
  if (is_host_failure(settlement.page.reason) && settlement.outcome != Outcome::kDone) {
    fail_host(host, settlement.page.reason, false, now);
  } else if (settlement.host.contacted) {
    host.failures = 0;
  }
  if (settlement.outcome != Outcome::kRetry || out.url.attempt + 1 >= options_.retry.attempts_max) {
    finish(settlement.outcome != Outcome::kDone, report);
    return;
  }
  Waiting again = out.url;
  again.not_before = now.mono + retry_backoff(options_.retry, again.attempt);
  ++again.attempt;
  host.waiting.emplace(Place(static_cast<std::uint8_t>(Priority::kRetry), host.next_seq++), std::move(again));
  ++report.retried;
}

void MemoryFrontier::settle_robots(Host& host, const Settlement& settlement, Now now) {
  host.robots_leased = false;
  if (settlement.outcome == Outcome::kReleased) return;
  if (settlement.outcome != Outcome::kDone || settlement.robots.state == RobotsState::kUnreachable) {
    host.robots = RobotsState::kUnreachable;
    fail_host(host, settlement.page.reason, true, now);
    return;
  }
  host.failures = 0;
  host.robots = settlement.robots.state;
  host.robots_until = now.mono + std::clamp(settlement.robots.fresh_for, kRobotsFreshMin, kRobotsFreshMax);
  host.crawl_delay = settlement.robots.crawl_delay;
  frontier::RobotsFile file;
  if (settlement.robots.state == RobotsState::kRules) file = {settlement.robots.body, ++rules_version_};
  host.rules = std::make_shared<const frontier::RobotsFile>(std::move(file));
  if (settlement.robots.state != RobotsState::kRules || !settlement.host.contacted) return;
  const Duration delay = host_delay(options_.politeness, host.crawl_delay, settlement.host.fetch_time);
  host.not_before = std::max(host.not_before, now.mono + delay);
}

void MemoryFrontier::learn(Host& host, const HostFeedback& feedback, Now now) {
  if (feedback.ip.known) host.ip = feedback.ip;
  if (feedback.contacted) {
    const Duration delay = host_delay(options_.politeness, host.crawl_delay, feedback.fetch_time);
    host.not_before = std::max(host.not_before, now.mono + delay);
    if (!feedback.overloaded) host.overloads = 0;
  }
  if (feedback.hold > Duration(0)) {
    hold(host, feedback.hold, now);
  } else if (feedback.overloaded) {
    hold(host, retry_backoff(options_.retry, host.overloads++), now);
  }
}

void MemoryFrontier::hold(Host& host, Duration wait, Now now) {
  host.hold_until = std::max(host.hold_until, now.mono + std::min(wait, options_.politeness.hold_max));
  host.not_before = std::max(host.not_before, host.hold_until);
}

void MemoryFrontier::fail_host(Host& host, Reason reason, bool robots, Now now) {
  if (host.given_up) return;
  ++host.failures;
  if (reason == Reason::kDnsNotFound || reason == Reason::kAddressRefused) {
    host.given_up = reason;
  } else if (host.failures >= options_.retry.host_failures_max) {
    host.given_up = robots ? Reason::kRobotsUnreachable : Reason::kHostGivenUp;
  } else {
    const Duration wait = retry_backoff(options_.retry, host.failures - 1);
    hold(host, robots ? std::min(wait, options_.retry.robots_retry) : wait, now);
  }
}

bool MemoryFrontier::robots_needed(const Host& host, Now now) const {
  if (!options_.politeness.obey_robots || host.given_up) return false;
  return !host.robots || host.robots == RobotsState::kUnreachable || host.robots_until <= now.mono;
}

std::map<MemoryFrontier::Place, MemoryFrontier::Waiting>::const_iterator MemoryFrontier::servable(
    const Host& host, MonoTime time) const {
  // Only the head of a class can be served, so that a retry waits for those before it.
  std::optional<std::uint8_t> blocked;
  for (auto it = host.waiting.begin(); it != host.waiting.end(); ++it) {
    if (it->first.first == blocked) continue;
    if (it->second.not_before <= time) return it;
    blocked = it->first.first;
  }
  return host.waiting.end();
}

std::optional<MonoTime> MemoryFrontier::due(const Host& host) const {
  const std::size_t out = host.leased.size() + (host.robots_leased ? 1 : 0);
  const std::size_t most = host.given_up ? kGivenUpLeasesMax : options_.politeness.connections_per_host;
  if (host.waiting.empty() || host.robots_leased || out >= most) return std::nullopt;
  // A retry that went out once and came back is due at once; the heads of the classes decide.
  MonoTime earliest = MonoTime::max();
  std::optional<std::uint8_t> seen;
  for (const auto& [place, url] : host.waiting) {
    if (place.first == seen) continue;
    seen = place.first;
    earliest = std::min(earliest, url.not_before);
  }
  if (host.given_up) return earliest;
  MonoTime time = std::max(earliest, host.not_before);
  const auto started = last_start_.find(text_of(host.ip));
  if (host.ip.known && options_.politeness.per_ip_delay > Duration(0) && started != last_start_.end()) {
    time = std::max(time, started->second + options_.politeness.per_ip_delay);
  }
  return time;
}

Lease MemoryFrontier::give(const std::string& origin, Host& host, Now now) {
  Out out;
  out.origin = origin;
  out.expires = now.mono + options_.lease_duration;
  Lease lease;
  lease.id = next_lease_++;
  lease.host = host.id;
  lease.expires = out.expires;
  lease.url = origin;
  lease.origin_length = static_cast<std::uint32_t>(origin.size());
  if (host.ip.known && !host.given_up) last_start_[text_of(host.ip)] = now.mono;
  if (host.given_up) {
    lease.host_given_up = true;
    lease.given_up_reason = *host.given_up;
  }
  if (robots_needed(host, now)) {
    out.kind = lease.kind = LeaseKind::kRobots;
    lease.url += "/robots.txt";
    const auto waiting = servable(host, now.mono);
    lease.tag = waiting->second.tag;
    lease.depth_limit = waiting->second.depth_limit;
    host.robots_leased = true;
  } else {
    const auto url = servable(host, now.mono);
    out.place = url->first;
    out.url = url->second;
    host.waiting.erase(url);
    host.leased.insert(out.place);
    std::erase_if(expired_, [&](const auto& entry) {
      return entry.second.origin == origin && entry.second.place == out.place;
    });
    lease.url += out.url.path;
    lease.depth = out.url.depth;
    lease.depth_limit = out.url.depth_limit;
    lease.redirect_hops = out.url.redirect_hops;
    lease.off_scope_hops = out.url.off_scope_hops;
    lease.attempt = out.url.attempt;
    lease.parent = out.url.parent;
    lease.tag = out.url.tag;
    if (options_.politeness.obey_robots) {
      lease.robots = host.rules ? host.rules : std::make_shared<const frontier::RobotsFile>();
    }
  }
  leases_.emplace(lease.id, std::move(out));
  return lease;
}

Result<std::size_t> MemoryFrontier::lease(std::size_t limit, Now now, std::vector<Lease>& out) {
  expire(now);
  const std::size_t before = out.size();
  bool found = true;
  while (found && out.size() - before < limit) {
    found = false;
    for (auto& [origin, host] : hosts_) {
      const auto time = due(host);
      if (!time || *time > now.mono || out.size() - before >= limit) continue;
      out.push_back(give(origin, host, now));
      found = true;
    }
  }
  return out.size() - before;
}

std::optional<MonoTime> MemoryFrontier::next_due(Now now) const {
  std::optional<MonoTime> earliest;
  for (const auto& [origin, host] : hosts_) {
    if (const auto time = due(host)) earliest = earliest ? std::min(*earliest, *time) : *time;
  }
  for (const auto& [id, out] : leases_) earliest = earliest ? std::min(*earliest, out.expires) : out.expires;
  if (earliest) earliest = std::max(*earliest, now.mono);
  return earliest;
}

bool MemoryFrontier::drained() const {
  return leases_.empty() &&
         std::ranges::all_of(hosts_, [](const auto& entry) { return entry.second.waiting.empty(); });
}

frontier::FrontierStats MemoryFrontier::stats() const {
  frontier::FrontierStats stats = totals_;
  stats.hosts = hosts_.size();
  stats.leased = leases_.size();
  for (const auto& [origin, host] : hosts_) {
    stats.queued += host.waiting.size();
    if (!host.waiting.empty() || !host.leased.empty() || host.robots_leased) ++stats.hosts_active;
  }
  stats.dedup = set_.stats();
  return stats;
}

}  // namespace weir::test
