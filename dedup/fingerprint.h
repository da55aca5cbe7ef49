// Fingerprint: the 128-bit keyed hash that stands for a key in every set. The dedup floor knows nothing of
// what was hashed. 128 bits, so that collisions never matter (2^-128 * n^2 / 2; at 1e12 keys below 1e-14).
#pragma once

#include <string_view>

#include "base/hash.h"

namespace weir::dedup {

using Fingerprint = Hash128;
using Secret = HashSecret;

inline Fingerprint fingerprint(std::string_view key, const Secret& secret) {
  return keyed_hash128(key, secret);
}

}  // namespace weir::dedup
