// Wilson's score interval: what a count of events among trials says about the rate behind it. Holds for few
// events and for none, where the textbook interval collapses (Wilson, JASA 22, 1927). Pure.
#pragma once

#include <cstdint>

namespace weir::dedup {

struct Interval {
  double low = 0;
  double high = 1;
  bool contains(double rate) const { return low <= rate && rate <= high; }
};

inline constexpr double kZ95 = 1.959963984540054;  // standard deviations of a 95 % interval

// [0, 1] for no trials.
Interval wilson_interval(std::uint64_t events, std::uint64_t trials, double z = kZ95);

}  // namespace weir::dedup
