// The only place that asks the operating system what time it is.
#include "base/clock.h"

namespace weir {

Now SystemClock::now() const {
  const auto mono = std::chrono::steady_clock::now().time_since_epoch();
  const auto wall = std::chrono::system_clock::now();
  return {MonoTime(std::chrono::duration_cast<Duration>(mono)), std::chrono::time_point_cast<Duration>(wall)};
}

}  // namespace weir
