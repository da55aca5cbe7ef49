// Batches, removal and incremental growth of the exact set; its file form is in exact_set_payload.cc.
#include "dedup/exact_set.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/check.h"

namespace weir::dedup {
namespace {

constexpr std::uint64_t kSlotsMin = 1024;
constexpr std::uint64_t kLoadNumerator = 3;  // at most 3/4 full: beyond, probes grow faster than memory shrinks
constexpr std::uint64_t kLoadDenominator = 4;
constexpr std::uint64_t kMovesPerKey = 8;
constexpr std::uint64_t kMovesPerBatchMin = 64;
constexpr std::uint64_t kReleaseSlots = ZeroedMemory::kHugePageBytes / sizeof(Fingerprint);
constexpr std::size_t kPrefetchAhead = 64;  // 16 was slower in every run, 128 not clearly different
constexpr std::uint64_t kKeysMax = std::uint64_t{1} << 56;

// Growing by half from load 3/4 leaves room for 3/8 of the old slots; they must all be moved before.
static_assert(kMovesPerKey * 3 >= 8 * 2, "growth would not finish before the new table is full");

std::uint64_t keys_allowed(std::uint64_t slots) { return slots / kLoadDenominator * kLoadNumerator; }
// A batch that would fill the old table beyond this waits until everything is in the new one.
std::uint64_t crowded(std::uint64_t slots) { return slots / 16 * 13; }
std::uint64_t slots_for(std::uint64_t keys) {
  return std::max(kSlotsMin, (keys / kLoadNumerator + 1) * kLoadDenominator);
}

}  // namespace

Result<std::unique_ptr<ExactSet>> ExactSet::create(std::uint64_t capacity) {
  if (capacity > kKeysMax) {
    return fail(ErrorCode::kUsage, "a capacity of " + std::to_string(capacity) + " keys is beyond any memory");
  }
  auto table = FingerprintTable::create(slots_for(capacity));
  if (!table) return std::unexpected(table.error());
  std::unique_ptr<ExactSet> set(new ExactSet);
  set->current_ = std::move(*table);
  return set;
}

const FingerprintTable& ExactSet::table_of(const Fingerprint& key) const {
  if (!growing()) return current_;
  const std::uint64_t home = current_.home(key);
  const std::uint64_t from_origin = home >= origin_ ? home - origin_ : home + current_.slots() - origin_;
  return from_origin < moved_ ? next_ : current_;
}

FingerprintTable& ExactSet::table_of(const Fingerprint& key) {
  return const_cast<FingerprintTable&>(std::as_const(*this).table_of(key));
}

bool ExactSet::contains(const Fingerprint& key) const {
  return key == Fingerprint{} ? holds_zero_ : table_of(key).contains(key);
}

bool ExactSet::admit(const Fingerprint& key) {
  const bool fresh = key == Fingerprint{} ? !std::exchange(holds_zero_, true) : table_of(key).insert(key);
  keys_ += fresh ? 1 : 0;
  return fresh;
}

bool ExactSet::take_out(const Fingerprint& key) {
  const bool found = key == Fingerprint{} ? std::exchange(holds_zero_, false) : table_of(key).remove(key);
  if (found) {
    --keys_;
  } else {
    ++removals_refused_;
  }
  return found;
}

// Asks for each key's slot kPrefetchAhead keys before it is used, so that misses overlap.
template <typename Use>
void ExactSet::for_each_prefetched(std::span<const Fingerprint> batch, Use use) const {
  const auto fetch = [&](const Fingerprint& key) {
    const FingerprintTable& table = table_of(key);
    table.prefetch(table.home(key));
  };
  const std::size_t lead = std::min(kPrefetchAhead, batch.size());
  for (std::size_t i = 0; i < lead; ++i) fetch(batch[i]);
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (i + kPrefetchAhead < batch.size()) fetch(batch[i + kPrefetchAhead]);
    use(i);
  }
}

Result<void> ExactSet::test_and_set(std::span<const Fingerprint> batch, std::span<Verdict> verdicts) {
  WEIR_CHECK(batch.size() == verdicts.size());
  if (auto ready = prepare(batch.size()); !ready) return ready;
  for_each_prefetched(batch,
                      [&](std::size_t i) { verdicts[i] = admit(batch[i]) ? Verdict::kNew : Verdict::kSeen; });
  return {};
}

