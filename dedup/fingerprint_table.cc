// Deletion by backward shift (Knuth, TAOCP 6.4, algorithm R) and the memory behind the slots.
#include "dedup/fingerprint_table.h"

#include <limits>
#include <memory>
#include <utility>

namespace weir::dedup {

Result<FingerprintTable> FingerprintTable::create(std::uint64_t slots) {
  if (slots > std::numeric_limits<std::size_t>::max() / sizeof(Fingerprint)) {
    return fail(ErrorCode::kRuntime, "an exact set of " + std::to_string(slots) +
                                         " slots does not fit any memory: lower the capacity");
  }
  auto memory = ZeroedMemory::allocate(slots * sizeof(Fingerprint));
  if (!memory) return std::unexpected(memory.error());
  FingerprintTable table;
  table.memory_ = std::move(*memory);
  table.data_ = static_cast<Fingerprint*>(table.memory_.data());
  table.slots_ = slots;
  return table;
}

bool FingerprintTable::remove(const Fingerprint& key) {
  std::uint64_t gap = find(key);
  if (data_[gap] != key) return false;
  for (std::uint64_t slot = next(gap); data_[slot] != Fingerprint{}; slot = next(slot)) {
    // A follower may fill the gap only if that does not put it before its home.
    if (distance(home(data_[slot]), slot) < distance(gap, slot)) continue;
    data_[gap] = data_[slot];
    gap = slot;
  }
  data_[gap] = {};
  return true;
}

void FingerprintTable::release(std::uint64_t from, std::uint64_t to) {
  memory_.release(from * sizeof(Fingerprint), to * sizeof(Fingerprint));
}

}  // namespace weir::dedup
