// FingerprintTable: a fixed number of 16-byte slots with linear probing; the home of a fingerprint is its
// high word scaled to the slot count ("fastrange"), so tables of any two sizes hold their keys in the same
// order. ExactSet grows by moving clusters from one table to the next; this class never resizes itself.
//
//   slot   | hi 8 bytes | lo 8 bytes |     both 0: empty. The zero fingerprint is the owner's to keep.
//
// Cost: one cache miss and about 1/(1-load)^2 / 2 slots per key. One owner, no locks.
#pragma once

#include <cstdint>

#include "dedup/fingerprint.h"
#include "dedup/zeroed_memory.h"

namespace weir::dedup {

class FingerprintTable {
 public:
  FingerprintTable() = default;
  static Result<FingerprintTable> create(std::uint64_t slots);

  std::uint64_t slots() const { return slots_; }
  std::uint64_t bytes() const { return memory_.bytes(); }

  std::uint64_t home(const Fingerprint& key) const {
    return static_cast<std::uint64_t>((static_cast<__uint128_t>(key.hi) * slots_) >> 64);
  }
  void prefetch(std::uint64_t slot) const { __builtin_prefetch(&data_[slot], 1); }

  // All of these need a key that is not zero, and a table with an empty slot.
  bool contains(const Fingerprint& key) const { return data_[find(key)] == key; }
  // False where the key was inside already.
  bool insert(const Fingerprint& key) {
    Fingerprint& slot = data_[find(key)];
    if (slot == key) return false;
    slot = key;
    return true;
  }
  // Closes the gap by moving followers back, so that no tombstones pile up.
  bool remove(const Fingerprint& key);

  const Fingerprint& at(std::uint64_t slot) const { return data_[slot]; }
  void clear(std::uint64_t slot) { data_[slot] = {}; }
  // Gives the memory of the empty slots [from, to) back to the system.
  void release(std::uint64_t from, std::uint64_t to);

 private:
  std::uint64_t next(std::uint64_t slot) const { return slot + 1 == slots_ ? 0 : slot + 1; }
  // Slots from `from` forward to `to`, round the end.
  std::uint64_t distance(std::uint64_t from, std::uint64_t to) const {
    return to >= from ? to - from : to + slots_ - from;
  }
  // The key's slot, or the empty slot where it belongs.
  std::uint64_t find(const Fingerprint& key) const {
    std::uint64_t slot = home(key);
    while (data_[slot] != Fingerprint{} && data_[slot] != key) slot = next(slot);
    return slot;
  }

  ZeroedMemory memory_;
  Fingerprint* data_ = nullptr;  // inside memory_
  std::uint64_t slots_ = 0;
};

}  // namespace weir::dedup
