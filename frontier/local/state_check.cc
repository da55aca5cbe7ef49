// The check of a whole state, and the two places that need the key rules to name a waiting URL's fingerprint.
// Counting: with an exact filter, keys == queued + done and none of those unmarked means that nothing is lost.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "frontier/local/layout.h"
#include "frontier/local/state_reader.h"

namespace weir::frontier::local {
namespace {

struct HashFingerprint {
  std::size_t operator()(const dedup::Fingerprint& fingerprint) const { return fingerprint.lo; }
};
using Fingerprints = std::unordered_set<dedup::Fingerprint, HashFingerprint>;

struct QueueTally {
  std::unordered_map<std::uint8_t, std::uint64_t> count;
  std::unordered_map<std::uint8_t, std::uint64_t> lowest;
};

std::uint64_t count_unmarked(const dedup::UrlSet& set, const Fingerprints& present, Result<void>& asked) {
  const std::vector<dedup::Fingerprint> all(present.begin(), present.end());
  std::vector<dedup::Verdict> verdicts(all.size());
  asked = set.test(all, verdicts);
  std::uint64_t unmarked = 0;
  for (const auto verdict : verdicts) unmarked += verdict == dedup::Verdict::kNew ? 1 : 0;
  return unmarked;
}

// Compares one host's record with what its queues hold.
void compare_host(const HostRecord& record, const QueueTally& tally, CheckReport& report) {
  std::uint64_t held = 0;
  for (const auto& [queue_class, count] : tally.count) held += count;
  bool wrong = held != record.pending();
  for (std::size_t i = 0; i < record.queue_count; ++i) {
    const QueueRecord& queue = record.queues[i];
    const auto count = tally.count.find(queue.queue_class);
    wrong = wrong || count == tally.count.end() || count->second != queue.pending;
    const auto lowest = tally.lowest.find(queue.queue_class);
    if (lowest != tally.lowest.end() && lowest->second < queue.cursor) ++report.below_cursor;
  }
  if (wrong) ++report.hosts_wrong;
}

// Where a URL of the same key may wait: the own origin, and those that the rules take for it.
std::vector<std::string> origins_of_key(const Url& url, const KeyRules& rules) {
  constexpr std::string_view kWww = "www.";
  std::vector<std::string> hosts = {std::string(url.host())};
  if (rules.has(KeyRule::kStripWww)) {
    const bool www = hosts[0].starts_with(kWww);
    hosts.push_back(www ? hosts[0].substr(kWww.size()) : std::string(kWww) + hosts[0]);
  }
  std::vector<std::string> schemes = {std::string(url.scheme())};
  if (rules.has(KeyRule::kIgnoreScheme)) schemes.emplace_back(schemes[0] == "http" ? "https" : "http");
  std::vector<std::string> origins;
  for (const std::string& scheme : schemes) {
    for (const std::string& host : hosts) origins.push_back(scheme + "://" + host);
  }
  return origins;
}

}  // namespace

Result<CheckReport> StateReader::check(const FingerprintOf& fingerprint_of) const {
  if (!set_) return fail(ErrorCode::kUsage, "check needs a loaded filter");
  CheckReport report;
  Fingerprints present;
  std::unordered_map<HostId, QueueTally> tallies;
  auto queued = for_each_queued([&](const QueuedUrl& url) {
    ++report.queued;
    if (!present.insert(fingerprint_of(url.url)).second) ++report.queued_twice;
    QueueTally& tally = tallies[url.key.host];
    ++tally.count[url.key.queue_class];
    tally.lowest.try_emplace(url.key.queue_class, url.key.seq);
    return true;
  });
  if (!queued) return std::unexpected(queued.error());
  auto done = for_each_done([&](const dedup::Fingerprint& fingerprint, const DoneRecord& record) {
    ++report.done;
    // A redirect to another spelling of its own page waits under the key of what is done
    // (Candidate::same_page).
    const bool twice = !present.insert(fingerprint).second && record.reason != Reason::kRedirect;
    if (twice) ++report.queued_twice;
    return true;
  });
  if (!done) return std::unexpected(done.error());

  Result<void> asked;
  report.unmarked = count_unmarked(*set_, present, asked);
  if (!asked) return std::unexpected(asked.error());
  report.keys = set_->stats().keys;
  if (set_->exact() && report.keys > present.size()) report.lost = report.keys - present.size();
  // The journal names admitted fingerprints one by one, so that it finds the lost for approximate sets too.
  std::uint64_t lost_in_journal = 0;
  JournalVisitor visitor;
  visitor.fingerprints = [&](const std::vector<dedup::Fingerprint>& fingerprints) {
    for (const auto& fingerprint : fingerprints)
      if (!present.contains(fingerprint)) ++lost_in_journal;
  };
  if (auto replayed = replay(checkpoint_.trimmed_to, visitor); !replayed)
    return std::unexpected(replayed.error());
  report.lost = std::max(report.lost, lost_in_journal);
  auto hosts = for_each_host([&](HostId id, const HostRecord& record) {
    const auto tally = tallies.find(id);
    compare_host(record, tally == tallies.end() ? QueueTally{} : tally->second, report);
    if (tally != tallies.end()) tallies.erase(tally);
  });
  if (!hosts) return std::unexpected(hosts.error());
  report.hosts_wrong += tallies.size();  // queues without a host
  return report;
}

Result<CheckReport> StateReader::check(const KeyRules& rules) const {
  std::string key;
  return check([&](std::string_view text) {
    key.clear();
    if (const auto url = parse_url(text)) rules.append_key(key, *url);
    return dedup::fingerprint(key, secret_);
  });
}

Result<Explanation> StateReader::explain(const Url& url, const KeyRules& rules) const {
  const std::string key(rules.key(url).text());
  const auto same_key = [&](std::string_view origin_text, std::string_view path) {
    const auto waiting = parse_url(std::string(origin_text).append(path));
    return waiting && rules.key(*waiting).text() == key;
  };
  return explain_at(origins_of_key(wire_form(url), rules), same_key, dedup::fingerprint(key, secret_));
}

}  // namespace weir::frontier::local
