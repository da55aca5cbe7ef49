// Time is handed in: a loop reads a Clock once per turn and passes Now down; pure code never reads it.
// Monotonic time measures delays, deadlines and leases; wall time is for dates that outlive the process.
// SystemClock is the one home of the operating system's clocks. Thread-safe.
#pragma once

#include <chrono>

namespace weir {

using Duration = std::chrono::microseconds;

// A clock tag of ours: never jumps, its zero means nothing outside this process.
struct Monotonic {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<Monotonic, Duration>;
  static constexpr bool is_steady = true;
};

using MonoTime = Monotonic::time_point;
using WallTime = std::chrono::sys_time<Duration>;  // since 1970-01-01 UTC, may jump

struct Now {
  MonoTime mono;
  WallTime wall;
};

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Now now() const = 0;
};

class SystemClock final : public Clock {
 public:
  Now now() const override;
};

}  // namespace weir
