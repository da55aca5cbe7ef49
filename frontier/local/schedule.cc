// Where a host belongs, given its queues, leases and clocks. The wheel holds a host exactly when a lease of it
// could be given at some time without anything else happening first.
#include "frontier/local/core.h"

#include <algorithm>

#include "frontier/local/queue_entry.h"

namespace weir::frontier::local {
namespace {

constexpr std::uint8_t kRetryClass = static_cast<std::uint8_t>(Priority::kRetry);
constexpr Duration kFarAway = std::chrono::minutes(1);  // a wait in which a window is better spent on others
constexpr std::uint32_t kGivenUpLeasesMax = 64;  // settled without contact, so that politeness does not matter

std::uint32_t leases_max(const Core& core, const Host& host) {
  return host.given_up ? kGivenUpLeasesMax : core.options.politeness.connections_per_host;
}

// When the first of the queues may be served; nullopt: nothing waits.
std::optional<MonoTime> queues_due(const Host& host) {
  std::optional<MonoTime> due;
  for (const auto& queue : host.queues) {
    if (queue.waiting() == 0) continue;
    const MonoTime head =
        queue.queue_class == kRetryClass && !queue.window.empty() ? queue.head_due : MonoTime{};
    due = due ? std::min(*due, head) : head;
  }
  return due;
}

// The URLs are in the store; reading starts at the first of them again. Retries keep theirs, because their due
// time is only known from it.
void drop_windows(Memory& memory, Host& host) {
  for (auto& queue : host.queues) {
    if (queue.window.empty() || queue.queue_class == kRetryClass) continue;
    queue.read_from = queue.window.front_seq();
    memory.window_bytes -= queue.window.bytes();
    queue.window.clear();
    memory.window_bytes += queue.window.bytes();
  }
}

}  // namespace

void reschedule(Core& core, Slot slot, Now now) {
  Memory& memory = *core.memory;
  Host& host = memory.hosts.at(slot);
  const auto queued = queues_due(host);
  if (host.idle() && !host.in_idle) {
    host.in_idle = true;
    memory.idle.push_back(slot);
  }
  // While robots.txt is out, no page of the host is.
  if (!queued || host.robots_leased || host.leases() >= leases_max(core, host)) {
    memory.wheel.remove(slot);
    return;
  }
  MonoTime due = *queued;
  if (!host.given_up) due = std::max({due, host.not_before, host.ip_reserved});
  if (due > now.mono + kFarAway && memory.window_bytes > core.options.window_bytes / 2)
    drop_windows(memory, host);
  if (due > now.mono) {
    memory.wheel.schedule(slot, due);
  } else if (!memory.wheel.is_ready(slot)) {
    memory.wheel.make_ready(slot);  // who is in line already keeps the place
  }
}

MonoTime due_of(std::string_view value, Now now, const RetryPolicy& retry) {
  const auto entry = decode_queue_entry(value);
  if (!entry || entry->attempt == 0) return {};
  const Duration wait = std::clamp(Duration(entry->not_before - now.wall), Duration(0), retry.backoff_max);
  return now.mono + wait;
}

void window_push(Core& core, ClassQueue& queue, std::uint64_t seq, std::string_view value) {
  core.memory->window_bytes -= queue.window.bytes();
  queue.window.push_back(seq, value);
  core.memory->window_bytes += queue.window.bytes();
  queue.read_from = seq + 1;
}

void return_to_queue(Core& core, const LeaseRecord& lease) {
  Host& host = core.memory->hosts.at(lease.slot);
  if (lease.kind == LeaseKind::kRobots) {
    host.robots_leased = false;
    return;
  }
  ClassQueue& queue = host.queue(lease.key.queue_class);
  host.drop_lease(queue, lease.key.seq);
  ++core.memory->queued;
  if (lease.key.seq >= queue.read_from)
    return;  // the window was dropped meanwhile: it is read again in its turn
  core.memory->window_bytes -= queue.window.bytes();
  queue.window.insert(lease.key.seq, lease.value);
  core.memory->window_bytes += queue.window.bytes();
  queue.head_due = MonoTime{};  // it was due once, so that it is due now
}

void expire_leases(Core& core, Now now) {
  while (LeaseRecord* lease = core.leases.oldest()) {
    if (lease->expires > now.mono) return;
    const Slot slot = lease->slot;
    return_to_queue(core, *lease);
    core.leases.expire(lease->id);
    // Whoever held it may still be talking to the host.
    Host& host = core.memory->hosts.at(slot);
    host.not_before = std::max(host.not_before,
                               now.mono + host_delay(core.options.politeness, host.crawl_delay, Duration(0)));
    reschedule(core, slot, now);
  }
}

void restore_host(Core& core, Slot slot, const HostRecord& record, Now now) {
  Host& host = core.memory->hosts.at(slot);
  restore(host, record, now);
  const Duration delay = host_delay(core.options.politeness, host.crawl_delay, Duration(0));
  host.not_before = std::max(host.not_before, core.loaded + delay);
  host.on_record = true;
}

Result<Slot> load_host(Core& core, std::string_view origin, HostId id, Now now) {
  auto bytes = core.store->get(kHosts, host_key(id));
  if (!bytes) return std::unexpected(bytes.error());
  const auto record = *bytes ? decode_host_record(**bytes) : std::nullopt;
  if (!record || record->origin.empty()) {
    return fail(ErrorCode::kState, "the record of host " + std::to_string(id) + " '" + std::string(origin) +
                                       "' is missing or damaged: restore the state from a copy");
  }
  const Slot slot = core.memory->hosts.add(record->origin, id);
  restore_host(core, slot, *record, now);
  return slot;
}

Result<Slot> find_host(Core& core, std::string_view origin, Now now) {
  if (const Slot slot = core.memory->hosts.find(origin); slot != kNoSlot) return slot;
  auto id = core.store->get(kHostNames, origin);
  if (!id) return std::unexpected(id.error());
  if (!*id) return kNoSlot;
  return load_host(core, origin, decode_host_key(**id), now);
}

void forget_host(Core& core, Slot slot) {
  Memory& memory = *core.memory;
  for (const auto& queue : memory.hosts.at(slot).queues) memory.window_bytes -= queue.window.bytes();
  memory.wheel.remove(slot);
  memory.hosts.remove(slot);
}

}  // namespace weir::frontier::local
