// Three passes: everything known goes through the sorter under its new key; what stays is written into the
// draft; hosts and robots.txt are copied, with the counts that are left. Then the folders change places.
#include "frontier/local/rekey.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "base/coding.h"
#include "dedup/snapshot.h"
#include "frontier/local/journal.h"
#include "frontier/local/rekey_sort.h"
#include "frontier/local/state_folder.h"
#include "frontier/local/state_reader.h"

namespace weir::frontier::local {
namespace {

constexpr std::uint32_t kBatchRecords = 10'000;
constexpr std::size_t kJournalFingerprints = 10'000;  // per record, and per insertion into the set

std::uint64_t minus(std::uint64_t from, std::uint64_t count) { return from - std::min(from, count); }

// The store of the new state, in the draft folder.
class Draft {
 public:
  static Result<std::unique_ptr<Draft>> open(const std::string& folder, Log& log) {
    StoreOptions options;
    options.path = store_path(folder);
    options.families = families();
    auto store = Store::open(options, StoreAccess::kReadWrite, log);
    if (!store) return std::unexpected(store.error());
    return std::make_unique<Draft>(std::move(*store));
  }
  explicit Draft(std::unique_ptr<Store> store) : store_(std::move(store)), batch_(store_->batch()) {}

  Result<void> put(Family family, std::string_view key, std::string_view value) {
    batch_.put(family, key, value);
    if (++in_batch_ < kBatchRecords) return {};
    return flush();
  }
  Result<void> finish() {
    if (auto flushed = flush(); !flushed) return flushed;
    if (auto synced = store_->sync(); !synced) return synced;
    return store_->close();
  }

 private:
  Result<void> flush() {
    auto written = store_->write(batch_, false);
    batch_.clear();
    in_batch_ = 0;
    return written;
  }

  std::unique_ptr<Store> store_;
  StoreBatch batch_;
  std::uint32_t in_batch_ = 0;
};

class Rekeying {
 public:
  Rekeying(const RekeyOptions& options, const KeyRules& rules, const StateReader& old, dedup::UrlSet& set,
           Log& log)
      : options_(options), rules_(rules), old_(old), set_(set), log_(log) {}

  Result<RekeyReport> run() {
    const std::string folder = rekey_draft_path(options_.path);
    Result<void> done = start_rekey_draft(options_.path);
    if (done) done = open(folder);
    if (done) done = sort_done();
    if (done) done = sort_queued();
    if (done) done = settle();
    if (done) done = copy_queue();
    if (done) done = copy_hosts();
    if (done) done = copy_family(kHostNames);
    if (done) done = copy_family(kRobots);
    if (done) done = write_identity();
    if (done) done = draft_->finish();
    if (done) done = drop_sorter(folder);
    if (done) done = report(RekeyStep::kStoreWritten);
    if (done) done = save_snapshots(folder);
    if (done) done = report(RekeyStep::kSnapshotsWritten);
    if (!done) return std::unexpected(done.error());
    return make_report();
  }

 private:
  Result<void> report(RekeyStep step) { return options_.after ? options_.after(step) : Result<void>(); }

  Result<void> open(const std::string& folder) {
    auto sorter = RekeySort::open(folder + "/sort", log_);
    if (!sorter) return std::unexpected(sorter.error());
    sorter_ = std::move(*sorter);
    auto draft = Draft::open(folder, log_);
    if (!draft) return std::unexpected(draft.error());
    draft_ = std::move(*draft);
    auto last = old_.last_commit();
    if (!last) return std::unexpected(last.error());
    trimmed_to_ = commit_ = *last;
    return {};
  }

  Result<dedup::Fingerprint> fingerprint(std::string_view text) {
    const auto url = parse_url(text);
    if (!url)
      return fail(ErrorCode::kState, "'" + std::string(text) + "' is no URL: restore the state from a copy");
    key_.clear();
    rules_.append_key(key_, *url);
    return dedup::fingerprint(key_, old_.secret());
  }

