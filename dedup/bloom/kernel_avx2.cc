// Kernels in AVX2. Only the functions marked WEIR_KERNEL are compiled for it, and each begins at a pointer
// handed out after the processor was asked, so the program runs on machines without it. Probing any bit of 512
// with one permute per half line is the way of RocksDB's FastLocalBloom.
#if defined(__x86_64__)
#include <immintrin.h>

#define WEIR_KERNEL __attribute__((target("avx2")))
#include "dedup/bloom/kernel_loops.h"

namespace weir::dedup::bloom {
namespace {

struct WordMask {
  __m256i low;
  __m256i high;
};

WEIR_INLINE WordMask word_mask(std::uint64_t lo) {
  const __m256i hash = _mm256_set1_epi64x(static_cast<long long>(lo));
  const __m256i six_bits = _mm256_set1_epi64x(63);
  const __m256i one = _mm256_set1_epi64x(1);
  const __m256i low = _mm256_and_si256(_mm256_srlv_epi64(hash, _mm256_setr_epi64x(0, 6, 12, 18)), six_bits);
  const __m256i high = _mm256_and_si256(_mm256_srlv_epi64(hash, _mm256_setr_epi64x(24, 30, 36, 42)), six_bits);
  return {_mm256_sllv_epi64(one, low), _mm256_sllv_epi64(one, high)};
}

WEIR_INLINE const __m256i* half_lines(const Block& block) {
  return reinterpret_cast<const __m256i*>(block.words);
}

// Lanes below `probes` are all ones.
WEIR_INLINE __m256i first_lanes(unsigned probes) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(probes)),
                            _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}

WEIR_INLINE bool has_probes(const Block& block, std::uint32_t half, __m256i lanes) {
  const __m256i multipliers = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kMultipliers.data()));
  const __m256i hash = _mm256_mullo_epi32(_mm256_set1_epi32(static_cast<int>(half)), multipliers);
  const __m256i word = _mm256_srli_epi32(hash, 28);  // permute takes its low three bits, blend the top one
  const __m256i low = _mm256_permutevar8x32_epi32(_mm256_load_si256(half_lines(block)), word);
  const __m256i high = _mm256_permutevar8x32_epi32(_mm256_load_si256(half_lines(block) + 1), word);
  const __m256i chosen = _mm256_castps_si256(
      _mm256_blendv_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high), _mm256_castsi256_ps(hash)));
  const __m256i bit = _mm256_and_si256(_mm256_srli_epi32(hash, 23), _mm256_set1_epi32(31));
  const __m256i wanted = _mm256_and_si256(_mm256_sllv_epi32(_mm256_set1_epi32(1), bit), lanes);
  return _mm256_testc_si256(chosen, wanted) != 0;
}

struct Words {
  static constexpr bool kTwo = false;
  explicit Words(unsigned) {}

  WEIR_INLINE bool test(const Fingerprint& key, const Block& block, const Block*) const {
    const WordMask mask = word_mask(key.lo);
    return (_mm256_testc_si256(_mm256_load_si256(half_lines(block)), mask.low) &
            _mm256_testc_si256(_mm256_load_si256(half_lines(block) + 1), mask.high)) != 0;
  }
  WEIR_INLINE void set(const Fingerprint& key, Block& block, Block*) const {
    const WordMask mask = word_mask(key.lo);
    auto* lines = reinterpret_cast<__m256i*>(block.words);
    _mm256_store_si256(lines, _mm256_or_si256(_mm256_load_si256(lines), mask.low));
    _mm256_store_si256(lines + 1, _mm256_or_si256(_mm256_load_si256(lines + 1), mask.high));
  }
};

struct AnyBit {
  static constexpr bool kTwo = false;
  explicit AnyBit(unsigned probes) : rest(probes - kProbesPerHalf) {}

  WEIR_INLINE bool test(const Fingerprint& key, const Block& block, const Block*) const {
    return has_probes(block, low_half(key), _mm256_set1_epi32(-1)) &&
           has_probes(block, high_half(key), first_lanes(rest));
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
    return has_probes(first, low_half(key), _mm256_set1_epi32(-1)) &&
           has_probes(*second, high_half(key), _mm256_set1_epi32(-1));
  }
  WEIR_INLINE void set(const Fingerprint& key, Block& first, Block* second) const {
    set_probes(first, low_half(key), kProbesPerHalf);
    set_probes(*second, high_half(key), kProbesPerHalf);
  }
};

}  // namespace

std::optional<Kernel> avx2_kernel(Layout layout) {
  if (!__builtin_cpu_supports("avx2")) return std::nullopt;
  switch (layout) {
    case Layout::kWords: return Kernel{run_test_and_set<Words>, run_test<Words>};
    case Layout::kAnyBit: return Kernel{run_test_and_set<AnyBit>, run_test<AnyBit>};
    case Layout::kTwoBlocks: return Kernel{run_test_and_set<TwoBlocks>, run_test<TwoBlocks>};
  }
  __builtin_unreachable();
}

}  // namespace weir::dedup::bloom

#else
#include "dedup/bloom/kernel.h"

namespace weir::dedup::bloom {

std::optional<Kernel> avx2_kernel(Layout) { return std::nullopt; }

}  // namespace weir::dedup::bloom

#endif
