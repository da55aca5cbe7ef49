// Reading is by the same decoders as recovery; nothing is interpreted twice.
#include "frontier/local/state_reader.h"

#include <algorithm>

#include "base/coding.h"
#include "dedup/snapshot.h"
#include "frontier/local/layout.h"
#include "frontier/local/rekey_folder.h"
#include "frontier/local/state_folder.h"

namespace weir::frontier::local {
namespace {

std::unexpected<Error> damaged(std::string_view what) {
  return fail(ErrorCode::kState, std::string(what) + " is damaged: restore the state from a copy");
}

HostView view_of(HostId id, const HostRecord& record) {
  HostView view;
  view.id = id;
  view.pending = record.pending();
  if (record.hold) view.held_until = record.hold->until;
  view.robots = record.robots;
  if (record.robots) view.robots_until = record.robots_until.until;
  view.crawl_delay = record.crawl_delay;
  view.failures = record.failures;
  view.given_up = record.given_up;
  return view;
}

void explain_done(const DoneRecord& record, Explanation& out) {
  out.state = record.failed ? UrlState::kFailed : UrlState::kDone;
  out.depth = record.depth;
  out.attempts = record.attempts;
  out.parent = record.parent;
  out.tag = record.tag;
  out.discovered = record.discovered;
  out.reason = record.reason;
  out.status = record.status;
  out.bytes = record.bytes;
  out.fetched = record.fetched;
  out.redirect = record.redirect;
}

}  // namespace

std::string_view url_state_name(UrlState state) {
  switch (state) {
    case UrlState::kUnknown: return "unknown";
    case UrlState::kQueued: return "queued";
    case UrlState::kDone: return "done";
    case UrlState::kFailed: return "failed";
    case UrlState::kLost: return "lost";
  }
  return "unknown";
}

Result<std::unique_ptr<StateReader>> StateReader::open(const std::string& path, Log& log) {
  if (rekey_is_unfinished(path)) {
    return fail(ErrorCode::kState, "a rekey of '" + path +
                                       "' was cut short: start weir crawl or weir rekey on it, "
                                       "which finishes it");
  }
  if (!state_exists(path)) {
    return fail(ErrorCode::kState, "there is no crawl state in '" + path + "': name the folder of --state");
  }
  StoreOptions options;
  options.path = store_path(path);
  options.families = families();
  auto store = Store::open(options, StoreAccess::kReadOnly, log);
  if (!store) return std::unexpected(store.error());
  std::unique_ptr<StateReader> reader(new StateReader(path, std::move(*store)));
  if (auto read = reader->read_identity(); !read) return std::unexpected(read.error());
  if (auto read = reader->read_journal(); !read) return std::unexpected(read.error());
  return reader;
}

Result<void> StateReader::read_identity() {
  auto format = store_->get(kMeta, kMetaFormat);
  if (!format) return std::unexpected(format.error());
  if (!*format || Reader(**format).u32() != kFormatVersion) {
    return fail(ErrorCode::kState,
                "the state '" + path_ + "' was made by another version of weir: read it with that");
  }
  auto rules = store_->get(kMeta, kMetaRules);
  if (!rules) return std::unexpected(rules.error());
  key_rules_ = rules->value_or(std::string(kNoKeyRules));
  auto secret = store_->get(kMeta, kMetaSecret);
  if (!secret) return std::unexpected(secret.error());
  if (!*secret || (*secret)->size() != secret_.size()) return damaged("the secret of '" + path_ + "'");
  std::ranges::transform(**secret, secret_.begin(), [](char c) { return static_cast<std::byte>(c); });
  return {};
}

Result<void> StateReader::read_journal() {
  auto stored = store_->get(kMeta, kMetaCheckpoint);
  if (!stored) return std::unexpected(stored.error());
  if (*stored) {
    auto decoded = decode_checkpoint(**stored);
    if (!decoded) return std::unexpected(decoded.error());
    checkpoint_ = *decoded;
    totals_ = checkpoint_.totals;
  }
  Result<void> applied;
  JournalVisitor visitor;
  visitor.totals = [this](const Totals& totals) { totals_ = totals; };
  visitor.host = [&](HostId id, const HostRecord& record) {
    HostRecord whole = record;
    const auto known = changed_.find(id);
    std::optional<std::string> bytes;
    if (whole.origin.empty()) {
      if (known != changed_.end()) {
        bytes = known->second;
      } else if (auto in_store = store_->get(kHosts, host_key(id)); in_store) {
        bytes = *in_store;
      }
      const auto older = bytes ? decode_host_record(*bytes) : std::nullopt;
      if (!older) applied = damaged("the record of host " + std::to_string(id));
      if (older) whole.origin = older->origin;
    }
    std::string encoded;
    append_host_record(encoded, whole);
    changed_[id] = std::move(encoded);
  };
  auto replayed = replay(checkpoint_.commit, visitor);
  return replayed ? applied : replayed;
}

Result<void> StateReader::replay(std::uint64_t commit, const JournalVisitor& visitor) const {
  auto cursor = store_->scan(kJournal, commit_key(commit + 1), {});
  for (; cursor.valid(); cursor.next()) {
    if (!decode_journal(cursor.value(), visitor)) return damaged("the journal");
  }
  return cursor.status();
}

Result<void> StateReader::load_filter(std::unique_ptr<dedup::UrlSet> set) {
  std::uint64_t stamp = checkpoint_.commit;
  if (set->snapshotable() != nullptr) {
    auto loaded = dedup::load_snapshot(*set, snapshot_path(path_), secret_);
    // A running crawl publishes a newer one at any moment: a stamp above our view only means that it knows
    // more.
    if (!loaded) return std::unexpected(loaded.error());
    stamp = *loaded;
  }
  Result<void> applied;
  JournalVisitor visitor;
  visitor.fingerprints = [&](const std::vector<dedup::Fingerprint>& fingerprints) {
    if (applied && !fingerprints.empty()) applied = set->insert(fingerprints);
  };
  if (auto replayed = replay(stamp, visitor); !replayed) return replayed;
  if (applied) set_ = std::move(set);
  return applied;
}

Result<std::string> StateReader::host_bytes(HostId id) const {
  if (const auto changed = changed_.find(id); changed != changed_.end()) return changed->second;
  auto bytes = store_->get(kHosts, host_key(id));
  if (!bytes) return std::unexpected(bytes.error());
  if (!*bytes) return damaged("the record of host " + std::to_string(id));
  return std::move(**bytes);
}

Result<void> StateReader::explain_queued(std::string_view origin, HostId id, const Matches& matches,
                                         Explanation& out) const {
  auto cursor = store_->scan(kQueue, host_key(id), id == HostId(-1) ? std::string() : host_key(id + 1));
  for (; cursor.valid(); cursor.next()) {
    const auto entry = decode_queue_entry(cursor.value());
    if (!entry) return damaged("a queue entry of '" + std::string(origin) + "'");
    if (!matches(origin, entry->path)) continue;
    out.state = UrlState::kQueued;
    out.depth = entry->depth;
    out.attempts = entry->attempt;
    out.parent = parent_url(*entry, origin);
    out.tag = entry->tag;
    out.discovered = entry->discovered;
    if (entry->attempt > 0) out.not_before = entry->not_before;
    return {};
  }
  return cursor.status();
}

Result<Explanation> StateReader::explain(std::string_view url, std::size_t origin_length,
                                         const dedup::Fingerprint& fingerprint) const {
  const std::string origin(url.substr(0, origin_length));
  const auto same_path = [&](std::string_view, std::string_view path) {
    return path == url.substr(origin_length);
  };
  return explain_at({&origin, 1}, same_path, fingerprint);
}

Result<void> StateReader::explain_host(std::string_view origin, const Matches& matches,
                                       Explanation& out) const {
  auto name = store_->get(kHostNames, origin);
  if (!name) return std::unexpected(name.error());
  if (!*name) return {};
  const HostId id = decode_host_key(**name);
  auto bytes = host_bytes(id);
  if (!bytes) return std::unexpected(bytes.error());
  const auto record = decode_host_record(*bytes);
  if (!record) return damaged("the record of '" + std::string(origin) + "'");
  if (!out.host) {
    out.host = view_of(id, *record);
    auto robots = store_->get(kRobots, host_key(id));
    if (!robots) return std::unexpected(robots.error());
    if (*robots) out.host->robots_body = **std::move(robots);
  }
  return explain_queued(origin, id, matches, out);
}

Result<Explanation> StateReader::explain_at(std::span<const std::string> origins, const Matches& matches,
                                            const dedup::Fingerprint& fingerprint) const {
  Explanation out;
  for (const std::string& origin : origins) {
    if (out.state == UrlState::kQueued) break;
    if (auto found = explain_host(origin, matches, out); !found) return std::unexpected(found.error());
  }
  std::string key;
  append_fingerprint_key(key, fingerprint);
  auto done = store_->get(kDone, key);
  if (!done) return std::unexpected(done.error());
  if (*done) {
    const auto record = decode_done_record(**done);
    if (!record) return damaged("a record of family d");
    // What waits besides is the target of this redirect, under the same key.
    const bool waits = out.state == UrlState::kQueued && record->reason == Reason::kRedirect;
    if (!waits) explain_done(*record, out);
  }
  if (set_) {
    dedup::Verdict verdict{};
    if (auto asked = set_->test({&fingerprint, 1}, {&verdict, 1}); !asked)
      return std::unexpected(asked.error());
    out.verdict = verdict;
    out.verdict_certain = verdict == dedup::Verdict::kNew || set_->exact();
    if (verdict == dedup::Verdict::kSeen && out.state == UrlState::kUnknown) out.state = UrlState::kLost;
  }
  return out;
}

Result<void> StateReader::for_each_queued(const std::function<bool(const QueuedUrl&)>& visit) const {
  auto cursor = store_->scan(kQueue, {}, {});
  std::string origin;
  std::optional<HostId> origin_of;
  for (; cursor.valid(); cursor.next()) {
    const QueueKey key = decode_queue_key(cursor.key());
    if (origin_of != key.host) {
      auto bytes = host_bytes(key.host);
      if (!bytes) return std::unexpected(bytes.error());
      const auto record = decode_host_record(*bytes);
      if (!record) return damaged("the record of host " + std::to_string(key.host));
      origin = record->origin;
      origin_of = key.host;
    }
    const auto entry = decode_queue_entry(cursor.value());
    if (!entry) return damaged("a queue entry of '" + origin + "'");
    QueuedUrl url;
    url.url = origin + std::string(entry->path);
    url.parent = parent_url(*entry, origin);
    url.key = key;
    url.entry = *entry;
    if (!visit(url)) return {};
  }
  return cursor.status();
}

Result<void> StateReader::for_each_host(const std::function<void(HostId, const HostRecord&)>& visit) const {
  // New hosts are in the journal only, so that ids are walked rather than family h.
  for (std::uint64_t id = 0; id < totals_.next_host; ++id) {
    auto bytes = host_bytes(static_cast<HostId>(id));
    if (!bytes) return std::unexpected(bytes.error());
    const auto record = decode_host_record(*bytes);
    if (!record) return damaged("the record of host " + std::to_string(id));
    visit(static_cast<HostId>(id), *record);
  }
  return {};
}

Result<void> StateReader::for_each_raw(
    Family family,
    const std::function<Result<void>(std::string_view key, std::string_view value)>& visit) const {
  auto cursor = store_->scan(family, {}, {});
  for (; cursor.valid(); cursor.next()) {
    if (auto visited = visit(cursor.key(), cursor.value()); !visited) return visited;
  }
  return cursor.status();
}

Result<std::uint64_t> StateReader::last_commit() const {
  auto last = store_->last_key(kJournal);
  if (!last) return std::unexpected(last.error());
  return std::max(checkpoint_.commit, *last ? decode_commit_key(**last) : 0);
}

Result<void> StateReader::for_each_done(
    const std::function<bool(const dedup::Fingerprint&, const DoneRecord&)>& visit) const {
  auto cursor = store_->scan(kDone, {}, {});
  for (; cursor.valid(); cursor.next()) {
    const auto record = decode_done_record(cursor.value());
    if (!record) return damaged("a record of family d");
    if (!visit(decode_fingerprint_key(cursor.key()), *record)) return {};
  }
  return cursor.status();
}

}  // namespace weir::frontier::local
