// LeaseTable: what is out with the fetchers, by id, in order of expiry (all leases last equally long). A lease
// remembers its entry's bytes, so that a retry or a return needs no read. Also remembers a bounded number of
// leases that expired, so that a late settlement can still close the URL if nobody else has it by then.
// Single-threaded; nothing of it is durable.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/clock.h"
#include "frontier/local/layout.h"
#include "frontier/messages.h"

namespace weir::frontier::local {

struct LeaseRecord {
  LeaseId id = 0;
  LeaseKind kind = LeaseKind::kPage;
  std::uint32_t slot = 0;  // of the host
  QueueKey key;            // kPage; key.host always
  std::string value;       // kPage: the QueueEntry
  MonoTime expires{};
  std::uint64_t settled_in = 0;  // number of the turn that is closing it; 0: none
};

class LeaseTable {
 public:
  static constexpr std::size_t kExpiredMax = 4096;  // late settlements remembered

  LeaseRecord& add(LeaseRecord record);  // gives it the next id
  LeaseRecord* find(LeaseId id);         // null: expired or never was
  void erase(LeaseId id);
  LeaseRecord* oldest();  // the next to expire; null: none
  std::size_t size() const { return by_id_.size(); }
  auto begin() { return leases_.begin(); }
  auto end() { return leases_.end(); }

  // Moves a lease to the expired ones. Until the entry is leased again, find_expired tells its key.
  void expire(LeaseId id);
  LeaseRecord* find_expired(LeaseId id);
  void forget_expired(LeaseId id);
  void forget_expired(const QueueKey& key);  // the entry was leased again
  std::deque<LeaseRecord>& expired() { return expired_; }

 private:
  std::list<LeaseRecord> leases_;
  std::unordered_map<LeaseId, std::list<LeaseRecord>::iterator> by_id_;
  std::deque<LeaseRecord> expired_;  // oldest first
  LeaseId next_id_ = 1;
};

}  // namespace weir::frontier::local
