// How many file descriptors the process may have, and how many transfers and connections fit into that:
// computed once at start, so that a crawl slows down instead of failing on EMFILE. DescriptorThrottle is the
// second net, for when something else ate them. The throttle belongs to one thread.
#pragma once

#include <cstdint>

#include "base/error.h"

namespace weir::crawler {

// Raises RLIMIT_NOFILE's soft limit to the hard one; returns what it is then.
std::uint64_t raise_descriptor_limit();

struct DescriptorNeeds {
  std::uint64_t limit = 0;     // what the process may open
  std::uint64_t reserved = 0;  // store, logs, outputs, control server
  std::uint32_t fetchers = 1;  // clients that share the rest
  std::uint32_t transfers_max = 0;
  std::uint32_t connections_max = 0;
};

// Of one client.
struct DescriptorBudget {
  std::uint32_t transfers_max = 0;
  std::uint32_t connections_max = 0;
  bool reduced = false;  // less than was asked for: worth a line in the log
};

// kUsage when not even kTransfersMin transfers fit; the message says how to raise the limit.
Result<DescriptorBudget> fit_descriptors(const DescriptorNeeds& needs);

inline constexpr std::uint32_t kTransfersMin = 4;
// Of a client besides its connections: resolver sockets, wake-up pair, trust store, poll.
inline constexpr std::uint32_t kClientDescriptors = 24;
// A transfer in the act of connecting may try an IPv4 and an IPv6 address at once.
inline constexpr std::uint32_t kExtraPerTransfer = 1;

// How many transfers may run at a time: fewer after a descriptor could not be had, slowly more again.
class DescriptorThrottle {
 public:
  explicit DescriptorThrottle(std::uint32_t transfers_max) : max_(transfers_max), limit_(transfers_max) {}

  std::uint32_t limit() const { return limit_; }
  bool reduced() const { return limit_ < max_; }
  void on_exhausted(std::uint32_t running);
  void on_success();

 private:
  static constexpr std::uint32_t kSuccessesPerStep = 16;

  std::uint32_t max_;
  std::uint32_t limit_;
  std::uint32_t successes_ = 0;
};

}  // namespace weir::crawler
