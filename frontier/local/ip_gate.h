// IpGate: starts on one address are at least `gap` apart, whatever the hosts. By reservation: a host that comes
// too early is given its own later start, so that it wakes once instead of racing the others. Bounded:
// addresses whose last reservation has passed are forgotten. Starts are multiples of the wheel's tick, so that
// rounding cannot bring two of them closer. Single-threaded; not durable.
#pragma once

#include <cstddef>
#include <unordered_map>

#include "base/clock.h"
#include "frontier/messages.h"

namespace weir::frontier::local {

class IpGate {
 public:
  static constexpr std::size_t kAddressesMax = 1 << 16;

  explicit IpGate(Duration gap) : gap_(gap) {}

  // now.mono itself: start now, the start is noted. Later: reserved; come back then and pass it as `reserved`.
  MonoTime ask(const IpAddress& ip, MonoTime reserved, MonoTime now);

 private:
  struct Hash {
    std::size_t operator()(const IpAddress& ip) const;
  };
  struct Times {
    MonoTime last_start{};
    MonoTime next_free{};
  };
  void forget_past(MonoTime now);

  Duration gap_;
  std::unordered_map<IpAddress, Times, Hash> addresses_;
};

}  // namespace weir::frontier::local
