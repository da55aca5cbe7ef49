// The two roots of (rate - p)^2 = z^2 p (1 - p) / trials.
#include "dedup/metrics/wilson.h"

#include <algorithm>
#include <cmath>

namespace weir::dedup {

Interval wilson_interval(std::uint64_t events, std::uint64_t trials, double z) {
  if (trials == 0) return {};
  const auto count = static_cast<double>(trials);
  const double rate = static_cast<double>(events) / count;
  const double scale = 1 + z * z / count;
  const double middle = (rate + z * z / (2 * count)) / scale;
  const double half = z / scale * std::sqrt(rate * (1 - rate) / count + z * z / (4 * count * count));
  // No events leave nothing above zero to exclude, and likewise at the other end; rounding must not.
  return {events == 0 ? 0 : std::max(0.0, middle - half), events == trials ? 1 : std::min(1.0, middle + half)};
}

}  // namespace weir::dedup
