// The fetcher's loop and the steps of a visit, in the order in which they happen.
#include "crawler/visit/fetcher.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/hash.h"
#include "base/limits.h"
#include "crawler/fetch/retry_after.h"
#include "crawler/fetch/robots_fetch.h"
#include "crawler/robots/page_verdict.h"
#include "crawler/visit/verdict.h"

namespace weir::crawler {
namespace {

using frontier::Lease;
using frontier::LeaseKind;
using frontier::Outcome;
using frontier::Reason;
using frontier::Settlement;
using frontier::Url;

// The longest wait for the network; new leases and stops wake the poll before.
constexpr Duration kPollTimeout = std::chrono::milliseconds(500);

Settlement settlement_for(const Lease& lease, std::uint32_t fetcher) {
  Settlement settlement;
  settlement.lease = lease.id;
  settlement.fetcher = fetcher;
  settlement.kind = lease.kind;
  return settlement;
}

}  // namespace

Fetcher::Fetcher(const FetcherOptions& options, FetcherParts parts)
    : options_(options), parts_(std::move(parts)), robots_(options.robots_agent) {}

void Fetcher::drain() {
  draining_.store(true);
  wake();
}

void Fetcher::abort() {
  aborting_.store(true);
  drain();
}

void Fetcher::run() {
  StageTimer timer;
  while (true) {
    const Now now = parts_.clock.now();
    take_leases(now);
    if (aborting_.load()) parts_.client->cancel_all();
    if (visits_.empty() && parts_.leases.closed_and_empty()) break;
    answers_.clear();
    timer.next(parts_.times.settle);
    parts_.client->poll(kPollTimeout, now, answers_);
    timer.next(parts_.times.fetch);
    const Now later = parts_.clock.now();
    if (parts_.dropped_log != nullptr) parts_.dropped_log->set_time(later.wall);
    for (const HttpAnswer& answer : answers_) finish(answer, later);
    timer.skip();  // the reader counts parse and links itself
    send_settlements(later);
  }
}

void Fetcher::take_leases(Now now) {
  incoming_.clear();
  const std::size_t room =
      options_.transfers_max - std::min<std::size_t>(visits_.size(), options_.transfers_max);
  parts_.leases.pop_into(incoming_, room, Duration(0));
  for (Lease& lease : incoming_) begin(std::move(lease), now);
  send_settlements(now);
}

void Fetcher::begin(Lease lease, Now now) {
  if (draining_.load()) return settle_untried(lease, Outcome::kReleased, Reason::kStopped, now);
  if (lease.host_given_up) return settle_untried(lease, Outcome::kFailed, lease.given_up_reason, now);
  const auto page = frontier::parse_url(lease.url);
  WEIR_CHECK(page.has_value());  // the frontier holds only what parse_url made
  if (lease.kind == LeaseKind::kPage && refused_by_robots(lease, *page)) {
    parts_.counters.robots_denied.add();
    return settle_untried(lease, Outcome::kDone, Reason::kRobotsDenied, now);
  }
  Visit visit;
  visit.url = page->href_without_fragment();  // the queue keeps "#!..." where it belongs to the key
  visit.robots_checked = lease.robots != nullptr;
  visit.lease = std::move(lease);
  start(std::move(visit), now);
}

bool Fetcher::refused_by_robots(const Lease& lease, const Url& page) {
  return lease.robots != nullptr && !judge_page(robots_.rules(lease), page).allowed;
}

void Fetcher::start(Visit visit, Now now) {
  HttpRequest request;
  request.id = visit.lease.id;
  request.url = visit.url;
  if (visit.lease.kind == LeaseKind::kRobots) request.body_bytes_max = limits::kRobotsBytesMax;
  const std::uint64_t id = visit.lease.id;
  visits_.insert_or_assign(id, std::move(visit));
  parts_.client->start(std::move(request), now);
}

void Fetcher::finish(const HttpAnswer& answer, Now now) {
  const auto found = visits_.find(answer.id);
  WEIR_CHECK(found != visits_.end());
  Visit visit = std::move(found->second);
  visits_.erase(found);
  switch (visit.lease.kind) {
    case LeaseKind::kPage: return finish_page(visit, answer, now);
    case LeaseKind::kRobots: return finish_robots(visit, answer, now);
  }
}

void Fetcher::finish_page(Visit& visit, const HttpAnswer& answer, Now now) {
  const AnswerVerdict verdict = judge_answer(answer);
  Settlement settlement = settlement_for(visit.lease, options_.index);
  settlement.outcome = verdict.outcome;
  settlement.page.reason = verdict.reason;
  settlement.host.overloaded = verdict.overloaded;
  const auto page = frontier::parse_url(visit.lease.url);
  PageReading reading;
  if (verdict.has_content) {
    parts_.counters.fetched.add();
    reading = parts_.reader->read(visit.lease, *page, answer);
    settlement.links = std::move(reading.links);
    settlement.repeats = reading.repeats;
    settlement.page.digest = hash64(answer.body);
  } else if (verdict.is_redirect) {
    RedirectReading redirect = parts_.reader->follow(visit.lease, *page, answer);
    settlement.page.reason = redirect.reason;
    settlement.page.redirect = std::move(redirect.target);
    settlement.links = std::move(redirect.links);
    const bool followed =
        redirect.reason == Reason::kRedirect || redirect.reason == Reason::kRedirectOutOfScope;
    (followed ? parts_.counters.redirected : parts_.counters.failed).add();
  } else if (verdict.outcome == Outcome::kFailed || verdict.outcome == Outcome::kDone) {
    parts_.counters.failed.add();
  }
  settle_answer(visit, answer, std::move(settlement), reading, now);
}

void Fetcher::settle_answer(const Visit& visit, const HttpAnswer& answer, Settlement settlement,
                            const PageReading& reading, Now now) {
  settlement.host.contacted = answer.contacted;
  settlement.host.fetch_time = answer.elapsed;
  settlement.host.ip = answer.ip;
  if (settlement.host.overloaded && !answer.retry_after.empty()) {
    const auto hold = parse_retry_after(answer.retry_after, now.wall);
    if (hold) settlement.host.hold = std::min(*hold, options_.hold_max);
  }
  settlement.page.status = answer.status;
  settlement.page.bytes = answer.body.size();
  parts_.counters.body_bytes.add(answer.body.size());
  if (answer.truncated) parts_.counters.truncated.add();
  if (answer.reason == Reason::kAddressRefused) parts_.counters.addresses_refused.add();
  if (settlement.outcome == Outcome::kRetry) parts_.counters.retried.add();
  FetchLine line;
  line.url = visit.lease.url;
  const auto page = frontier::parse_url(visit.lease.url);
  settlement.page.fingerprint = parts_.reader->fingerprint(*page, line.key);
  if (parts_.fetch_log != nullptr && settlement.outcome != Outcome::kReleased) {
    line.ts = now.wall;
    line.status = answer.status;
    line.reason = frontier::reason_name(settlement.page.reason);
    line.type = answer.content_type;
    line.bytes = answer.body.size();
    line.elapsed = answer.elapsed;
    line.depth = visit.lease.depth;
    line.parent = visit.lease.parent;
    line.digest = settlement.page.digest;
    line.redirect = settlement.page.redirect;
    line.ip = answer.ip.known ? format_ip(answer.ip) : "";
    line.robots = visit.robots_checked ? "allowed" : "off";
    line.tag = visit.lease.tag;
    line.attempt = visit.lease.attempt;
    line.truncated = answer.truncated;
    line.limited = reading.limited;
    parts_.fetch_log->add(line);
  }
  outgoing_.push_back(std::move(settlement));
}

void Fetcher::finish_robots(Visit& visit, const HttpAnswer& answer, Now now) {
  if (follow_robots_redirect(visit, answer, now)) return;
  Settlement settlement = settlement_for(visit.lease, options_.index);
  settlement.page.reason = answer.reason;
  settlement.page.status = answer.status;
  settlement.host.contacted = answer.contacted;
  settlement.host.fetch_time = answer.elapsed;
  settlement.host.ip = answer.ip;
  if (answer.reason == Reason::kStopped) {
    settlement.outcome = Outcome::kReleased;
  } else {
    settlement.outcome = Outcome::kDone;
    settlement.robots = robots_feedback(answer, options_.robots_agent);
    const auto page = frontier::parse_url(visit.lease.url);
    if (options_.sitemaps && settlement.robots.state == frontier::RobotsState::kRules)
      settlement.links = parts_.reader->sitemaps(visit.lease, *page, settlement.robots.body);
    parts_.counters.robots_fetched.add();
    if (!answer.retry_after.empty()) {
      const auto hold = parse_retry_after(answer.retry_after, now.wall);
      if (hold) settlement.host.hold = std::min(*hold, options_.hold_max);
    }
  }
  outgoing_.push_back(std::move(settlement));
}

// RFC 9309 2.3.1.2: at least five redirects are followed, also across hosts; the rules count for the host
// that was asked. Past the limit the file is unavailable, which robots_feedback reads from the 3xx status.
bool Fetcher::follow_robots_redirect(Visit& visit, const HttpAnswer& answer, Now now) {
  if (!judge_answer(answer).is_redirect || visit.redirects >= limits::kRobotsRedirectsMax) return false;
  const auto here = frontier::parse_url(visit.url);
  auto there = frontier::parse_url(answer.location, &*here);
  if (answer.location.empty() || !there || !there->is_http()) return false;
  visit.url = frontier::wire_form(*there).href();
  ++visit.redirects;
  start(std::move(visit), now);
  return true;
}

void Fetcher::settle_untried(const Lease& lease, Outcome outcome, Reason reason, Now now) {
  Settlement settlement = settlement_for(lease, options_.index);
  settlement.outcome = outcome;
  settlement.page.reason = reason;
  FetchLine line;
  line.url = lease.url;
  if (lease.kind == LeaseKind::kPage) {
    const auto page = frontier::parse_url(lease.url);
    WEIR_CHECK(page.has_value());
    settlement.page.fingerprint = parts_.reader->fingerprint(*page, line.key);
  }
  if (outcome == Outcome::kFailed) parts_.counters.failed.add();
  if (reason == Reason::kAddressRefused) parts_.counters.addresses_refused.add();
  if (parts_.fetch_log != nullptr && outcome != Outcome::kReleased) {
    line.ts = now.wall;
    line.reason = frontier::reason_name(reason);
    line.depth = lease.depth;
    line.parent = lease.parent;
    line.robots = reason == Reason::kRobotsDenied ? "denied" : "";
    line.tag = lease.tag;
    line.attempt = lease.attempt;
    parts_.fetch_log->add(line);
  }
  outgoing_.push_back(std::move(settlement));
}

void Fetcher::flush_outputs() {
  std::uint64_t lost = 0;
  if (parts_.fetch_log != nullptr) {
    parts_.fetch_log->flush();
    lost += parts_.fetch_log->lines_lost();
  }
  if (parts_.dropped_log != nullptr) {
    parts_.dropped_log->flush();
    lost += parts_.dropped_log->lines_lost();
  }
  parts_.counters.lines_lost.add(lost - lines_lost_);
  lines_lost_ = lost;
}

// Lines are on disk (in the kernel) before the settlement can be: a crash repeats a line, never loses one.
void Fetcher::send_settlements(Now) {
  if (outgoing_.empty()) return;
  flush_outputs();
  for (Settlement& settlement : outgoing_) {
    // The queue holds as many settlements as there can be leases, so that a fetcher never waits here.
    const bool sent = parts_.settlements.try_push(std::move(settlement));
    WEIR_CHECK(sent);
  }
  outgoing_.clear();
}

}  // namespace weir::crawler
