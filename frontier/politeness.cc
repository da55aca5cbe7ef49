// The arithmetic of waiting. Every product is bounded before it is formed: no setting can overflow.
#include "frontier/politeness.h"

#include <algorithm>

namespace weir::frontier {
namespace {

Duration adaptive_delay(const PolitenessOptions& options, Duration fetch_time) {
  if (!(options.adaptive_factor > 0) || fetch_time <= Duration::zero()) return Duration::zero();
  const double wanted = options.adaptive_factor * static_cast<double>(fetch_time.count());
  if (wanted >= static_cast<double>(options.delay_max.count())) return options.delay_max;
  return Duration(static_cast<Duration::rep>(wanted));
}

}  // namespace

Duration host_delay(const PolitenessOptions& options, Duration crawl_delay, Duration fetch_time) {
  return std::max(
      {options.delay, std::min(crawl_delay, options.crawl_delay_max), adaptive_delay(options, fetch_time)});
}

Duration retry_backoff(const RetryPolicy& policy, std::uint32_t attempt) {
  Duration wait = std::min(policy.backoff, policy.backoff_max);
  for (; attempt > 0 && wait > Duration::zero() && wait < policy.backoff_max; --attempt) {
    wait = wait > policy.backoff_max / 2 ? policy.backoff_max : wait * 2;
  }
  return wait;
}

}  // namespace weir::frontier
