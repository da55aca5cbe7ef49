// The loops that every kernel shares: find the blocks of the next group of keys and ask the memory for them
// while the present group is worked on. A group of 64 keeps the memory busy; its addresses are computed in a
// loop of their own, which the processor overlaps better than a ring.
// Included by the kernels only, each with its own WEIR_KERNEL (a target attribute or nothing): every function,
// lambdas too, must carry it, and every kernel has its own copy. `Operations` gives test and set of one key.
#pragma once

#include <algorithm>
#include <cstddef>

#include "dedup/bloom/kernel.h"

#ifndef WEIR_KERNEL
#error "define WEIR_KERNEL first"
#endif
#define WEIR_INLINE inline __attribute__((always_inline)) WEIR_KERNEL

namespace weir::dedup::bloom {
namespace {

constexpr std::size_t kGroup = 64;

struct Places {
  Block* first[kGroup];
  Block* second[kGroup];  // kTwoBlocks only
};

template <bool kTwo, bool kForWriting>
WEIR_INLINE void locate(const BlockArray& blocks, std::span<const Fingerprint> group, Places& places) {
  for (std::size_t i = 0; i < group.size(); ++i) {
    places.first[i] = blocks.data + first_block(group[i], blocks.count);
    __builtin_prefetch(places.first[i], kForWriting ? 1 : 0);
    if constexpr (kTwo) {
      places.second[i] = blocks.data + second_block(group[i], blocks.count);
      __builtin_prefetch(places.second[i], kForWriting ? 1 : 0);
    }
  }
}

// Calls use(index, first block, second block) for every key, each group's blocks prefetched one group ahead.
template <bool kTwo, bool kForWriting, typename Use>
WEIR_INLINE void for_each_located(const BlockArray& blocks, std::span<const Fingerprint> batch, Use use) {
  Places places[2];
  const auto group = [&](std::size_t from) WEIR_KERNEL {
    from = std::min(from, batch.size());
    return batch.subspan(from, std::min(kGroup, batch.size() - from));
  };
  locate<kTwo, kForWriting>(blocks, group(0), places[0]);
  for (std::size_t from = 0, turn = 0; from < batch.size(); from += kGroup, turn ^= 1) {
    locate<kTwo, kForWriting>(blocks, group(from + kGroup), places[turn ^ 1]);
    const std::size_t count = group(from).size();
    for (std::size_t i = 0; i < count; ++i) {
      use(from + i, places[turn].first[i], kTwo ? places[turn].second[i] : nullptr);
    }
  }
}

// Most keys of a crawl are repeats, so the test comes first and a line is made dirty only for a new key.
template <typename Operations>
WEIR_KERNEL std::uint64_t run_test_and_set(const BlockArray& blocks, std::span<const Fingerprint> batch,
                                           Verdict* verdicts) {
  std::uint64_t admitted = 0;
  const Operations operations(blocks.probes);
  for_each_located<Operations::kTwo, true>(blocks, batch,
                                           [&](std::size_t i, Block* first, Block* second) WEIR_KERNEL {
                                             const bool fresh = !operations.test(batch[i], *first, second);
                                             if (fresh) operations.set(batch[i], *first, second);
                                             verdicts[i] = fresh ? Verdict::kNew : Verdict::kSeen;
                                             admitted += fresh ? 1 : 0;
                                           });
  return admitted;
}

template <typename Operations>
WEIR_KERNEL void run_test(const BlockArray& blocks, std::span<const Fingerprint> batch, Verdict* verdicts) {
  const Operations operations(blocks.probes);
  for_each_located<Operations::kTwo, false>(
      blocks, batch, [&](std::size_t i, Block* first, Block* second) WEIR_KERNEL {
        verdicts[i] = operations.test(batch[i], *first, second) ? Verdict::kSeen : Verdict::kNew;
      });
}

// Bits anywhere in a block, scattered one by one: no instruction set before AVX-512 does better.
WEIR_INLINE void set_probes(Block& block, std::uint32_t half, unsigned probes) {
  for (unsigned i = 0; i < probes; ++i) {
    const std::uint32_t bit = (half * kMultipliers[i]) >> 23;
    block.words[bit >> 6] |= std::uint64_t{1} << (bit & 63);
  }
}

}  // namespace
}  // namespace weir::dedup::bloom