  // A redirect to another spelling of its own page, under the new rules.
  bool leads_home(const DoneRecord& record) const {
    if (record.reason != Reason::kRedirect) return false;
    const auto from = parse_url(record.url);
    const auto to = parse_url(record.redirect);
    return from && to && rules_.key(*from) == rules_.key(*to) && canonical_key(*from) != canonical_key(*to);
  }

  Result<void> sort_done() {
    Result<void> result;
    auto walked = old_.for_each_done([&](const dedup::Fingerprint& old, const DoneRecord& record) {
      const auto key = fingerprint(record.url);
      result = key ? sorter_->add_done(*key, old, record, leads_home(record)) : std::unexpected(key.error());
      return result.has_value();
    });
    return walked ? result : walked;
  }

  Result<void> sort_queued() {
    Result<void> result;
    auto walked = old_.for_each_queued([&](const QueuedUrl& url) {
      const auto key = fingerprint(url.url);
      result = key ? sorter_->add_queued(*key, url.key, url.entry) : std::unexpected(key.error());
      return result.has_value();
    });
    return walked ? result : walked;
  }

  Result<void> settle() {
    const auto keep_done = [this](const dedup::Fingerprint& fingerprint, std::string_view record) {
      key_.clear();
      append_fingerprint_key(key_, fingerprint);
      return draft_->put(kDone, key_, record);
    };
    const auto keep_key = [this](const dedup::Fingerprint& fingerprint) -> Result<void> {
      keys_.push_back(fingerprint);
      return keys_.size() < kJournalFingerprints ? Result<void>() : write_keys();
    };
    auto counts = sorter_->settle(keep_done, keep_key);
    if (!counts) return std::unexpected(counts.error());
    counts_ = *counts;
    const std::uint64_t merged = counts_.queued_merged + counts_.queued_already_done + counts_.done_merged;
    totals_ = old_.totals();
    totals_.admitted = minus(totals_.admitted, merged);
    totals_.duplicates += merged;
    totals_.done = minus(totals_.done, counts_.done_merged - counts_.failed_merged);
    totals_.failed = minus(totals_.failed, counts_.failed_merged);
    return write_keys();
  }

  // The admitted keys into set and journal: sets that grow by being rebuilt need the whole of it.
  Result<void> write_keys() {
    if (keys_.empty()) return {};
    if (auto inserted = set_.insert(keys_); !inserted) return inserted;
    JournalRecord record;
    for (const auto& fingerprint : keys_) record.add_fingerprint(fingerprint);
    keys_.clear();
    std::string value;
    record.encode(value, totals_);
    return draft_->put(kJournal, commit_key(++commit_), value);
  }

  // Both walks are in order of the queue key.
  Result<void> copy_queue() {
    std::vector<QueueKey> removed;  // of one host
    std::size_t next = 0;           // the first of them that has not been met
    std::optional<HostId> host;
    return old_.for_each_raw(kQueue, [&](std::string_view key, std::string_view value) -> Result<void> {
      const QueueKey at = decode_queue_key(key);
      if (host != at.host) {
        if (auto read = read_removed(at.host, removed); !read) return read;
        host = at.host;
        next = 0;
      }
      const bool is_removed =
          next < removed.size() && removed[next].queue_class == at.queue_class && removed[next].seq == at.seq;
      if (!is_removed) return draft_->put(kQueue, key, value);
      ++next;
      return {};
    });
  }

  Result<void> read_removed(HostId host, std::vector<QueueKey>& removed) const {
    removed.clear();
    const std::string end = host == HostId(-1) ? std::string() : host_key(host + 1);
    return sorter_->for_each_removed(host_key(host), end, [&](const QueueKey& key) { removed.push_back(key); });
  }

  Result<void> copy_hosts() {
    Result<void> result;
    std::vector<QueueKey> removed;
    std::string value;
    auto walked = old_.for_each_host([&](HostId id, const HostRecord& old) {
      if (!result) return;
      result = read_removed(id, removed);
      HostRecord record = old;
      record.queue_count = 0;
      for (std::size_t i = 0; i < old.queue_count; ++i) {
        QueueRecord queue = old.queues[i];
        const auto in_class = [&](const QueueKey& key) { return key.queue_class == queue.queue_class; };
        queue.pending -= static_cast<std::uint64_t>(std::ranges::count_if(removed, in_class));
        if (queue.pending > 0) record.queues[record.queue_count++] = queue;
      }
      value.clear();
      append_host_record(value, record);
      if (result) result = draft_->put(kHosts, host_key(id), value);
    });
    return walked ? result : walked;
  }

