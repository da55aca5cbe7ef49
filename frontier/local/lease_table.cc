// The expired ones are few (a fetcher hung or died), so that a linear search is enough.
#include "frontier/local/lease_table.h"

#include <algorithm>

namespace weir::frontier::local {

LeaseRecord& LeaseTable::add(LeaseRecord record) {
  record.id = next_id_++;
  leases_.push_back(std::move(record));
  by_id_.emplace(leases_.back().id, std::prev(leases_.end()));
  return leases_.back();
}

LeaseRecord* LeaseTable::find(LeaseId id) {
  const auto found = by_id_.find(id);
  return found == by_id_.end() ? nullptr : &*found->second;
}

void LeaseTable::erase(LeaseId id) {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return;
  leases_.erase(found->second);
  by_id_.erase(found);
}

LeaseRecord* LeaseTable::oldest() { return leases_.empty() ? nullptr : &leases_.front(); }

void LeaseTable::expire(LeaseId id) {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return;
  if (found->second->kind == LeaseKind::kPage) {
    if (expired_.size() == kExpiredMax) expired_.pop_front();
    expired_.push_back(std::move(*found->second));
  }
  leases_.erase(found->second);
  by_id_.erase(found);
}

LeaseRecord* LeaseTable::find_expired(LeaseId id) {
  const auto found = std::ranges::find(expired_, id, &LeaseRecord::id);
  return found == expired_.end() ? nullptr : &*found;
}

void LeaseTable::forget_expired(LeaseId id) {
  if (expired_.empty()) return;
  std::erase_if(expired_, [&](const LeaseRecord& lease) { return lease.id == id; });
}

void LeaseTable::forget_expired(const QueueKey& key) {
  if (expired_.empty()) return;
  std::erase_if(expired_, [&](const LeaseRecord& lease) {
    return lease.key.host == key.host && lease.key.queue_class == key.queue_class && lease.key.seq == key.seq;
  });
}

}  // namespace weir::frontier::local
