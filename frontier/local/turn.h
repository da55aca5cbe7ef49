// Turn: the workspace of one turn: one batch, one journal record, one report. settle.cc and admit.cc fill it,
// turn.cc commits it. Memory is changed on the way; when the commit fails all of that is thrown away by
// recover(), so that nothing needs undoing. Only the lease table waits for the commit. Internal.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "frontier/local/core.h"

namespace weir::frontier::local {

struct Turn {
  Turn(Core& engine, Now time) : core(engine), now(time), batch(engine.store->batch()) {}

  Core& core;
  const Now now;
  StoreBatch batch;
  JournalRecord journal;
  TurnReport report;
  std::vector<Slot> touched;    // hosts whose record changed; each once
  std::vector<LeaseId> closed;  // leave the lease table after the commit
  std::string key;              // scratch
  std::string value;            // scratch
  std::uint32_t robots_files = 0;

  Host& touch(Slot slot);
  void push_entry(Host& host, ClassQueue& queue);  // `value` becomes the queue's last entry
};

// settle.cc: closes the lease of one settlement and learns from it.
void settle(Turn& turn, const Settlement& settlement);

// admit.cc: asks the set about all candidates in one call, and queues those that are new.
Result<void> admit_all(Turn& turn, std::span<const Settlement> settled,
                       std::span<const CandidateBatch> injected);

}  // namespace weir::frontier::local
