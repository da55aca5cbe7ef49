// Admission: one question to the set for all candidates of a turn, then a queue entry, a fingerprint in the
// journal and perhaps a place in the window for each that is new. The hot path of a crawl: a page has 87 links.
#include <memory>

#include "frontier/local/queue_entry.h"
#include "frontier/local/turn.h"

namespace weir::frontier::local {
namespace {

Result<Slot> host_for(Turn& turn, std::string_view origin) {
  auto slot = find_host(turn.core, origin, turn.now);
  if (!slot || *slot != kNoSlot) return slot;
  Memory& memory = *turn.core.memory;
  const auto id = static_cast<HostId>(memory.totals.next_host++);
  turn.batch.put(kHostNames, origin, host_key(id));
  return memory.hosts.add(origin, id);
}

Result<void> admit(Turn& turn, const CandidateBatch& batch, std::span<const dedup::Verdict> verdicts) {
  std::string_view last_origin;
  Slot slot = kNoSlot;
  QueueEntry entry;
  entry.depth_limit = batch.depth_limit;
  entry.discovered = turn.now.wall;
  entry.tag = batch.tag;
  for (std::size_t i = 0; i < batch.items.size(); ++i) {
    const Candidate& candidate = batch.items[i];
    const bool is_new = verdicts[i] == dedup::Verdict::kNew;
    if (!is_new && !candidate.same_page) continue;
    const std::string_view origin = batch.origin(candidate);
    if (slot == kNoSlot || origin != last_origin) {
      auto found = host_for(turn, origin);
      if (!found) return std::unexpected(found.error());
      slot = *found;
      last_origin = origin;
      set_parent(entry, batch.parent, origin);
    }
    entry.depth = candidate.depth;
    entry.redirect_hops = candidate.redirect_hops;
    entry.off_scope_hops = candidate.off_scope_hops;
    entry.path = batch.url(candidate).substr(candidate.origin_length);
    turn.value.clear();
    append_queue_entry(turn.value, entry);
    Host& host = turn.touch(slot);
    turn.push_entry(host, host.queue(static_cast<std::uint8_t>(candidate.priority)));
    if (is_new) turn.journal.add_fingerprint(candidate.fingerprint);
    ++turn.report.admitted;
  }
  return {};
}

}  // namespace

Result<void> admit_all(Turn& turn, std::span<const Settlement> settled,
                       std::span<const CandidateBatch> injected) {
  std::vector<dedup::Fingerprint> fingerprints;
  const auto gather = [&](const CandidateBatch& batch) {
    for (const auto& candidate : batch.items) fingerprints.push_back(candidate.fingerprint);
  };
  for (const auto& batch : injected) gather(batch);
  for (const auto& settlement : settled) gather(settlement.links);
  if (fingerprints.empty()) return {};

  std::vector<dedup::Verdict> verdicts(fingerprints.size());
  turn.core.set_is_empty = false;
  if (auto asked = turn.core.set->test_and_set(fingerprints, verdicts); !asked) return asked;

  std::span<const dedup::Verdict> rest(verdicts);
  const auto admit_next = [&](const CandidateBatch& batch) -> Result<void> {
    const auto mine = rest.first(batch.items.size());
    rest = rest.subspan(batch.items.size());
    return admit(turn, batch, mine);
  };
  for (const auto& batch : injected) {
    if (auto admitted = admit_next(batch); !admitted) return admitted;
  }
  for (const auto& settlement : settled) {
    if (auto admitted = admit_next(settlement.links); !admitted) return admitted;
  }
  turn.report.duplicates = static_cast<std::uint32_t>(fingerprints.size()) - turn.report.admitted;
  return {};
}

}  // namespace weir::frontier::local