Result<void> ExactSet::test(std::span<const Fingerprint> batch, std::span<Verdict> verdicts) const {
  WEIR_CHECK(batch.size() == verdicts.size());
  for_each_prefetched(
      batch, [&](std::size_t i) { verdicts[i] = contains(batch[i]) ? Verdict::kSeen : Verdict::kNew; });
  return {};
}

Result<void> ExactSet::insert(std::span<const Fingerprint> batch) {
  if (auto ready = prepare(batch.size()); !ready) return ready;
  for_each_prefetched(batch, [&](std::size_t i) { admit(batch[i]); });
  return {};
}

Result<void> ExactSet::remove(std::span<const Fingerprint> receipts, std::span<bool> removed) {
  WEIR_CHECK(receipts.size() == removed.size());
  for_each_prefetched(receipts, [&](std::size_t i) { removed[i] = take_out(receipts[i]); });
  return {};
}

SetStats ExactSet::stats() const {
  SetStats stats;
  stats.keys = keys_;
  stats.bytes = current_.bytes() + next_.bytes() - (growing() ? released_ * sizeof(Fingerprint) : 0);
  stats.removals_refused = removals_refused_;
  return stats;
}

// Room for `batch` more keys, and this batch's share of the moving. Nothing changes where memory is refused.
Result<void> ExactSet::prepare(std::uint64_t batch) {
  if (growing() && keys_ + batch > keys_allowed(next_.slots())) move_everything();  // a batch of unusual size
  if (growing()) move_some(std::max(kMovesPerBatchMin, kMovesPerKey * batch));
  if (!growing() && keys_ + batch > keys_allowed(current_.slots())) return start_growing(keys_ + batch);
  return {};
}

Result<void> ExactSet::start_growing(std::uint64_t keys_wanted) {
  const std::uint64_t slots = std::max(current_.slots() + current_.slots() / 2, slots_for(keys_wanted));
  auto table = FingerprintTable::create(slots);
  if (!table) return std::unexpected(table.error());
  next_ = std::move(*table);
  origin_ = 0;
  while (current_.at(origin_) != Fingerprint{}) ++origin_;
  moved_ = 1;  // the empty slot itself: its keys have the new table for a home from now on
  released_ = 0;
  if (keys_wanted > crowded(current_.slots())) {
    move_everything();
  } else {
    move_some(kMovesPerBatchMin);
  }
  return {};
}

// Ends only behind an empty slot, so that no cluster is split between the tables.
void ExactSet::move_some(std::uint64_t slots_wanted) {
  // Keys that spilled over the end of the old table can have filled all that was moved (in practice only in a
  // tiny one); then the next cluster is no longer a whole one.
  if (current_.at(slot_of_current(moved_ - 1)) != Fingerprint{}) return move_everything();
  const std::uint64_t goal = std::min(current_.slots(), moved_ + slots_wanted);
  bool between_clusters = false;
  while (moved_ < goal || !between_clusters) {
    between_clusters = !move_slot(slot_of_current(moved_));
    ++moved_;
  }
  if (moved_ >= current_.slots()) {
    current_ = std::exchange(next_, FingerprintTable{});
  } else if (moved_ - released_ >= kReleaseSlots) {
    release_moved();
  }
}

void ExactSet::move_everything() {
  for (std::uint64_t slot = 0; slot < current_.slots(); ++slot) move_slot(slot);
  current_ = std::exchange(next_, FingerprintTable{});
}

std::uint64_t ExactSet::slot_of_current(std::uint64_t from_origin) const {
  std::uint64_t slot = origin_ + from_origin;
  while (slot >= current_.slots()) slot -= current_.slots();
  return slot;
}

// False where the slot was empty.
bool ExactSet::move_slot(std::uint64_t slot) {
  const Fingerprint key = current_.at(slot);
  if (key == Fingerprint{}) return false;
  next_.insert(key);
  current_.clear(slot);
  return true;
}

void ExactSet::release_moved() {
  const std::uint64_t from = slot_of_current(released_);
  const std::uint64_t to = slot_of_current(moved_);
  if (from < to) {
    current_.release(from, to);
  } else {
    current_.release(from, current_.slots());
    current_.release(0, to);
  }
  released_ = moved_;
}

}  // namespace weir::dedup
