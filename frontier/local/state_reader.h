// StateReader: a look into a state folder from outside the crawl: for explain, export and checks. It takes no
// lock, writes nothing and works beside a running crawl; it sees the moment it was opened. Costs: opening reads
// the log; explain walks the waiting URLs of one host; check reads everything. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/log.h"
#include "base/store.h"
#include "dedup/url_set.h"
#include "frontier/local/done_record.h"
#include "frontier/local/host_record.h"
#include "frontier/local/journal.h"
#include "frontier/local/layout.h"
#include "frontier/local/queue_entry.h"
#include "frontier/url/key_rules.h"
#include "frontier/url/url.h"

namespace weir::frontier::local {

enum class UrlState : std::uint8_t {
  kUnknown,  // never admitted
  kQueued,   // waiting, or leased to a fetcher this moment
  kDone,
  kFailed,
  kLost  // reads seen, and is nowhere: a false positive of the filter, or a broken state
};
std::string_view url_state_name(UrlState state);  // "unknown", "queued", ...

// What is known of a URL's host.
struct HostView {
  HostId id = 0;
  std::uint64_t pending = 0;
  std::optional<WallTime> held_until;
  std::optional<RobotsState> robots;
  std::optional<WallTime> robots_until;
  std::string robots_body;  // the rules as they are kept; empty: none
  Duration crawl_delay{0};
  std::uint8_t failures = 0;
  std::optional<Reason> given_up;
};

struct Explanation {
  UrlState state = UrlState::kUnknown;
  std::optional<dedup::Verdict> verdict;  // absent: no filter was loaded
  bool verdict_certain = false;           // false: kSeen is only probable
  std::uint16_t depth = 0;
  std::uint8_t attempts = 0;  // tries so far
  std::string parent;         // empty: a seed
  std::string tag;
  WallTime discovered{};
  std::optional<WallTime> not_before;  // kQueued, of a retry
  Reason reason = Reason::kOk;         // kDone, kFailed
  std::uint16_t status = 0;
  std::uint64_t bytes = 0;
  WallTime fetched{};
  std::string redirect;
  std::optional<HostView> host;  // absent: no URL of it was ever admitted
};

struct QueuedUrl {
  std::string url;
  std::string parent;
  QueueKey key;
  QueueEntry entry;  // borrows; valid during the call
};

// The invariant of law 4 in numbers: everything but the first three is 0 in a sound state.
struct CheckReport {
  std::uint64_t queued = 0;
  std::uint64_t done = 0;
  std::uint64_t keys = 0;          // in the filter
  std::uint64_t lost = 0;          // read seen (or are in the journal), and are neither queued nor done
  std::uint64_t unmarked = 0;      // queued or done, and read new
  std::uint64_t queued_twice = 0;  // queued in two places, or queued and done
  std::uint64_t hosts_wrong = 0;   // the record counts other than the queue holds
  std::uint64_t below_cursor = 0;  // waiting where no reader will look

  bool sound() const { return lost + unmarked + queued_twice + hosts_wrong + below_cursor == 0; }
};

class StateReader {
 public:
  // kState: no state there, or made by another version.
  static Result<std::unique_ptr<StateReader>> open(const std::string& path, Log& log);

  // Fills `set`, which must be empty and of the crawl's backend, with what was admitted, and keeps it.
  Result<void> load_filter(std::unique_ptr<dedup::UrlSet> set);

  // By key: a URL that waits in another spelling, under `rules` (the state's own) perhaps on another host, is
  // found too. Costs a parse of every waiting URL of these hosts.
  Result<Explanation> explain(const Url& url, const KeyRules& rules) const;
  // The same for a URL that is given as wire form, length of its origin, and fingerprint; found as it is.
  Result<Explanation> explain(std::string_view url, std::size_t origin_length,
                              const dedup::Fingerprint& fingerprint) const;

  // In order of host and service. Return false from `visit` to stop.
  Result<void> for_each_queued(const std::function<bool(const QueuedUrl&)>& visit) const;
  // In order of fingerprint.
  Result<void> for_each_done(
      const std::function<bool(const dedup::Fingerprint&, const DoneRecord&)>& visit) const;

  // In order of id; the newest record of each host that was ever seen.
  Result<void> for_each_host(const std::function<void(HostId, const HostRecord&)>& visit) const;

  // One family as it is stored, in order of its keys; an error of `visit` ends the walk.
  Result<void> for_each_raw(
      Family family,
      const std::function<Result<void>(std::string_view key, std::string_view value)>& visit) const;

  // Number of the last commit.
  Result<std::uint64_t> last_commit() const;

  // Needs a loaded filter. `fingerprint_of` names the key of a waiting URL.
  using FingerprintOf = std::function<dedup::Fingerprint(std::string_view url)>;
  Result<CheckReport> check(const FingerprintOf& fingerprint_of) const;
  Result<CheckReport> check(const KeyRules& rules) const;  // by the state's rules and its secret

  const dedup::Secret& secret() const { return secret_; }
  const Totals& totals() const { return totals_; }
  const std::string& key_rules() const { return key_rules_; }  // KeyRules::text() of the state

 private:
  StateReader(std::string path, std::unique_ptr<Store> store)
      : path_(std::move(path)), store_(std::move(store)) {}
  Result<void> read_identity();
  Result<void> read_journal();
  // Every journal record above `commit`, in order.
  Result<void> replay(std::uint64_t commit, const JournalVisitor& visitor) const;
  // The newest record of the host, with its origin: of the journal, else of family h.
  Result<std::string> host_bytes(HostId id) const;
  using Matches = std::function<bool(std::string_view origin, std::string_view path)>;
  // `origins`: whose queues are looked through, the URL's own first.
  Result<Explanation> explain_at(std::span<const std::string> origins, const Matches& matches,
                                 const dedup::Fingerprint& fingerprint) const;
  Result<void> explain_host(std::string_view origin, const Matches& matches, Explanation& out) const;
  Result<void> explain_queued(std::string_view origin, HostId id, const Matches& matches,
                              Explanation& out) const;

  std::string path_;
  std::unique_ptr<Store> store_;
  dedup::Secret secret_{};
  CheckpointRecord checkpoint_;
  Totals totals_;
  std::string key_rules_;
  std::map<HostId, std::string> changed_;  // records of hosts that are newer in the journal than in family h
  std::unique_ptr<dedup::UrlSet> set_;
};

}  // namespace weir::frontier::local
