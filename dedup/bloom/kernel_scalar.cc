// Kernels in plain C++, for processors without AVX2 and as the reading of block_layout.h that tests trust.
// Each test gathers the missing bits of a group of eight without branches between them.
#define WEIR_KERNEL
#include "dedup/bloom/kernel_loops.h"

namespace weir::dedup::bloom {
namespace {

WEIR_INLINE std::uint64_t missing_probes(const Block& block, std::uint32_t half, unsigned probes) {
  std::uint64_t missing = 0;
  for (unsigned i = 0; i < probes; ++i) {
    const std::uint32_t bit = (half * kMultipliers[i]) >> 23;
    missing |= ~block.words[bit >> 6] >> (bit & 63);
  }
  return missing & 1;
}

struct Words {
  static constexpr bool kTwo = false;
  explicit Words(unsigned) {}

  WEIR_INLINE bool test(const Fingerprint& key, const Block& block, const Block*) const {
    std::uint64_t missing = 0;
    for (unsigned word = 0; word < kWordsPerBlock; ++word) {
      missing |= ~block.words[word] >> (key.lo >> (6 * word) & 63);
    }
    return (missing & 1) == 0;
  }
  WEIR_INLINE void set(const Fingerprint& key, Block& block, Block*) const {
    for (unsigned word = 0; word < kWordsPerBlock; ++word) {
      block.words[word] |= std::uint64_t{1} << (key.lo >> (6 * word) & 63);
    }
  }
};

struct AnyBit {
  static constexpr bool kTwo = false;
  explicit AnyBit(unsigned probes) : rest(probes - kProbesPerHalf) {}

  WEIR_INLINE bool test(const Fingerprint& key, const Block& block, const Block*) const {
    return missing_probes(block, low_half(key), kProbesPerHalf) == 0 &&
           missing_probes(block, high_half(key), rest) == 0;
  }
  WEIR_INLINE void set(const Fingerprint& key, Block& block, Block*) const {
    set_probes(block, low_half(key), kProbesPerHalf);
    set_probes(block, high_half(key), rest);
  }
  unsigned rest;
};

struct TwoBlocks {
  static constexpr bool kTwo = true;
  explicit TwoBlocks(unsigned) {}

  WEIR_INLINE bool test(const Fingerprint& key, const Block& first, const Block* second) const {
    return missing_probes(first, low_half(key), kProbesPerHalf) == 0 &&
           missing_probes(*second, high_half(key), kProbesPerHalf) == 0;
  }
  WEIR_INLINE void set(const Fingerprint& key, Block& first, Block* second) const {
    set_probes(first, low_half(key), kProbesPerHalf);
    set_probes(*second, high_half(key), kProbesPerHalf);
  }
};

}  // namespace

Kernel scalar_kernel(Layout layout) {
  switch (layout) {
    case Layout::kWords: return {run_test_and_set<Words>, run_test<Words>};
    case Layout::kAnyBit: return {run_test_and_set<AnyBit>, run_test<AnyBit>};
    case Layout::kTwoBlocks: return {run_test_and_set<TwoBlocks>, run_test<TwoBlocks>};
  }
  __builtin_unreachable();
}

Instructions best_instructions() {
  return avx2_kernel(Layout::kWords) ? Instructions::kAvx2 : Instructions::kScalar;
}

std::optional<Kernel> kernel(Layout layout, Instructions instructions) {
  switch (instructions) {
    case Instructions::kScalar: return scalar_kernel(layout);
    case Instructions::kAvx2: return avx2_kernel(layout);
  }
  __builtin_unreachable();
}

}  // namespace weir::dedup::bloom
