// Core: the local engine's parts in one place, and the few operations on them that turn, lease and recovery
// share. Internal to frontier/local. Everything but the lease table can be rebuilt from the state folder, which
// is what recover() does after a failed commit.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/store.h"
#include "frontier/local/engine.h"
#include "frontier/local/host_table.h"
#include "frontier/local/ip_gate.h"
#include "frontier/local/journal.h"
#include "frontier/local/lease_table.h"
#include "frontier/local/robots_cache.h"
#include "frontier/local/state_folder.h"
#include "frontier/local/timer_wheel.h"

namespace weir::frontier::local {

// Everything that recovery builds and a failed commit throws away.
struct Memory {
  explicit Memory(const LocalOptions& options, MonoTime start) : wheel(start), robots(options.robots_bytes) {}

  HostTable hosts;
  TimerWheel wheel;  // holds exactly the hosts that could be leased from, now or later
  RobotsCache robots;
  std::deque<Slot> idle;  // hosts without work, longest idle first; each at most once (Host::in_idle)
  Totals totals;
  std::uint64_t queued = 0;  // waiting URLs of all hosts
  std::size_t window_bytes = 0;
};

struct Counters {
  std::uint64_t window_hits = 0;
  std::uint64_t window_refills = 0;
  std::uint64_t checkpoints = 0;
};

struct Core {
  Core(const LocalOptions& settings, StateFolder state_folder, std::unique_ptr<dedup::UrlSet> url_set, Log& out)
      : options(settings),
        folder(std::move(state_folder)),
        set(std::move(url_set)),
        log(out),
        gate(settings.politeness.per_ip_delay) {}

  const LocalOptions options;
  StateFolder folder;  // the lock; released last
  std::unique_ptr<dedup::UrlSet> set;
  Log& log;
  std::unique_ptr<Store> store;
  dedup::Secret secret{};
  LeaseTable leases;  // survives recover()
  IpGate gate;        // likewise
  std::unique_ptr<Memory> memory;
  Counters counters;
  std::shared_ptr<const RobotsFile> no_rules = std::make_shared<const RobotsFile>();

  std::uint64_t commit = 0;              // number of the last durable commit
  std::uint64_t turn = 0;                // number of turns begun, failed ones included
  std::uint64_t checkpointed = 0;        // commit of the last checkpoint
  std::uint64_t snapshot_stamp = 0;      // commit in the snapshot the filter was last loaded from or saved to
  bool snapshot_in_place = false;        // false: the file under the first name is missing or damaged
  std::uint64_t trimmed_to = 0;          // the journal begins above this commit
  std::uint64_t fingerprints_since = 0;  // in the journal above the last checkpoint
  std::uint64_t checkpoint_after = 0;    // fingerprints_since that make a checkpoint due
  MonoTime last_checkpoint{};
  MonoTime last_sync{};
  std::uint64_t synced = 0;     // commit up to which the log is known to be on the disk
  MonoTime loaded{};            // when memory was built: a host from the store waits one delay from here
  bool set_is_empty = true;     // nothing was put into the set yet
  std::optional<Error> broken;  // why only recover() and close() are possible now
  bool closed = false;

  Result<void> usable() const;
};

// ---- shared operations -------------------------------------------------------------------------------------

// Puts the host where it belongs now: ready, in the wheel, or on the idle list.
void reschedule(Core& core, Slot slot, Now now);
// Turns every lease that is past its time back into a waiting URL.
void expire_leases(Core& core, Now now);
// The URL of the lease waits again, at its place in its queue. Does not touch the lease table.
void return_to_queue(Core& core, const LeaseRecord& lease);
// Adds to a window, and to the byte count.
void window_push(Core& core, ClassQueue& queue, std::uint64_t seq, std::string_view value);
// The moment before which the window's front may not be leased (a retry's backoff).
MonoTime due_of(std::string_view value, Now now, const RetryPolicy& retry);

// `record` as the state of the host in `slot`, which then waits one delay: a restart never bursts.
void restore_host(Core& core, Slot slot, const HostRecord& record, Now now);
// From memory, else from the store, else kNoSlot. Loaded hosts are rescheduled by the caller.
Result<Slot> find_host(Core& core, std::string_view origin, Now now);
Result<Slot> load_host(Core& core, std::string_view origin, HostId id, Now now);  // from family h
void forget_host(Core& core, Slot slot);                                          // memory only

// checkpoint.cc
void plan_checkpoint(Core& core, Now now);  // sets when the next one is due
bool checkpoint_due(const Core& core, Now now);
Result<void> write_checkpoint(Core& core, Now now);
Result<void> sync_log(Core& core, Now now);

// recovery.cc
Result<void> open_store(Core& core);  // creates, checks versions, reads the secret
Result<void> load(Core& core, Now now);

// turn.cc, lease.cc
Result<TurnReport> run_turn(Core& core, std::span<const Settlement> settled,
                            std::span<const CandidateBatch> injected, Now now);
Result<std::size_t> run_lease(Core& core, std::size_t limit, Now now, std::vector<Lease>& out);

}  // namespace weir::frontier::local
