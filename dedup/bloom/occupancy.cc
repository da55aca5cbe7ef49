// Counting bits. An all-set block would mean endlessly many keys; it is counted as one bit short of that.
#include "dedup/bloom/occupancy.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace weir::dedup::bloom {
namespace {

constexpr double kBits = kBlockBits;
constexpr double kWordBits = 64;

struct BlockView {
  double hit;   // chance that a stranger's probes in this block all hit
  double keys;  // keys that marked it
};

// Keys that leave `set` bits of a block, each drawing `probes` times from a range of `range` bits.
double keys_from_bits(int set, double range, double probes) {
  return std::log1p(-std::min(static_cast<double>(set), kBits - 1) / kBits) / (probes * std::log1p(-1 / range));
}

BlockView view(Layout layout, const Block& block, unsigned probes) {
  int set = 0;
  double hit = 1;
  for (const std::uint64_t word : block.words) {
    set += std::popcount(word);
    hit *= std::popcount(word) / kWordBits;
  }
  // The whole block's fill, for kWords too: the logarithm of eight small fills would lean to one side.
  if (layout == Layout::kWords) return {hit, keys_from_bits(set, kWordBits, 1)};
  return {std::pow(set / kBits, probes), keys_from_bits(set, kBits, probes)};
}

}  // namespace

Occupancy measure(Layout layout, const BlockArray& blocks) {
  const std::uint64_t stride = (blocks.count + kBlocksLookedAt - 1) / kBlocksLookedAt;
  const unsigned probes_per_block = layout == Layout::kTwoBlocks ? blocks.probes / 2 : blocks.probes;
  double hit = 0;
  double keys = 0;
  std::uint64_t looked_at = 0;
  for (std::uint64_t i = 0; i < blocks.count; i += stride, ++looked_at) {
    const BlockView seen = view(layout, blocks.data[i], probes_per_block);
    hit += seen.hit;
    keys += seen.keys;
  }
  const auto looked = static_cast<double>(looked_at);
  hit /= looked;
  keys *= static_cast<double>(blocks.count) / looked;
  // With two blocks a key marks both, and a stranger has to pass both.
  if (layout == Layout::kTwoBlocks) return {hit * hit, keys / 2};
  return {hit, keys};
}

}  // namespace weir::dedup::bloom
