// Each rename is followed by a sync of both folders, so that power loss keeps the order, too.
#include "frontier/local/rekey_folder.h"

#include <filesystem>
#include <system_error>

#include "base/durable_file.h"
#include "frontier/local/state_folder.h"

namespace weir::frontier::local {
namespace {

std::string decided_path(const std::string& state) { return state + "/rekeyed"; }

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

Result<void> remove_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::remove_all(path, error);
  if (!error) return {};
  return fail(ErrorCode::kState, "cannot remove '" + path + "': " + error.message());
}

Result<void> rename_path(const std::string& from, const std::string& to) {
  std::error_code error;
  std::filesystem::rename(from, to, error);
  if (!error) return {};
  return fail(ErrorCode::kState, "cannot rename '" + from + "' to '" + to + "': " + error.message());
}

Result<void> report(const AfterRekeyStep& after, RekeyStep step) {
  return after ? after(step) : Result<void>();
}

// Moves DIR/rekeyed/NAME to DIR/NAME, if it is still there.
Result<void> move_up(const std::string& state, const std::string& place, const AfterRekeyStep& after,
                     RekeyStep step) {
  const std::string from = decided_path(state) + place.substr(state.size());
  if (exists(from)) {
    if (auto moved = rename_path(from, place); !moved) return moved;
    if (auto synced = sync_folder(state); !synced) return synced;
    if (auto synced = sync_folder(decided_path(state)); !synced) return synced;
  }
  return report(after, step);
}

}  // namespace

std::string rekey_draft_path(const std::string& state) { return state + "/rekey.new"; }

bool rekey_is_unfinished(const std::string& state) { return exists(decided_path(state)); }

Result<void> start_rekey_draft(const std::string& state) {
  const std::string draft = rekey_draft_path(state);
  if (auto removed = remove_folder(draft); !removed) return removed;
  std::error_code error;
  std::filesystem::create_directory(draft, error);
  if (error) return fail(ErrorCode::kState, "cannot create '" + draft + "': " + error.message());
  return {};
}

Result<void> publish_rekey_draft(const std::string& state, const AfterRekeyStep& after) {
  if (auto synced = sync_folder(rekey_draft_path(state)); !synced) return synced;
  if (auto renamed = rename_path(rekey_draft_path(state), decided_path(state)); !renamed) return renamed;
  if (auto synced = sync_folder(state); !synced) return synced;
  if (auto stopped = report(after, RekeyStep::kDecided); !stopped) return stopped;
  return finish_rekey(state, after);
}

Result<void> finish_rekey(const std::string& state, const AfterRekeyStep& after) {
  if (!rekey_is_unfinished(state)) return remove_folder(rekey_draft_path(state));
  // The old store may only go while the new one is still to come.
  if (exists(store_path(decided_path(state)))) {
    if (auto removed = remove_folder(store_path(state)); !removed) return removed;
    if (auto stopped = report(after, RekeyStep::kOldStoreRemoved); !stopped) return stopped;
  }
  if (auto moved = move_up(state, store_path(state), after, RekeyStep::kStoreMoved); !moved) return moved;
  if (auto moved = move_up(state, snapshot_path(state), after, RekeyStep::kSnapshotMoved); !moved) return moved;
  if (auto moved = move_up(state, previous_snapshot_path(state), after, RekeyStep::kPreviousMoved); !moved)
    return moved;
  if (auto removed = remove_folder(decided_path(state)); !removed) return removed;
  if (auto synced = sync_folder(state); !synced) return synced;
  return report(after, RekeyStep::kDone);
}

}  // namespace weir::frontier::local
