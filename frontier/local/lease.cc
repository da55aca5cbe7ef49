// Leasing: hosts come ready from the wheel, one lease each in turn, so that no host is served twice before
// another that was due is served once. O(1) per lease, and one cursor read per window of URLs.
#include <algorithm>

#include "frontier/local/core.h"
#include "frontier/local/queue_entry.h"

namespace weir::frontier::local {
namespace {

constexpr std::uint32_t kRefillMin = 4;  // even when the byte budget is spent
constexpr std::string_view kRobotsPath = "/robots.txt";

std::unexpected<Error> damaged(const Host& host) {
  return fail(ErrorCode::kState, "the queue of '" + host.origin +
                                     "' does not hold what its record says: restore the state from a copy");
}

// Reads the next URLs of the class, from the cursor on: never across the tombstones of what is finished.
Result<void> refill(Core& core, Host& host, ClassQueue& queue) {
  Memory& memory = *core.memory;
  const bool room = memory.window_bytes < core.options.window_bytes;
  const std::uint32_t wanted = room ? core.options.window_urls_max : kRefillMin;
  std::string from;
  append_queue_key(from, {host.id, queue.queue_class, queue.read_from});
  std::string to;
  append_queue_key(to, {host.id, queue.queue_class, host.next_seq});
  auto cursor = core.store->scan(kQueue, from, to);
  for (; cursor.valid() && queue.window.size() < wanted; cursor.next()) {
    const std::uint64_t seq = decode_queue_key(cursor.key()).seq;
    if (!host.is_leased(queue.queue_class, seq)) window_push(core, queue, seq, cursor.value());
  }
  if (auto status = cursor.status(); !status) return status;
  if (queue.window.empty()) return damaged(host);
  ++core.counters.window_refills;
  return {};
}

// The queue to serve next, its head in the window; null: nothing is due.
Result<ClassQueue*> pick_queue(Core& core, Host& host, Now now, bool& from_memory) {
  from_memory = true;
  for (auto& queue : host.queues) {
    if (queue.waiting() == 0) continue;
    if (queue.window.empty()) {
      from_memory = false;
      if (auto read = refill(core, host, queue); !read) return std::unexpected(read.error());
      queue.head_due = due_of(queue.window.front_value(), now, core.options.retry);
    }
    if (queue.head_due <= now.mono) return &queue;
  }
  return nullptr;
}

bool robots_needed(const Core& core, const Host& host, Now now) {
  if (!core.options.politeness.obey_robots || host.given_up) return false;
  return !host.robots || *host.robots == RobotsState::kUnreachable || host.robots_until <= now.mono;
}

// Null, and the host is to be asked anew, when the store has lost the body.
Result<std::shared_ptr<const RobotsFile>> robots_of(Core& core, Host& host) {
  if (!core.options.politeness.obey_robots) return nullptr;
  if (host.robots != RobotsState::kRules) return core.no_rules;
  if (auto cached = core.memory->robots.find(host.id)) return cached;
  auto body = core.store->get(kRobots, host_key(host.id));
  if (!body) return std::unexpected(body.error());
  if (!*body) {
    host.robots.reset();
    return nullptr;
  }
  auto file = std::make_shared<const RobotsFile>(RobotsFile{std::move(**body), host.robots_version});
  core.memory->robots.put(host.id, file);
  return file;
}

Lease new_lease(Core& core, Slot slot, LeaseRecord record, Now now) {
  const Host& host = core.memory->hosts.at(slot);
  record.slot = slot;
  record.key.host = host.id;
  record.expires = now.mono + core.options.lease_duration;
  const LeaseRecord& added = core.leases.add(std::move(record));
  Lease lease;
  lease.id = added.id;
  lease.kind = added.kind;
  lease.host = host.id;
  lease.expires = added.expires;
  lease.url = host.origin;
  lease.origin_length = static_cast<std::uint32_t>(host.origin.size());
  if (host.given_up) {
    lease.host_given_up = true;
    lease.given_up_reason = *host.given_up;
  }
  return lease;
}

// `queue` has the URL that waits for the rules: what robots.txt leads to belongs to the same seed.
Result<Lease> robots_lease(Core& core, Slot slot, const ClassQueue& queue, Now now) {
  const auto waiting = decode_queue_entry(queue.window.front_value());
  if (!waiting) return damaged(core.memory->hosts.at(slot));
  LeaseRecord record;
  record.kind = LeaseKind::kRobots;
  Lease lease = new_lease(core, slot, std::move(record), now);
  lease.url.append(kRobotsPath);
  lease.tag = waiting->tag;
  lease.depth_limit = waiting->depth_limit;
  core.memory->hosts.at(slot).robots_leased = true;
  return lease;
}

Result<Lease> page_lease(Core& core, Slot slot, ClassQueue& queue, Now now) {
  Memory& memory = *core.memory;
  Host& host = memory.hosts.at(slot);
  LeaseRecord record;
  record.key = {host.id, queue.queue_class, queue.window.front_seq()};
  record.value = queue.window.front_value();
  const auto entry = decode_queue_entry(record.value);
  if (!entry) return damaged(host);
  std::string rest(entry->path);
  const std::string parent = parent_url(*entry, host.origin);
  const std::string tag(entry->tag);
  const QueueEntry fields = *entry;

  queue.window.pop_front();
  queue.head_due =
      queue.window.empty() ? MonoTime{} : due_of(queue.window.front_value(), now, core.options.retry);
  host.add_lease(queue, record.key.seq);
  --memory.queued;
  core.leases.forget_expired(record.key);
  Lease lease = new_lease(core, slot, std::move(record), now);
  lease.url.append(rest);
  lease.depth = fields.depth;
  lease.depth_limit = fields.depth_limit;
  lease.redirect_hops = fields.redirect_hops;
  lease.off_scope_hops = fields.off_scope_hops;
  lease.attempt = fields.attempt;
  lease.parent = parent;
  lease.tag = tag;
  return lease;
}

// At most one lease of the host; none when a clock says later after all.
Result<void> serve(Core& core, Slot slot, Now now, std::vector<Lease>& out) {
  Host& host = core.memory->hosts.at(slot);
  if (!host.given_up && host.not_before > now.mono) return {};
  bool from_memory = true;
  auto queue = pick_queue(core, host, now, from_memory);
  if (!queue) return std::unexpected(queue.error());
  if (*queue == nullptr) return {};
  if (!host.given_up) {
    const MonoTime start = core.gate.ask(host.ip, host.ip_reserved, now.mono);
    host.ip_reserved = start > now.mono ? start : MonoTime{};
    if (start > now.mono) return {};
  }
  std::shared_ptr<const RobotsFile> robots;
  if (!robots_needed(core, host, now)) {
    auto found = robots_of(core, host);
    if (!found) return std::unexpected(found.error());
    robots = std::move(*found);
  }
  if (robots_needed(core, host, now)) {
    auto lease = robots_lease(core, slot, **queue, now);
    if (!lease) return std::unexpected(lease.error());
    out.push_back(std::move(*lease));
    return {};
  }
  auto lease = page_lease(core, slot, **queue, now);
  if (!lease) return std::unexpected(lease.error());
  lease->robots = std::move(robots);
  if (from_memory) ++core.counters.window_hits;
  out.push_back(std::move(*lease));
  return {};
}

}  // namespace

Result<std::size_t> run_lease(Core& core, std::size_t limit, Now now, std::vector<Lease>& out) {
  expire_leases(core, now);
  if (auto synced = sync_log(core, now); !synced) {
    core.broken = synced.error();
    return std::unexpected(synced.error());
  }
  core.memory->wheel.advance(now.mono);
  const std::size_t before = out.size();
  while (out.size() - before < limit) {
    const auto slot = core.memory->wheel.pop_ready();
    if (!slot) break;
    auto served = serve(core, *slot, now, out);
    if (!served) {
      core.broken = served.error();
      return std::unexpected(served.error());
    }
    reschedule(core, *slot, now);
  }
  return out.size() - before;
}

}  // namespace weir::frontier::local
