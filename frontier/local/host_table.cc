// Linear probing at load 1/2 at most, backward-shift deletion: no tombstones in the index either.
#include "frontier/local/host_table.h"

#include <algorithm>

#include "base/check.h"
#include "base/hash.h"

namespace weir::frontier::local {

ClassQueue& Host::queue(std::uint8_t queue_class) {
  auto place = std::ranges::lower_bound(queues, queue_class, {}, &ClassQueue::queue_class);
  if (place != queues.end() && place->queue_class == queue_class) return *place;
  WEIR_CHECK(queues.size() < kQueueClasses);
  queues.reserve(queues.size() + 1);  // one class is the common case: no doubling
  place = std::ranges::lower_bound(queues, queue_class, {}, &ClassQueue::queue_class);
  ClassQueue& added = *queues.insert(place, ClassQueue{});
  added.queue_class = queue_class;
  added.read_from = next_seq;
  return added;
}

std::uint32_t Host::waiting() const {
  std::uint32_t sum = 0;
  for (const auto& queue : queues) sum += queue.waiting();
  return sum;
}

std::uint64_t Host::lowest_unfinished(const ClassQueue& queue) const {
  std::uint64_t lowest = next_seq;
  if (!queue.window.empty()) {
    lowest = queue.window.front_seq();
  } else if (!queue.complete()) {
    lowest = queue.read_from;
  }
  for (const auto& lease : leased) {
    if (lease.queue_class == queue.queue_class) lowest = std::min(lowest, lease.seq);
  }
  return lowest;
}

bool Host::is_leased(std::uint8_t queue_class, std::uint64_t seq) const {
  return std::ranges::any_of(
      leased, [&](const LeasedUrl& lease) { return lease.queue_class == queue_class && lease.seq == seq; });
}

void Host::add_lease(ClassQueue& queue, std::uint64_t seq) {
  leased.push_back({queue.queue_class, seq});
  ++queue.leased;
}

void Host::drop_lease(ClassQueue& queue, std::uint64_t seq) {
  const auto removed = std::erase_if(leased, [&](const LeasedUrl& lease) {
    return lease.queue_class == queue.queue_class && lease.seq == seq;
  });
  WEIR_CHECK(removed == 1);
  --queue.leased;
}

HostRecord record_of(const Host& host, bool with_origin, Now now) {
  HostRecord record;
  if (with_origin) record.origin = host.origin;
  record.next_seq = host.next_seq;
  for (const auto& queue : host.queues) {
    if (queue.pending == 0) continue;
    record.queues[record.queue_count++] = {queue.queue_class, queue.pending, host.lowest_unfinished(queue)};
  }
  record.failures = host.failures;
  record.overloads = host.overloads;
  record.contacted = host.contacted;
  record.given_up = host.given_up;
  if (host.hold_until > now.mono) record.hold = Deadline::from(host.hold_until, now);
  record.robots = host.robots;
  if (host.robots) record.robots_until = Deadline::from(host.robots_until, now);
  record.robots_version = host.robots_version;
  record.crawl_delay = host.crawl_delay;
  return record;
}

void restore(Host& host, const HostRecord& record, Now now) {
  host.next_seq = record.next_seq;
  host.queues.clear();
  for (std::size_t i = 0; i < record.queue_count; ++i) {
    ClassQueue& queue = host.queue(record.queues[i].queue_class);
    queue.pending = static_cast<std::uint32_t>(record.queues[i].pending);
    queue.read_from = record.queues[i].cursor;
  }
  host.failures = record.failures;
  host.overloads = record.overloads;
  host.contacted = record.contacted;
  host.given_up = record.given_up;
  host.hold_until = record.hold ? record.hold->restored(now) : MonoTime{};
  host.not_before = host.hold_until;
  host.robots = record.robots;
  host.robots_until = record.robots ? record.robots_until.restored(now) : MonoTime{};
  host.robots_version = record.robots_version;
  host.crawl_delay = record.crawl_delay;
}

Slot HostTable::find(std::string_view origin) const {
  const std::uint64_t hash = hash64(origin);
  const std::uint32_t tag = tag_of(hash);
  const std::size_t mask = index_.size() - 1;
  for (std::size_t place = place_of(hash); index_[place].slot != kNoSlot; place = (place + 1) & mask) {
    if (index_[place].tag == tag && at(index_[place].slot).origin == origin) return index_[place].slot;
  }
  return kNoSlot;
}

Slot HostTable::add(std::string_view origin, HostId id) {
  if ((size_ + 1) * 2 > index_.size()) grow();
  Slot slot = slots_;
  if (free_.empty()) {
    if (slots_ % kChunk == 0) chunks_.push_back(std::make_unique<Host[]>(kChunk));
    ++slots_;
  } else {
    slot = free_.back();
    free_.pop_back();
  }
  Host& host = at(slot);
  host.origin = origin;
  host.hash = hash64(origin);
  host.id = id;
  host.in_use = true;
  enter(slot);
  ++size_;
  return slot;
}

void HostTable::enter(Slot slot) {
  const std::uint64_t hash = at(slot).hash;
  std::size_t place = place_of(hash);
  while (index_[place].slot != kNoSlot) place = (place + 1) & (index_.size() - 1);
  index_[place] = {slot, tag_of(hash)};
}

void HostTable::remove(Slot slot) {
  const std::size_t mask = index_.size() - 1;
  std::size_t hole = place_of(at(slot).hash);
  while (index_[hole].slot != slot) hole = (hole + 1) & mask;
  for (std::size_t place = (hole + 1) & mask; index_[place].slot != kNoSlot; place = (place + 1) & mask) {
    const std::size_t home = place_of(at(index_[place].slot).hash);
    // It may move into the hole unless its home lies between the hole and itself.
    if (((place - home) & mask) >= ((place - hole) & mask)) {
      index_[hole] = index_[place];
      hole = place;
    }
  }
  index_[hole] = {};
  at(slot) = Host{};
  free_.push_back(slot);
  --size_;
}

void HostTable::grow() {
  std::vector<Entry> old(index_.size() * 2);
  index_.swap(old);
  for (const Entry& entry : old) {
    if (entry.slot != kNoSlot) enter(entry.slot);
  }
}

}  // namespace weir::frontier::local
