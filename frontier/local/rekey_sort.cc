// Both families are walked side by side in order of the new key; one key at a time is decided.
#include "frontier/local/rekey_sort.h"

#include <algorithm>

#include "base/coding.h"

namespace weir::frontier::local {
namespace {

constexpr std::uint32_t kBatchRecords = 10'000;
constexpr std::size_t kFingerprintBytes = 16;
constexpr std::size_t kMemtableBytes = 16 << 20;
enum Sorted : std::size_t { kSortedDone, kSortedQueued, kRemoved };

constexpr std::uint8_t kRankClosing = 0;  // the page was answered, or has failed
constexpr std::uint8_t kRankHome = 1;  // a redirect to another spelling of itself: the answer is still to come

std::uint64_t sortable(WallTime time) { return static_cast<std::uint64_t>(time.time_since_epoch().count()); }

std::string_view fingerprint_of(const StoreCursor& cursor) { return cursor.key().substr(0, kFingerprintBytes); }

bool at(const StoreCursor& cursor, std::string_view fingerprint) {
  return cursor.valid() && fingerprint_of(cursor) == fingerprint;
}

}  // namespace

Result<std::unique_ptr<RekeySort>> RekeySort::open(const std::string& path, Log& log) {
  StoreOptions options;
  options.path = path;
  options.families = {
      {"done", kMemtableBytes, false}, {"queued", kMemtableBytes, false}, {"removed", kMemtableBytes, false}};
  auto store = Store::open(options, StoreAccess::kReadWrite, log);
  if (!store) return std::unexpected(store.error());
  return std::unique_ptr<RekeySort>(new RekeySort(std::move(*store)));
}

Result<void> RekeySort::put(std::size_t family, std::string_view value) {
  batch_.put(family, key_, value);
  return ++in_batch_ < kBatchRecords ? Result<void>() : flush();
}

Result<void> RekeySort::flush() {
  if (in_batch_ == 0) return {};
  auto written = store_->write(batch_, false);
  batch_.clear();
  in_batch_ = 0;
  return written;
}

Result<void> RekeySort::add_done(const dedup::Fingerprint& fingerprint, const dedup::Fingerprint& old,
                                 const DoneRecord& record, bool leads_home) {
  key_.clear();
  append_fingerprint_key(key_, fingerprint);
  put_u8(key_, leads_home ? kRankHome : kRankClosing);
  put_u64_be(key_, sortable(record.fetched));
  append_fingerprint_key(key_, old);
  value_.clear();
  append_done_record(value_, record);
  return put(kSortedDone, value_);
}

Result<void> RekeySort::add_queued(const dedup::Fingerprint& fingerprint, const QueueKey& key,
                                   const QueueEntry& entry) {
  key_.clear();
  append_fingerprint_key(key_, fingerprint);
  put_u8(key_, key.queue_class);
  put_u64_be(key_, sortable(entry.discovered));
  append_queue_key(key_, key);
  return put(kSortedQueued, {});
}

Result<RekeySort::Counts> RekeySort::settle(const DoneVisitor& keep_done, const KeyVisitor& keep_key) {
  if (auto flushed = flush(); !flushed) return std::unexpected(flushed.error());
  auto done = store_->scan(kSortedDone, {}, {});
  auto queued = store_->scan(kSortedQueued, {}, {});
  std::string fingerprint;
  while (done.valid() || queued.valid()) {
    const bool done_first = done.valid() && (!queued.valid() || fingerprint_of(done) <= fingerprint_of(queued));
    fingerprint = fingerprint_of(done_first ? done : queued);
    bool closed = false;
    if (auto kept = keep_key(decode_fingerprint_key(fingerprint)); !kept) return std::unexpected(kept.error());
    if (auto settled = settle_done(done, fingerprint, keep_done, closed); !settled)
      return std::unexpected(settled.error());
    if (auto settled = settle_queued(queued, fingerprint, closed); !settled)
      return std::unexpected(settled.error());
  }
  if (auto read = done.status(); !read) return std::unexpected(read.error());
  if (auto read = queued.status(); !read) return std::unexpected(read.error());
  if (auto flushed = flush(); !flushed) return std::unexpected(flushed.error());
  return counts_;
}

Result<void> RekeySort::settle_done(StoreCursor& done, const std::string& fingerprint,
                                    const DoneVisitor& keep_done, bool& closes_key) {
  for (bool first = true; at(done, fingerprint); done.next(), first = false) {
    const auto record = decode_done_record(done.value());
    const bool failed = record && record->failed;
    if (first) {
      closes_key = static_cast<std::uint8_t>(done.key()[kFingerprintBytes]) == kRankClosing;
      ++counts_.done;
      if (failed) ++counts_.failed;
      if (auto kept = keep_done(decode_fingerprint_key(fingerprint), done.value()); !kept) return kept;
    } else {
      ++counts_.done_merged;
      if (failed) ++counts_.failed_merged;
    }
  }
  return {};
}

Result<void> RekeySort::settle_queued(StoreCursor& queued, const std::string& fingerprint, bool closed) {
  constexpr std::size_t kQueueKeyAt = kFingerprintBytes + 1 + 8;
  for (bool first = true; at(queued, fingerprint); queued.next(), first = false) {
    if (first && !closed) {
      ++counts_.queued;
      continue;
    }
    ++(closed ? counts_.queued_already_done : counts_.queued_merged);
    key_ = queued.key().substr(kQueueKeyAt);
    if (auto removed = put(kRemoved, {}); !removed) return removed;
  }
  return {};
}

Result<void> RekeySort::for_each_removed(std::string_view from, std::string_view to,
                                         const std::function<void(const QueueKey&)>& visit) const {
  auto removed = store_->scan(kRemoved, from, to);
  for (; removed.valid(); removed.next()) visit(decode_queue_key(removed.key()));
  return removed.status();
}

}  // namespace weir::frontier::local
