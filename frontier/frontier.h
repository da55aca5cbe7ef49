// Frontier: the queue of URLs and the rules of when each may be fetched. A single-owner state machine without
// threads, clock or sockets of its own: one thread calls it, time is handed in, so that the same code runs in
// a seeded simulation. Implementations: local/engine.h (RocksDB), tests/support/memory_frontier.h (oracle).
//
// One round of the owner's loop: turn() with the settlements that came in, then lease() for what is due.
//
// Durability (decisions/0002): when turn() returns, everything it was given survives `kill -9`; with
// Durability::kInterval power loss loses at most one sync interval; with kCommit nothing. Leases are not
// durable: after a restart what was leased is leased again. A key that reads seen is queued, leased or done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "dedup/url_set.h"
#include "frontier/messages.h"

namespace weir::frontier {

enum class Durability : std::uint8_t { kOs, kInterval, kCommit };

struct TurnReport {
  std::uint64_t commit = 0;      // number of the durable commit; unchanged when there was nothing to do
  std::uint32_t admitted = 0;    // candidates that were new and are now queued
  std::uint32_t duplicates = 0;  // candidates the dedup stage had seen
  std::uint32_t retried = 0;
  std::uint32_t failed = 0;  // settled as final failures, given-up retries included
  std::uint32_t stale = 0;   // settlements of leases that had expired
};

struct FrontierStats {
  std::uint64_t admitted = 0;  // since the state was made
  std::uint64_t duplicates = 0;
  std::uint64_t done = 0;  // settled with an answer
  std::uint64_t failed = 0;
  std::uint64_t queued = 0;  // waiting now
  std::uint64_t leased = 0;
  std::uint64_t hosts = 0;         // known
  std::uint64_t hosts_active = 0;  // in memory
  std::uint64_t window_bytes = 0;  // queue heads held in memory
  std::uint64_t window_hits = 0;   // URLs leased without a read
  std::uint64_t window_refills = 0;
  std::uint64_t checkpoints = 0;
  dedup::SetStats dedup;
};

class Frontier {
 public:
  virtual ~Frontier() = default;

  // Settles, asks the dedup stage about all candidates (one call) and commits the outcome as one batch.
  // On error nothing of it counts: kRetry (disk full: call recover(), then again with the same arguments) or
  // kState. Settlements and batches are only read. Cost: O(candidates + settlements).
  virtual Result<TurnReport> turn(std::span<const Settlement> settled, std::span<const CandidateBatch> injected,
                                  Now now) = 0;

  // Appends at most `limit` leases of hosts that are due. Never waits, never scans: O(leases).
  virtual Result<std::size_t> lease(std::size_t limit, Now now, std::vector<Lease>& out) = 0;

  // When lease() may next yield something that is not leased now; nullopt: nothing waits.
  virtual std::optional<MonoTime> next_due(Now now) const = 0;

  // True when nothing is queued and nothing leased.
  virtual bool drained() const = 0;

  // Publishes the dedup snapshot and the host table, so that the next start replays little.
  virtual Result<void> checkpoint(Now now) = 0;

  // Closes and reopens the store after a failed commit (facts: RocksDB stays broken after a full disk).
  virtual Result<void> recover(Now now) = 0;

  // Checkpoint, sync, close. The object is unusable afterwards. Outstanding leases return to their queues.
  virtual Result<void> close(Now now) = 0;

  virtual FrontierStats stats() const = 0;
};

}  // namespace weir::frontier
