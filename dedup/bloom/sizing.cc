// Bisection over the keys per block: every predicted rate grows with them.
#include "dedup/bloom/sizing.h"

#include <cmath>
#include <string>
#include <vector>

#include "dedup/bloom/occupancy_model.h"

namespace weir::dedup::bloom {
namespace {

constexpr std::uint64_t kCapacityMax = std::uint64_t{1} << 40;  // 2^32 blocks at the widest: where blocks stay
                                                                // independent of each other
constexpr std::uint64_t kBlocksMax = std::uint64_t{1} << 32;
constexpr std::uint64_t kBlocksMin = 16;
constexpr double kKeysPerBlockMax = 256;
constexpr int kBisections = 60;

Layout layout_for(double fpr) {
  if (fpr >= kWordsFprMin) return Layout::kWords;
  return fpr > kTwoBlocksFprMax ? Layout::kAnyBit : Layout::kTwoBlocks;
}

// The rate at a mean of `keys_per_block`; with two blocks a key, each block is marked by twice as many.
double predicted(Layout layout, const std::vector<double>& curve, double keys_per_block) {
  if (layout != Layout::kTwoBlocks) return poisson_mean(curve, keys_per_block);
  const double one = poisson_mean(curve, 2 * keys_per_block);
  return one * one;
}

double keys_per_block_at(Layout layout, const std::vector<double>& curve, double fpr) {
  double low = 1e-3;
  double high = kKeysPerBlockMax;
  for (int i = 0; i < kBisections; ++i) {
    const double middle = (low + high) / 2;
    (predicted(layout, curve, middle) <= fpr ? low : high) = middle;
  }
  return low;
}

struct Shape {
  unsigned probes = 0;
  double keys_per_block = 0;
  std::vector<double> curve;
};

// The probe count that holds the most keys per block at this rate.
Shape best_shape(Layout layout, double fpr) {
  Shape best;
  const unsigned from = layout == Layout::kTwoBlocks ? kProbesMax : kProbesPerHalf;
  const unsigned to = layout == Layout::kWords ? kWordsPerBlock : kProbesMax;
  for (unsigned probes = from; probes <= to; ++probes) {
    std::vector<double> curve = block_curve(layout, layout == Layout::kTwoBlocks ? probes / 2 : probes);
    const double keys = keys_per_block_at(layout, curve, fpr);
    if (keys > best.keys_per_block) best = {probes, keys, std::move(curve)};
  }
  return best;
}

}  // namespace

Result<Plan> plan(std::uint64_t capacity, double fpr) {
  if (capacity == 0 || capacity > kCapacityMax) {
    return fail(ErrorCode::kUsage, "a bloom filter holds 1 to " + std::to_string(kCapacityMax) + " keys, not " +
                                       std::to_string(capacity) + " (dedup.capacity)");
  }
  if (!(fpr >= kFprMin && fpr <= kFprMax)) {
    return fail(ErrorCode::kUsage, "a bloom filter's rate lies between 1e-9 and 0.5, not " +
                                       std::to_string(fpr) +
                                       " (dedup.fpr); for no false positives take the backend 'exact'");
  }
  const Layout layout = layout_for(fpr);
  const Shape shape = best_shape(layout, fpr);
  const double wanted = std::ceil(static_cast<double>(capacity) / shape.keys_per_block);
  if (wanted > static_cast<double>(kBlocksMax)) {
    return fail(ErrorCode::kUsage,
                "a bloom filter of " + std::to_string(capacity) +
                    " keys at this rate is beyond 256 GiB: raise dedup.fpr or split the crawl");
  }
  Plan result{layout, shape.probes, std::max(kBlocksMin, static_cast<std::uint64_t>(wanted)), capacity, 0};
  result.expected_fpr =
      predicted(layout, shape.curve, static_cast<double>(capacity) / static_cast<double>(result.blocks));
  return result;
}

}  // namespace weir::dedup::bloom