  Result<void> copy_family(Family family) {
    return old_.for_each_raw(
        family, [&](std::string_view key, std::string_view value) { return draft_->put(family, key, value); });
  }

  Result<void> write_identity() {
    CheckpointRecord checkpoint{commit_, trimmed_to_, totals_};
    std::string format;
    put_u32(format, kFormatVersion);
    std::string keys;
    put_u32(keys, kKeyRulesVersion);
    const dedup::Secret& secret = old_.secret();
    const std::pair<std::string_view, std::string> rows[] = {
        {kMetaFormat, format},
        {kMetaKeys, keys},
        {kMetaRules, rules_.text()},
        {kMetaSecret, std::string(reinterpret_cast<const char*>(secret.data()), secret.size())},
        {kMetaCheckpoint, encode_checkpoint(checkpoint)}};
    for (const auto& [name, value] : rows) {
      if (auto put = draft_->put(kMeta, name, value); !put) return put;
    }
    return {};
  }

  Result<void> drop_sorter(const std::string& folder) {
    sorter_.reset();
    std::error_code error;
    std::filesystem::remove_all(folder + "/sort", error);
    if (error) return fail(ErrorCode::kState, "cannot remove '" + folder + "/sort': " + error.message());
    return {};
  }

  // Twice: a start must find a second one when the first is damaged.
  Result<void> save_snapshots(const std::string& folder) {
    if (set_.snapshotable() == nullptr) return {};
    for (const std::string& path : {snapshot_path(folder), previous_snapshot_path(folder)}) {
      dedup::SnapshotOptions options;
      options.path = path;
      options.secret = old_.secret();
      if (auto saved = dedup::save_snapshot(set_, commit_, options); !saved) return saved;
    }
    return {};
  }

  RekeyReport make_report() const {
    RekeyReport out;
    out.changed = true;
    out.rules_before = old_.key_rules();
    out.queued = counts_.queued;
    out.queued_merged = counts_.queued_merged;
    out.queued_already_done = counts_.queued_already_done;
    out.done = counts_.done;
    out.done_merged = counts_.done_merged;
    return out;
  }

  const RekeyOptions& options_;
  const KeyRules& rules_;
  const StateReader& old_;
  dedup::UrlSet& set_;
  Log& log_;
  std::unique_ptr<RekeySort> sorter_;
  std::unique_ptr<Draft> draft_;
  RekeySort::Counts counts_;
  Totals totals_;
  std::uint64_t commit_ = 0;      // numbers go on: what was stamped with old ones must not look new again
  std::uint64_t trimmed_to_ = 0;  // the last commit of the old state
  std::vector<dedup::Fingerprint> keys_;
  std::string key_;
};

}  // namespace

Result<RekeyReport> rekey(const RekeyOptions& options, const KeyRules& rules,
                          std::unique_ptr<dedup::UrlSet> set, Log& log) {
  // Before the lock, which would make the folder.
  if (!state_exists(options.path) && !rekey_is_unfinished(options.path)) {
    return fail(ErrorCode::kState,
                "there is no crawl state in '" + options.path + "': name the folder of --state");
  }
  auto folder = StateFolder::open(options.path);
  if (!folder) return std::unexpected(folder.error());
  if (auto finished = finish_rekey(options.path); !finished) return std::unexpected(finished.error());
  auto old = StateReader::open(options.path, log);
  if (!old) return std::unexpected(old.error());
  if ((*old)->key_rules() == rules.text()) {
    RekeyReport same;
    same.rules_before = rules.text();
    return same;
  }
  auto report = Rekeying(options, rules, **old, *set, log).run();
  if (!report) return report;
  old->reset();
  if (auto published = publish_rekey_draft(options.path, options.after); !published)
    return std::unexpected(published.error());
  return report;
}

}  // namespace weir::frontier::local
