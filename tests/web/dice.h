// Dice: chance as a pure function. The same start value rolls the same numbers on every machine, so that a page
// of the synthetic web can be made anew at every request instead of being stored. Not for secrets.
#pragma once

#include <cstdint>

namespace weir::testweb {

// splitmix64's finaliser (Steele, Lea, Flood 2014).
constexpr std::uint64_t mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}

template <typename... More>
constexpr std::uint64_t mix(std::uint64_t value, More... more) {
  std::uint64_t mixed = mix(value);
  ((mixed = mix(mixed ^ (static_cast<std::uint64_t>(more) * 0xd6e8feb86659fd93U + 1))), ...);
  return mixed;
}

class Dice {
 public:
  explicit constexpr Dice(std::uint64_t start) : state_(start) {}

  constexpr std::uint64_t next() { return mix(state_++ ^ 0xa0761d6478bd642fU); }

  // `limit` at most 2^32.
  constexpr std::uint64_t below(std::uint64_t limit) { return ((next() >> 32) * limit) >> 32; }

  constexpr bool one_in(std::uint64_t n) { return below(n) == 0; }

  // In [0, 1).
  constexpr double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace weir::testweb
