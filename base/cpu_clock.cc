// The one reader of the kernel's per-thread CPU clock.
#include "base/cpu_clock.h"

#include <ctime>

namespace weir {

std::chrono::nanoseconds thread_cpu_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace weir
