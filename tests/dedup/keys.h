// Fingerprints for tests: the n-th of a seeded sequence, spread as XXH3's would be and never the same twice.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "dedup/fingerprint.h"

namespace weir::dedup::testing {

// SplitMix64 (Steele, Lea, Flood 2014): a bijection, so different numbers give different keys.
inline std::uint64_t mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ value >> 27) * 0x94d049bb133111ebULL;
  return value ^ value >> 31;
}

inline Fingerprint key(std::uint64_t number, std::uint64_t seed = 0) {
  const std::uint64_t hi = mix(number ^ mix(seed));
  return {hi, mix(hi ^ 0x5851f42d4c957f2dULL)};
}

inline std::vector<Fingerprint> keys(std::uint64_t from, std::uint64_t count, std::uint64_t seed = 0) {
  std::vector<Fingerprint> result;
  result.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) result.push_back(key(from + i, seed));
  return result;
}

struct FingerprintHash {
  std::size_t operator()(const Fingerprint& value) const { return value.hi ^ value.lo; }
};

inline Secret secret(unsigned char fill) {
  Secret result;
  for (std::byte& byte : result) byte = std::byte{fill++};
  return result;
}

}  // namespace weir::dedup::testing
