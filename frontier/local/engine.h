// LocalFrontier: the frontier of one process, in one directory, over RocksDB. The contract is
// frontier/frontier.h; this header adds how it is opened and set. The parts behind it, in the order of a turn:
//
//   turn.cc -> settle.cc, admit.cc -> journal.cc (one batch, one commit) -> checkpoint.cc
//   lease.cc -> timer_wheel.cc, host_table.cc, queue_window.cc, ip_gate.cc, robots_cache.cc
//   recovery.cc: from the folder to memory; layout.h: what is stored
//
// Single-threaded as every Frontier; RocksDB flushes on its own threads. A second open of the same folder, by
// whomever, is refused. Memory: about 300 bytes per host with waiting URLs, window_bytes, robots_bytes, the
// set, and some 100 MiB of RocksDB's at most; it does not grow with the URLs admitted.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/log.h"
#include "frontier/frontier.h"
#include "frontier/politeness.h"
#include "frontier/url/key_rules.h"

namespace rocksdb {
class FileSystem;
}

namespace weir::frontier::local {

struct CheckpointPolicy {
  // A checkpoint after this many fingerprints or, when the set is large, after this share of its keys, so that
  // writing the snapshot stays a constant cost per key.
  std::uint64_t fingerprints_min = 500'000;
  double growth = 0.1;
  Duration interval = std::chrono::minutes(10);
};

enum class CheckpointOrder : std::uint8_t {
  kSyncThenPublish,
  // For tests only: the mutant that publishes the filter while the log it relies on is not on the disk, and
  // believes such a filter when it finds one. Power loss then leaves URLs that read seen and are nowhere.
  kPublishWithoutSync
};

struct LocalOptions {
  std::string path;                    // the state folder
  std::string key_rules{kNoKeyRules};  // KeyRules::text(); must be what the state was made with
  PolitenessOptions politeness;
  RetryPolicy retry;
  Durability durability = Durability::kInterval;
  Duration sync_interval = std::chrono::seconds(1);    // kInterval: what power loss may cost
  Duration lease_duration = std::chrono::minutes(10);  // then the URL is leased again
  std::size_t window_bytes = 64 << 20;                 // queue heads in memory, all hosts together
  std::uint32_t window_urls_max = 32;                  // per host and class
  std::uint32_t hosts_idle_max = 10'000;               // hosts without work that stay in memory
  std::size_t robots_bytes = 16 << 20;                 // robots.txt bodies in memory
  CheckpointPolicy checkpoint;
  std::shared_ptr<rocksdb::FileSystem> file_system;  // for tests: where faults are put; null: the system's
  CheckpointOrder checkpoint_order = CheckpointOrder::kSyncThenPublish;
};

struct Core;

class LocalFrontier final : public Frontier {
 public:
  // Opens or makes the state in options.path and brings `set`, which must be empty, to what was admitted.
  // kState: locked (the holder's process id is named), made by another version, damaged, or the filter cannot
  // be restored. kUsage: made under other key rules (both are named). `log` must outlive the object.
  static Result<std::unique_ptr<LocalFrontier>> open(const LocalOptions& options,
                                                     std::unique_ptr<dedup::UrlSet> set, Log& log, Now now);
  ~LocalFrontier() override;  // without close(): as after kill -9, nothing that turn() returned is lost

  Result<TurnReport> turn(std::span<const Settlement> settled, std::span<const CandidateBatch> injected,
                          Now now) override;
  Result<std::size_t> lease(std::size_t limit, Now now, std::vector<Lease>& out) override;
  std::optional<MonoTime> next_due(Now now) const override;
  bool drained() const override;
  Result<void> checkpoint(Now now) override;
  Result<void> recover(Now now) override;
  Result<void> close(Now now) override;
  FrontierStats stats() const override;

  // What fingerprints of this state are made with.
  const dedup::Secret& secret() const;

 private:
  explicit LocalFrontier(std::unique_ptr<Core> core);
  std::unique_ptr<Core> core_;
};

}  // namespace weir::frontier::local
