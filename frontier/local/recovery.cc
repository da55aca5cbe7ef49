// From the folder to memory: the hosts of the last checkpoint, the filter of the last good snapshot, and the
// journal since. What cannot be restored is refused with the reason; the filter is never silently empty.
#include "frontier/local/core.h"

#include <algorithm>
#include <unordered_map>

#include "base/coding.h"
#include "dedup/snapshot.h"
#include "frontier/url/url_key.h"

namespace weir::frontier::local {
namespace {

using SlotsById = std::unordered_map<HostId, Slot>;

std::string encode_u32(std::uint32_t value) {
  std::string out;
  put_u32(out, value);
  return out;
}

Result<void> create_state(Core& core) {
  core.secret = random_secret();
  StoreBatch batch = core.store->batch();
  batch.put(kMeta, kMetaFormat, encode_u32(kFormatVersion));
  batch.put(kMeta, kMetaKeys, encode_u32(kKeyRulesVersion));
  batch.put(kMeta, kMetaRules, core.options.key_rules);
  batch.put(kMeta, kMetaSecret, {reinterpret_cast<const char*>(core.secret.data()), core.secret.size()});
  return core.store->write(batch, true);
}

Result<void> check_version(const Core& core, std::string_view name, std::uint32_t ours, const char* what) {
  auto stored = core.store->get(kMeta, name);
  if (!stored) return std::unexpected(stored.error());
  const std::uint32_t theirs = *stored ? Reader(**stored).u32() : 0;
  if (theirs == ours) return {};
  return fail(ErrorCode::kState, "the state '" + core.options.path + "' has " + what + " " +
                                     std::to_string(theirs) + ", this weir has " + std::to_string(ours) +
                                     ": go on with the weir that made it, or start a new state folder");
}

// Under other rules URLs that are known would be met as new, and new ones taken for known.
Result<void> check_rules(const Core& core) {
  auto stored = core.store->get(kMeta, kMetaRules);
  if (!stored) return std::unexpected(stored.error());
  const std::string theirs = stored->value_or(std::string(kNoKeyRules));
  const std::string& path = core.options.path;
  if (theirs == core.options.key_rules) return {};
  return fail(ErrorCode::kUsage,
              "the state '" + path + "' was made under other key rules\nthe state has:\n" + theirs +
                  "the configuration has:\n" + core.options.key_rules +
                  "go on with the state's [key], or make its keys anew: weir rekey --state " + path +
                  " --config FILE");
}

Result<void> read_identity(Core& core) {
  auto format = core.store->get(kMeta, kMetaFormat);
  if (!format) return std::unexpected(format.error());
  if (!*format) return create_state(core);
  if (auto same = check_version(core, kMetaFormat, kFormatVersion, "format version"); !same) return same;
  if (auto same = check_version(core, kMetaKeys, kKeyRulesVersion, "key rules version"); !same) return same;
  if (auto same = check_rules(core); !same) return same;
  auto secret = core.store->get(kMeta, kMetaSecret);
  if (!secret) return std::unexpected(secret.error());
  if (!*secret || (*secret)->size() != core.secret.size()) {
    return fail(ErrorCode::kState, "the state '" + core.options.path + "' has lost its secret: restore a copy");
  }
  std::ranges::transform(**secret, core.secret.begin(), [](char c) { return static_cast<std::byte>(c); });
  return {};
}

// ---- filter ----

// The commit up to which the set is filled by `path`; nullopt, with `why` extended, when the file cannot serve.
std::optional<std::uint64_t> try_snapshot(Core& core, const std::string& path, std::string& why) {
  const auto stamp = dedup::load_snapshot(*core.set, path, core.secret);
  const bool trusting = core.options.checkpoint_order == CheckpointOrder::kPublishWithoutSync;
  if (!stamp) {
    why += "; " + stamp.error().message();
    return std::nullopt;  // the set is as it was, or empty
  }
  core.set_is_empty = false;
  if (*stamp > core.commit && !trusting) {
    why += "; '" + path + "' is ahead of the store";
    return std::nullopt;
  }
  if (*stamp < core.trimmed_to) {
    why += "; '" + path + "' is older than the journal";
    return std::nullopt;
  }
  return *stamp;
}

Result<std::uint64_t> restore_filter(Core& core) {
  if (core.set->snapshotable() == nullptr) return core.checkpointed;
  std::string why;
  if (const auto stamp = try_snapshot(core, snapshot_path(core.options.path), why)) {
    core.snapshot_in_place = true;
    return *stamp;
  }
  core.snapshot_in_place = false;
  if (const auto stamp = try_snapshot(core, previous_snapshot_path(core.options.path), why)) {
    core.log.warn("the filter is restored from the previous snapshot and the journal{}", why);
    return *stamp;
  }
  if (core.trimmed_to == 0 && core.set_is_empty) {
    if (core.commit > 0) core.log.warn("the filter is rebuilt from the whole journal{}", why);
    return 0;
  }
  return fail(ErrorCode::kState, "the filter of '" + core.options.path + "' cannot be restored" + why +
                                     ": restore the folder from a copy, or start a new state folder");
}

// ---- hosts ----

Result<void> load_hosts(Core& core, SlotsById& slots, Now now) {
  auto cursor = core.store->scan(kHosts, {}, {});
  for (; cursor.valid(); cursor.next()) {
    const auto record = decode_host_record(cursor.value());
    if (!record || record->origin.empty()) {
      return fail(ErrorCode::kState, "a host record is damaged: restore the state from a copy");
    }
    if (record->pending() == 0) continue;  // idle: found through its name when it is needed
    const HostId id = decode_host_key(cursor.key());
    const Slot slot = core.memory->hosts.add(record->origin, id);
    restore_host(core, slot, *record, now);
    slots.emplace(id, slot);
  }
  return cursor.status();
}

Result<void> apply_host(Core& core, SlotsById& slots, HostId id, const HostRecord& record, Now now) {
  auto found = slots.find(id);
  if (found == slots.end()) {
    Slot slot = kNoSlot;
    if (record.origin.empty()) {
      auto loaded = load_host(core, {}, id, now);
      if (!loaded) return std::unexpected(loaded.error());
      slot = *loaded;
    } else {
      slot = core.memory->hosts.add(record.origin, id);
    }
    found = slots.emplace(id, slot).first;
  }
  restore_host(core, found->second, record, now);
  core.memory->hosts.at(found->second).dirty = true;
  return {};
}

Result<void> replay_journal(Core& core, SlotsById& slots, std::uint64_t filter_stamp, Now now) {
  const std::uint64_t from = std::min(filter_stamp, core.checkpointed) + 1;
  std::uint64_t commit = 0;
  Result<void> applied;
  JournalVisitor visitor;
  visitor.totals = [&](const Totals& totals) {
    if (commit > core.checkpointed) core.memory->totals = totals;
  };
  visitor.fingerprints = [&](const std::vector<dedup::Fingerprint>& fingerprints) {
    if (commit <= filter_stamp || !applied || fingerprints.empty()) return;
    applied = core.set->insert(fingerprints);
    core.set_is_empty = false;
    core.fingerprints_since += fingerprints.size();
  };
  visitor.host = [&](HostId id, const HostRecord& record) {
    if (commit > core.checkpointed && applied) applied = apply_host(core, slots, id, record, now);
  };
  auto cursor = core.store->scan(kJournal, commit_key(from), {});
  for (; cursor.valid() && applied; cursor.next()) {
    commit = decode_commit_key(cursor.key());
    if (!decode_journal(cursor.value(), visitor)) {
      return fail(ErrorCode::kState,
                  "journal record " + std::to_string(commit) + " is damaged: restore the state from a copy");
    }
  }
  if (!applied) return applied;
  return cursor.status();
}

// ---- leases (recover() only) ----

// Points the lease to its host's new slot. False: its URL is not in the store any more, because the commit that
// seemed to fail had been written.
Result<bool> relink(Core& core, const SlotsById& slots, LeaseRecord& lease) {
  lease.settled_in = 0;
  const auto found = slots.find(lease.key.host);
  if (found == slots.end()) return false;
  lease.slot = found->second;
  if (lease.kind == LeaseKind::kRobots) return true;
  std::string key;
  append_queue_key(key, lease.key);
  auto entry = core.store->get(kQueue, key);
  if (!entry) return std::unexpected(entry.error());
  return entry->has_value();
}

void reattach(Host& host, const LeaseRecord& lease) {
  if (lease.kind == LeaseKind::kRobots) {
    host.robots_leased = true;
  } else {
    host.add_lease(host.queue(lease.key.queue_class), lease.key.seq);
  }
}

Result<void> reattach_leases(Core& core, const SlotsById& slots) {
  std::vector<LeaseId> gone;
  for (LeaseRecord& lease : core.leases) {
    auto there = relink(core, slots, lease);
    if (!there) return std::unexpected(there.error());
    if (*there) {
      reattach(core.memory->hosts.at(lease.slot), lease);
    } else {
      gone.push_back(lease.id);
    }
  }
  for (LeaseRecord& lease : core.leases.expired()) {
    auto there = relink(core, slots, lease);
    if (!there) return std::unexpected(there.error());
    if (!*there) gone.push_back(lease.id);
  }
  for (const LeaseId id : gone) {
    core.leases.erase(id);
    core.leases.forget_expired(id);
  }
  return {};
}

void schedule_all(Core& core, Now now) {
  HostTable& hosts = core.memory->hosts;
  for (Slot slot = 0; slot < hosts.slots(); ++slot) {
    if (!hosts.at(slot).in_use) continue;
    core.memory->queued += hosts.at(slot).waiting();
    reschedule(core, slot, now);
  }
}

Result<void> read_commits(Core& core) {
  CheckpointRecord checkpoint;
  auto stored = core.store->get(kMeta, kMetaCheckpoint);
  if (!stored) return std::unexpected(stored.error());
  if (*stored) {
    auto decoded = decode_checkpoint(**stored);
    if (!decoded) return std::unexpected(decoded.error());
    checkpoint = *decoded;
  }
  auto last = core.store->last_key(kJournal);
  if (!last) return std::unexpected(last.error());
  core.checkpointed = checkpoint.commit;
  core.trimmed_to = checkpoint.trimmed_to;
  core.commit = std::max(checkpoint.commit, *last ? decode_commit_key(**last) : 0);
  core.memory->totals = checkpoint.totals;
  return {};
}

}  // namespace

Result<void> open_store(Core& core) {
  StoreOptions options;
  options.path = store_path(core.options.path);
  options.families = families();
  options.file_system = core.options.file_system;
  auto store = Store::open(options, StoreAccess::kReadWrite, core.log);
  if (!store) return std::unexpected(store.error());
  core.store = std::move(*store);
  return read_identity(core);
}

Result<void> load(Core& core, Now now) {
  core.memory = std::make_unique<Memory>(core.options, now.mono);
  core.loaded = now.mono;
  core.fingerprints_since = 0;
  if (auto read = read_commits(core); !read) return read;
  SlotsById slots;
  if (auto loaded = load_hosts(core, slots, now); !loaded) return loaded;
  auto stamp = restore_filter(core);
  if (!stamp) return std::unexpected(stamp.error());
  core.snapshot_stamp = *stamp;
  if (auto replayed = replay_journal(core, slots, *stamp, now); !replayed) return replayed;
  if (auto attached = reattach_leases(core, slots); !attached) return attached;
  schedule_all(core, now);
  core.synced = 0;  // unknown: the first interval syncs
  core.last_sync = now.mono;
  plan_checkpoint(core, now);
  core.checkpoint_after =
      std::max(core.options.checkpoint.fingerprints_min, core.checkpoint_after - core.fingerprints_since);
  // From the first moment there is a snapshot on disk, so that a missing one always means damage.
  if (core.commit == 0 && !core.snapshot_in_place) return write_checkpoint(core, now);
  return {};
}

}  // namespace weir::frontier::local
