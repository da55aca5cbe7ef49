// The public face of the local engine: who may call what, and when it is broken or closed.
#include "frontier/local/engine.h"

#include <algorithm>

#include "frontier/local/core.h"
#include "frontier/local/rekey_folder.h"

namespace weir::frontier::local {

Result<void> Core::usable() const {
  if (closed) return fail(ErrorCode::kState, "the frontier is closed");
  if (broken) return std::unexpected(broken->with_context("the frontier needs recover() first"));
  return {};
}

LocalFrontier::LocalFrontier(std::unique_ptr<Core> core) : core_(std::move(core)) {}
LocalFrontier::~LocalFrontier() = default;

Result<std::unique_ptr<LocalFrontier>> LocalFrontier::open(const LocalOptions& options,
                                                           std::unique_ptr<dedup::UrlSet> set, Log& log,
                                                           Now now) {
  auto folder = StateFolder::open(options.path);
  if (!folder) return std::unexpected(folder.error());
  if (auto finished = finish_rekey(options.path); !finished) return std::unexpected(finished.error());
  auto core = std::make_unique<Core>(options, std::move(*folder), std::move(set), log);
  if (auto opened = open_store(*core); !opened) return std::unexpected(opened.error());
  if (auto loaded = load(*core, now); !loaded) return std::unexpected(loaded.error());
  return std::unique_ptr<LocalFrontier>(new LocalFrontier(std::move(core)));
}

Result<TurnReport> LocalFrontier::turn(std::span<const Settlement> settled,
                                       std::span<const CandidateBatch> injected, Now now) {
  if (auto usable = core_->usable(); !usable) return std::unexpected(usable.error());
  return run_turn(*core_, settled, injected, now);
}

Result<std::size_t> LocalFrontier::lease(std::size_t limit, Now now, std::vector<Lease>& out) {
  if (auto usable = core_->usable(); !usable) return std::unexpected(usable.error());
  return run_lease(*core_, limit, now, out);
}

std::optional<MonoTime> LocalFrontier::next_due(Now now) const {
  if (!core_->usable()) return std::nullopt;
  if (core_->memory->wheel.has_ready()) return now.mono;
  std::optional<MonoTime> due = core_->memory->wheel.next();
  // An expiry brings its URL back, so that the owner must look then even if nothing else waits.
  if (const LeaseRecord* oldest = core_->leases.oldest())
    due = due ? std::min(*due, oldest->expires) : oldest->expires;
  return due;
}

bool LocalFrontier::drained() const { return core_->memory->queued == 0 && core_->leases.size() == 0; }

Result<void> LocalFrontier::checkpoint(Now now) {
  if (auto usable = core_->usable(); !usable) return usable;
  if (core_->commit == core_->checkpointed) return {};
  return write_checkpoint(*core_, now);
}

Result<void> LocalFrontier::recover(Now now) {
  if (core_->closed) return core_->usable();
  core_->broken = Error(ErrorCode::kState, "the last recovery did not succeed");
  if (core_->store) {
    // It may complain about the very failure that is being recovered from.
    if (auto closed = core_->store->close(); !closed) core_->log.warn("{}", closed.error().message());
    core_->store.reset();
  }
  if (auto opened = open_store(*core_); !opened) return opened;
  if (auto loaded = load(*core_, now); !loaded) return loaded;
  core_->broken.reset();
  return {};
}

Result<void> LocalFrontier::close(Now now) {
  if (auto usable = core_->usable(); !usable) return usable;
  Result<void> saved;
  if (core_->commit != core_->checkpointed) saved = write_checkpoint(*core_, now);
  if (saved) saved = core_->store->sync();
  core_->closed = true;
  auto closed = core_->store->close();
  core_->store.reset();
  return saved ? closed : saved;
}

FrontierStats LocalFrontier::stats() const {
  const Memory& memory = *core_->memory;
  FrontierStats stats;
  stats.admitted = memory.totals.admitted;
  stats.duplicates = memory.totals.duplicates;
  stats.done = memory.totals.done;
  stats.failed = memory.totals.failed;
  stats.queued = memory.queued;
  stats.leased = core_->leases.size();
  stats.hosts = memory.totals.next_host;
  stats.hosts_active = memory.hosts.size();
  stats.window_bytes = memory.window_bytes;
  stats.window_hits = core_->counters.window_hits;
  stats.window_refills = core_->counters.window_refills;
  stats.checkpoints = core_->counters.checkpoints;
  stats.dedup = core_->set->stats();
  return stats;
}

const dedup::Secret& LocalFrontier::secret() const { return core_->secret; }

}  // namespace weir::frontier::local
