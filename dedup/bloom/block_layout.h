// Where a fingerprint's bits lie. A filter is an array of 512-bit blocks, one cache line each; the high word
// picks the block, the low word the bits, so the two never share entropy. Constants only; no state.
//
//   kWords       one block; bit (lo >> 6w) & 63 of each 64-bit word w = 0..7                    8 bits per key
//                |w0 . . 1 . .|w1 1 . . . .|w2 . . . 1 .| ... |w7 . 1 . . .|
//   kAnyBit      one block; bits anywhere in it, from both halves of lo                      8..16 bits per key
//   kTwoBlocks   two blocks; 8 bits from the low half of lo in the first, 8 from the high half in the second
//
// In the last two, probe i of a half h (32 bits) is the top nine bits of h * kMultipliers[i], modulo 2^32.
// Changing anything here changes what stored filters mean: raise the payload's format then.
#pragma once

#include <array>
#include <cstdint>

#include "dedup/fingerprint.h"

namespace weir::dedup::bloom {

enum class Layout : std::uint8_t { kWords, kAnyBit, kTwoBlocks };

struct alignas(64) Block {
  std::uint64_t words[8];
};

inline constexpr std::uint64_t kBlockBits = 512;
inline constexpr unsigned kWordsPerBlock = 8;
inline constexpr unsigned kProbesPerHalf = 8;
inline constexpr unsigned kProbesMax = 2 * kProbesPerHalf;

// Powers of 2^32 / golden ratio, made odd: multiplicative hashing (Knuth, TAOCP 6.4).
inline constexpr auto kMultipliers = [] {
  std::array<std::uint32_t, kProbesPerHalf> powers{};
  std::uint32_t power = 1;
  for (std::uint32_t& multiplier : powers) {
    multiplier = power;
    power *= 0x9e3779b9U;
  }
  return powers;
}();

inline std::uint32_t low_half(const Fingerprint& key) { return static_cast<std::uint32_t>(key.lo); }
inline std::uint32_t high_half(const Fingerprint& key) { return static_cast<std::uint32_t>(key.lo >> 32); }

inline std::uint64_t scale(std::uint64_t hash, std::uint64_t count) {
  return static_cast<std::uint64_t>((static_cast<__uint128_t>(hash) * count) >> 64);
}
inline std::uint64_t first_block(const Fingerprint& key, std::uint64_t blocks) { return scale(key.hi, blocks); }
// The halves of hi swapped: other top bits, so independent of the first block up to 2^32 blocks (256 GiB).
inline std::uint64_t second_block(const Fingerprint& key, std::uint64_t blocks) {
  return scale(key.hi << 32 | key.hi >> 32, blocks);
}

}  // namespace weir::dedup::bloom
