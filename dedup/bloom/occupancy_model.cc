// Occupancy as a Markov chain: each probe sets a new bit with the share of bits still free.
#include "dedup/bloom/occupancy_model.h"

#include <array>
#include <cmath>
#include <cstddef>

namespace weir::dedup::bloom {
namespace {

constexpr std::size_t kKeysPerBlockMax = 512;  // one bit a key: fuller filters are of no use

std::vector<double> words_curve() {
  std::vector<double> curve(kKeysPerBlockMax + 1);
  for (std::size_t keys = 0; keys < curve.size(); ++keys) {
    const double fill = 1 - std::pow(63.0 / 64.0, static_cast<double>(keys));
    curve[keys] = std::pow(fill, kWordsPerBlock);  // words are independent of each other
  }
  return curve;
}

using Occupancy = std::array<double, kBlockBits + 1>;  // chance that this many bits are set

void drop_probe(Occupancy& occupancy) {
  constexpr double kBits = kBlockBits;
  for (std::size_t set = kBlockBits; set > 0; --set) {
    const double hit_set = static_cast<double>(set) / kBits;
    const double hit_free = (kBits - static_cast<double>(set) + 1) / kBits;
    occupancy[set] = occupancy[set] * hit_set + occupancy[set - 1] * hit_free;
  }
  occupancy[0] = 0;
}

double all_hit(const Occupancy& occupancy, const Occupancy& power) {
  double sum = 0;
  for (std::size_t set = 0; set <= kBlockBits; ++set) sum += occupancy[set] * power[set];
  return sum;
}

}  // namespace

std::vector<double> block_curve(Layout layout, unsigned probes_per_block) {
  if (layout == Layout::kWords) return words_curve();
  Occupancy power;
  for (std::size_t set = 0; set <= kBlockBits; ++set) {
    power[set] = std::pow(static_cast<double>(set) / kBlockBits, probes_per_block);
  }
  Occupancy occupancy{};
  occupancy[0] = 1;
  std::vector<double> curve(kKeysPerBlockMax + 1);
  for (std::size_t keys = 1; keys < curve.size(); ++keys) {
    for (unsigned probe = 0; probe < probes_per_block; ++probe) drop_probe(occupancy);
    curve[keys] = all_hit(occupancy, power);
  }
  return curve;
}

double poisson_mean(const std::vector<double>& curve, double keys_per_block) {
  double sum = 0;
  double weight_left = 1;
  for (std::size_t keys = 0; keys < curve.size(); ++keys) {
    const auto count = static_cast<double>(keys);
    const double weight = std::exp(count * std::log(keys_per_block) - keys_per_block - std::lgamma(count + 1));
    sum += weight * curve[keys];
    weight_left -= weight;
  }
  return sum + std::fmax(weight_left, 0) * curve.back();
}

}  // namespace weir::dedup::bloom
