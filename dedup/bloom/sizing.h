// Sizing: which layout, how many blocks and probes hold `capacity` keys at a false-positive rate of `fpr` when
// full. Predicted by occupancy_model.h, so that what is measured at load 1 lies within a tenth of it.
// Pure; tens of milliseconds.
//
//   fpr        layout       bits per key (predicted = asked)
//   >= 5e-4    kWords       10.1 at 1e-2, 15.7 at 1e-3
//   > 1e-5     kAnyBit      22.0 at 1e-4
//   <= 1e-5    kTwoBlocks   25.3 at 1e-5, 31.3 at 1e-6
#pragma once

#include <cstdint>

#include "base/error.h"
#include "dedup/bloom/block_layout.h"

namespace weir::dedup::bloom {

inline constexpr double kFprMin = 1e-9;  // below, more bits per key than the exact set's
inline constexpr double kFprMax = 0.5;
inline constexpr double kWordsFprMin = 5e-4;
inline constexpr double kTwoBlocksFprMax = 1e-5;

struct Plan {
  Layout layout = Layout::kWords;
  unsigned probes = kWordsPerBlock;  // bits per key
  std::uint64_t blocks = 0;
  std::uint64_t capacity = 0;
  double expected_fpr = 0;  // at capacity

  std::uint64_t bytes() const { return blocks * sizeof(Block); }
  double bits_per_key() const {
    return static_cast<double>(blocks * kBlockBits) / static_cast<double>(capacity);
  }
  friend bool operator==(const Plan&, const Plan&) = default;
};

// kUsage for a capacity or rate out of range.
Result<Plan> plan(std::uint64_t capacity, double fpr);

}  // namespace weir::dedup::bloom
