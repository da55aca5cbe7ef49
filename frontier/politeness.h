// Politeness and retry settings of the frontier, and the pure arithmetic over them. All durations in
// microseconds (Duration). No state, no clock.
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace weir::frontier {

struct PolitenessOptions {
  Duration delay = std::chrono::seconds(1);  // between the end of a fetch and the next of one host
  Duration per_ip_delay = std::chrono::milliseconds(100);  // between two starts on one address; 0: off
  Duration crawl_delay_max = std::chrono::seconds(300);    // robots crawl-delay is obeyed up to this
  double adaptive_factor = 0;                              // delay >= factor * last fetch time; 0: off
  Duration delay_max = std::chrono::seconds(300);          // cap of the adaptive delay
  std::uint32_t connections_per_host = 1;                  // leases of one host at a time
  Duration hold_max = std::chrono::hours(24);              // cap of Retry-After and backoff
  bool obey_robots = true;                                 // false: no kRobots leases, Lease::robots is null
};

struct RetryPolicy {
  std::uint8_t attempts_max = 4;                // tries of one URL, the first included
  Duration backoff = std::chrono::seconds(10);  // first retry; doubles each time
  Duration backoff_max = std::chrono::hours(1);
  std::uint8_t host_failures_max = 4;  // failures in a row after which a host is given up
  Duration robots_retry =
      std::chrono::minutes(5);  // while robots.txt is unreachable; backoff governs the first
};

// Gap to keep after a fetch: max(delay, crawl-delay, adaptive factor * fetch time), capped as above.
Duration host_delay(const PolitenessOptions& options, Duration crawl_delay, Duration fetch_time);

// backoff * 2^attempt, at most backoff_max.
Duration retry_backoff(const RetryPolicy& policy, std::uint32_t attempt);

}  // namespace weir::frontier
