// The folders of a rekey, and the order in which they take the state's place:
//
//   DIR/rekey.new   being written; worth nothing, removed by the next who opens the state
//   DIR/rekeyed     complete and on the disk: renamed from rekey.new, and from that moment the state
//
// finish_rekey() moves what is in DIR/rekeyed to its places, one rename each. Cut short anywhere it goes on
// where it was. Needs the lock (StateFolder). Blocking I/O.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/error.h"

namespace weir::frontier::local {

enum class RekeyStep : std::uint8_t {
  kStoreWritten,      // in rekey.new
  kSnapshotsWritten,  // likewise
  kDecided,           // renamed to rekeyed
  kOldStoreRemoved,
  kStoreMoved,
  kSnapshotMoved,
  kPreviousMoved,
  kDone
};
inline constexpr std::size_t kRekeySteps = 8;

// Asked after each step; an error ends the work as a crash would, with nothing cleaned up.
using AfterRekeyStep = std::function<Result<void>(RekeyStep)>;

std::string rekey_draft_path(const std::string& state);  // DIR/rekey.new

// Makes DIR/rekey.new, empty.
Result<void> start_rekey_draft(const std::string& state);
// Makes DIR/rekey.new, which is complete, the state.
Result<void> publish_rekey_draft(const std::string& state, const AfterRekeyStep& after);

// What a rekey that was cut short has left to do, if anything: finishes a decided one, removes a draft.
Result<void> finish_rekey(const std::string& state, const AfterRekeyStep& after = {});
// True: finish_rekey() has to come before the state is read.
bool rekey_is_unfinished(const std::string& state);

}  // namespace weir::frontier::local
