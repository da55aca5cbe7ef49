// The system's clock as we hand it on: monotonic time never goes back, wall time is UTC since 1970.
#include "base/clock.h"

#include <gtest/gtest.h>

#include <chrono>

namespace weir {
namespace {

TEST(SystemClock, MonotonicTimeNeverGoesBack) {
  const SystemClock clock;
  MonoTime last = clock.now().mono;
  for (int i = 0; i < 10'000; ++i) {
    const MonoTime next = clock.now().mono;
    ASSERT_GE(next, last);
    last = next;
  }
}

TEST(SystemClock, WallTimeCountsFrom1970InUtc) {
  const SystemClock clock;
  const std::chrono::sys_days built = std::chrono::year{2024} / 1 / 1;
  EXPECT_GT(clock.now().wall, built);
}

}  // namespace
}  // namespace weir
