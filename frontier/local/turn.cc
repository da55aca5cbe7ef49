// One turn: settle, admit, commit once. The commit is the moment everything counts; see Turn for what a failed
// one leaves behind.
#include "frontier/local/turn.h"

namespace weir::frontier::local {
namespace {

constexpr int kEvictionsPerTurn = 64;

// Hosts that have been without work longest leave memory; what of them is newer than family h goes there first.
void evict_idle(Turn& turn) {
  Memory& memory = *turn.core.memory;
  for (int i = 0; i < kEvictionsPerTurn && memory.idle.size() > turn.core.options.hosts_idle_max; ++i) {
    const Slot slot = memory.idle.front();
    memory.idle.pop_front();
    Host& host = memory.hosts.at(slot);
    host.in_idle = false;
    if (!host.idle()) continue;
    if (host.not_before > turn.now.mono || host.touched_in == turn.core.turn) {
      host.in_idle = true;
      memory.idle.push_back(slot);
      continue;
    }
    if (host.dirty) {
      turn.value.clear();
      append_host_record(turn.value, record_of(host, true, turn.now));
      turn.batch.put(kHosts, host_key(host.id), turn.value);
    }
    forget_host(turn.core, slot);
  }
}

void write_journal(Turn& turn) {
  Memory& memory = *turn.core.memory;
  memory.totals.admitted += turn.report.admitted;
  memory.totals.duplicates += turn.report.duplicates;
  for (const Slot slot : turn.touched) {
    Host& host = memory.hosts.at(slot);
    turn.journal.add_host(host.id, record_of(host, !host.on_record, turn.now));
    host.on_record = true;
    host.dirty = true;
  }
  turn.value.clear();
  turn.journal.encode(turn.value, memory.totals);
  turn.batch.put(kJournal, commit_key(turn.core.commit + 1), turn.value);
}

Result<void> commit(Turn& turn) {
  Core& core = turn.core;
  evict_idle(turn);
  write_journal(turn);
  const bool sync = core.options.durability == Durability::kCommit;
  if (auto written = core.store->write(turn.batch, sync); !written) return written;
  ++core.commit;
  if (sync) core.synced = core.commit;
  core.fingerprints_since += turn.journal.fingerprints().size();
  for (const LeaseId id : turn.closed) {
    core.leases.erase(id);
    core.leases.forget_expired(id);
  }
  for (const Slot slot : turn.touched) reschedule(core, slot, turn.now);
  return {};
}

// After the commit: the turn has succeeded whatever happens here.
void keep_up(Core& core, Now now) {
  if (auto synced = sync_log(core, now); !synced) {
    core.log.error("the log could not be synced: {}", synced.error().message());
    core.broken = synced.error();
    return;
  }
  if (!checkpoint_due(core, now)) return;
  if (auto written = write_checkpoint(core, now); !written) {
    core.log.warn("no checkpoint, the journal grows until the next try: {}", written.error().message());
    plan_checkpoint(core, now);
  }
}

}  // namespace

Host& Turn::touch(Slot slot) {
  Host& host = core.memory->hosts.at(slot);
  if (host.touched_in != core.turn) {
    host.touched_in = core.turn;
    touched.push_back(slot);
  }
  return host;
}

void Turn::push_entry(Host& host, ClassQueue& queue) {
  const std::uint64_t seq = host.next_seq++;
  key.clear();
  append_queue_key(key, {host.id, queue.queue_class, seq});
  batch.put(kQueue, key, value);
  // Only behind a complete window may the new one stand in memory: else something older is on disk only.
  if (queue.complete()) {
    queue.read_from = seq;
    if (queue.window.size() < core.options.window_urls_max &&
        core.memory->window_bytes < core.options.window_bytes) {
      if (queue.window.empty()) queue.head_due = due_of(value, now, core.options.retry);
      window_push(core, queue, seq, value);
    }
  }
  ++queue.pending;
  ++core.memory->queued;
}

Result<TurnReport> run_turn(Core& core, std::span<const Settlement> settled,
                            std::span<const CandidateBatch> injected, Now now) {
  ++core.turn;
  expire_leases(core, now);
  Turn turn(core, now);
  if (auto admitted = admit_all(turn, settled, injected); !admitted) {
    core.broken = admitted.error();
    return std::unexpected(admitted.error());
  }
  for (const auto& settlement : settled) settle(turn, settlement);
  if (!turn.touched.empty() || turn.report.duplicates > 0) {
    if (auto committed = commit(turn); !committed) {
      core.broken = committed.error();
      return std::unexpected(committed.error());
    }
  }
  keep_up(core, now);
  turn.report.commit = core.commit;
  return turn.report;
}

}  // namespace weir::frontier::local
