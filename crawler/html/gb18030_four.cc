// By number: 0x81308130 is 0, and each next four bytes the next. Up to 39,419 the numbers fill the gaps that
// the two-byte form leaves in the first plane, a table of 207 ranges that ICU has; from 189,000 on they are the
// other planes in order.
#include "crawler/html/gb18030_four.h"

#include <unicode/ucnv.h>

#include <array>
#include <cstdint>
#include <vector>

#include "base/check.h"

namespace weir::crawler {
namespace {

constexpr std::uint32_t kGapNumbers = 39'420;
constexpr std::uint32_t kPlanesNumber = 189'000;
constexpr std::uint32_t kNumberMax = 1'237'575;
constexpr std::uint32_t kExceptionNumber = 7457;  // where the standard differs from the ranges
constexpr char32_t kExceptionCharacter = 0xE7C7;

std::array<char, 4> bytes_of(std::uint32_t number) {
  return {static_cast<char>(0x81 + number / 12'600), static_cast<char>(0x30 + number / 1'260 % 10),
          static_cast<char>(0x81 + number / 10 % 126), static_cast<char>(0x30 + number % 10)};
}

// Characters by number, and numbers by character (plus one; 0: none).
struct Gaps {
  std::vector<char16_t> characters = std::vector<char16_t>(kGapNumbers);
  std::vector<std::uint16_t> numbers = std::vector<std::uint16_t>(0x10000);
};

Gaps make_gaps() {
  Gaps gaps;
  UErrorCode error = U_ZERO_ERROR;
  UConverter* converter = ucnv_open("gb18030", &error);
  WEIR_CHECK(U_SUCCESS(error));  // part of ICU
  for (std::uint32_t number = 0; number < kGapNumbers; ++number) {
    const std::array<char, 4> four = bytes_of(number);
    std::array<UChar, 2> units{};
    error = U_ZERO_ERROR;
    ucnv_toUChars(converter, units.data(), units.size(), four.data(), four.size(), &error);
    WEIR_CHECK(U_SUCCESS(error) || error == U_STRING_NOT_TERMINATED_WARNING);
    gaps.characters[number] = static_cast<char16_t>(units[0]);
  }
  ucnv_close(converter);
  gaps.characters[kExceptionNumber] = kExceptionCharacter;
  for (std::uint32_t number = 0; number < kGapNumbers; ++number) {
    if (gaps.characters[number] != 0)
      gaps.numbers[gaps.characters[number]] = static_cast<std::uint16_t>(number + 1);
  }
  return gaps;
}

const Gaps& gaps() {
  static const Gaps made = make_gaps();
  return made;
}

}  // namespace

bool append_gb18030_four(char32_t character, std::string& out) {
  std::uint32_t number = 0;
  if (character > 0xFFFF) {
    if (character > 0x10FFFF) return false;
    number = kPlanesNumber + static_cast<std::uint32_t>(character) - 0x10000;
  } else {
    const std::uint16_t found = gaps().numbers[character];
    if (found == 0) return false;
    number = found - 1u;
  }
  const std::array<char, 4> four = bytes_of(number);
  out.append(four.data(), four.size());
  return true;
}

char32_t gb18030_four_character(std::string_view four) {
  const auto digit = [&](std::size_t at, unsigned base) { return static_cast<unsigned char>(four[at]) - base; };
  const std::uint32_t number =
      ((digit(0, 0x81) * 10 + digit(1, 0x30)) * 126 + digit(2, 0x81)) * 10 + digit(3, 0x30);
  if (number >= kPlanesNumber) return number <= kNumberMax ? 0x10000 + number - kPlanesNumber : 0;
  return number < kGapNumbers ? gaps().characters[number] : 0;
}

}  // namespace weir::crawler
