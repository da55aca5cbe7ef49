// Kernel: the three batch operations of one block layout, in the instruction set chosen at run time. The
// scalar and the AVX2 kernels set the same bits (tests/dedup/bloom_kernel_test.cc), so a filter written on
// one machine goes on on another. Pure functions over the caller's blocks; no locks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "dedup/bloom/block_layout.h"
#include "dedup/url_set.h"

namespace weir::dedup::bloom {

struct BlockArray {
  Block* data;
  std::uint64_t count;
  unsigned probes;  // bits per key; 8 for kWords, 16 for kTwoBlocks
};

enum class Instructions : std::uint8_t { kScalar, kAvx2 };

struct Kernel {
  // Number of kNew. `verdicts` holds one place per key.
  std::uint64_t (*test_and_set)(const BlockArray& blocks, std::span<const Fingerprint> batch,
                                Verdict* verdicts);
  void (*test)(const BlockArray& blocks, std::span<const Fingerprint> batch, Verdict* verdicts);
};

Kernel scalar_kernel(Layout layout);
std::optional<Kernel> avx2_kernel(Layout layout);  // nothing where this processor has no AVX2
Instructions best_instructions();
std::optional<Kernel> kernel(Layout layout, Instructions instructions);

}  // namespace weir::dedup::bloom
