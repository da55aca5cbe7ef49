// When the map is full of live reservations, a new address passes unguarded: memory is bounded first, and
// 65,536 addresses busy at one moment are more than one process fetches from.
#include "frontier/local/ip_gate.h"

#include <algorithm>

#include "base/hash.h"
#include "frontier/local/timer_wheel.h"

namespace weir::frontier::local {
namespace {

MonoTime round_up(MonoTime time) {
  const auto ticks = (time.time_since_epoch() + TimerWheel::kTick - Duration(1)) / TimerWheel::kTick;
  return MonoTime(TimerWheel::kTick * ticks);
}

}  // namespace

std::size_t IpGate::Hash::operator()(const IpAddress& ip) const {
  return hash64({reinterpret_cast<const char*>(ip.bytes.data()), ip.bytes.size()});
}

void IpGate::forget_past(MonoTime now) {
  std::erase_if(addresses_, [&](const auto& entry) { return entry.second.next_free <= now; });
}

MonoTime IpGate::ask(const IpAddress& ip, MonoTime reserved, MonoTime now) {
  if (!ip.known || gap_ <= Duration(0)) return now;
  auto found = addresses_.find(ip);
  if (found == addresses_.end()) {
    if (addresses_.size() >= kAddressesMax) forget_past(now);
    if (addresses_.size() >= kAddressesMax) return now;
    addresses_[ip] = {now, now + gap_};
    return now;
  }
  Times& times = found->second;
  const bool holds_slot = reserved != MonoTime{} && reserved <= now;
  if ((holds_slot || times.next_free <= now) && now >= times.last_start + gap_) {
    times.last_start = now;
    times.next_free = std::max(times.next_free, now + gap_);
    return now;
  }
  const MonoTime start = round_up(std::max(times.next_free, times.last_start + gap_));
  times.next_free = start + gap_;
  return start;
}

}  // namespace weir::frontier::local
