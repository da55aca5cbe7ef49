// A checkpoint: the filter in its file, the hosts in family h, the journal trimmed. The order is the crash
// contract: the log is synced before the filter is published, else power loss leaves a filter that knows URLs
// the log has lost. The journal keeps what the previous snapshot needs, so that a damaged one can be replaced.
#include "frontier/local/core.h"

#include <algorithm>

#include "dedup/snapshot.h"

namespace weir::frontier::local {
namespace {

constexpr std::uint32_t kHostsPerBatch = 10'000;

Result<void> write_snapshot(Core& core, Now now) {
  if (core.set->snapshotable() == nullptr) return {};
  dedup::SnapshotOptions options;
  options.path = snapshot_path(core.options.path);
  options.secret = core.secret;
  // A damaged file must not push out the good one that stands behind it.
  if (core.snapshot_in_place) options.previous = previous_snapshot_path(core.options.path);
  if (core.options.checkpoint_order == CheckpointOrder::kSyncThenPublish) {
    options.before_publish = [&core, now]() -> Result<void> {
      auto synced = core.store->sync();
      if (synced) core.synced = core.commit;
      core.last_sync = now.mono;
      return synced;
    };
  }
  return dedup::save_snapshot(*core.set, core.commit, options);
}

// Absolute records: written before the checkpoint record says so, they do no harm.
Result<void> write_hosts(Core& core, StoreBatch& batch, Now now) {
  HostTable& hosts = core.memory->hosts;
  std::string value;
  std::uint32_t in_batch = 0;
  for (Slot slot = 0; slot < hosts.slots(); ++slot) {
    Host& host = hosts.at(slot);
    if (!host.in_use || !host.dirty) continue;
    value.clear();
    append_host_record(value, record_of(host, true, now));
    batch.put(kHosts, host_key(host.id), value);
    host.dirty = false;
    if (++in_batch < kHostsPerBatch) continue;
    if (auto written = core.store->write(batch, false); !written) return written;
    batch.clear();
    in_batch = 0;
  }
  return {};
}

}  // namespace

void plan_checkpoint(Core& core, Now now) {
  const auto keys = static_cast<double>(core.set->stats().keys);
  const auto share = static_cast<std::uint64_t>(keys * core.options.checkpoint.growth);
  core.checkpoint_after = core.fingerprints_since + std::max(core.options.checkpoint.fingerprints_min, share);
  core.last_checkpoint = now.mono;
}

bool checkpoint_due(const Core& core, Now now) {
  if (core.commit == core.checkpointed) return false;
  return core.fingerprints_since >= core.checkpoint_after ||
         now.mono - core.last_checkpoint >= core.options.checkpoint.interval;
}

Result<void> write_checkpoint(Core& core, Now now) {
  if (auto written = write_snapshot(core, now); !written) return written;
  const bool keeps_previous = core.snapshot_in_place;
  CheckpointRecord record{core.commit, core.trimmed_to, core.memory->totals};
  // What is now the previous snapshot was in place until this moment.
  if (keeps_previous && !core.set->wants_whole_log()) record.trimmed_to = core.snapshot_stamp;
  StoreBatch batch = core.store->batch();
  if (auto written = write_hosts(core, batch, now); !written) {
    core.broken = written.error();
    return written;
  }
  batch.put(kMeta, kMetaCheckpoint, encode_checkpoint(record));
  if (record.trimmed_to > core.trimmed_to) {
    batch.remove_range(kJournal, commit_key(core.trimmed_to), commit_key(record.trimmed_to + 1));
  }
  if (auto written = core.store->write(batch, false); !written) {
    core.broken = written.error();
    return written;
  }
  core.snapshot_stamp = core.commit;
  core.snapshot_in_place = true;
  core.trimmed_to = record.trimmed_to;
  core.checkpointed = core.commit;
  core.fingerprints_since = 0;
  ++core.counters.checkpoints;
  plan_checkpoint(core, now);
  return {};
}

Result<void> sync_log(Core& core, Now now) {
  if (core.options.durability != Durability::kInterval || core.synced == core.commit) return {};
  if (now.mono - core.last_sync < core.options.sync_interval) return {};
  auto synced = core.store->sync();
  if (!synced) return synced;
  core.synced = core.commit;
  core.last_sync = now.mono;
  return {};
}

}  // namespace weir::frontier::local
