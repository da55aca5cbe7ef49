// The encodings of the Encoding Standard: their names, their labels and how each is decoded. A table, nothing
// more; decoding is in utf8, single_byte, multi_byte and iso2022jp. Immutable, thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace weir::crawler {

enum class Encoding : std::uint8_t {
  kUtf8,
  kIbm866,
  kIso8859Part2,
  kIso8859Part3,
  kIso8859Part4,
  kIso8859Part5,
  kIso8859Part6,
  kIso8859Part7,
  kIso8859Part8,
  kIso8859Part8I,
  kIso8859Part10,
  kIso8859Part13,
  kIso8859Part14,
  kIso8859Part15,
  kIso8859Part16,
  kKoi8R,
  kKoi8U,
  kMacintosh,
  kWindows874,
  kWindows1250,
  kWindows1251,
  kWindows1252,
  kWindows1253,
  kWindows1254,
  kWindows1255,
  kWindows1256,
  kWindows1257,
  kWindows1258,
  kXMacCyrillic,
  kGbk,
  kGb18030,
  kBig5,
  kEucJp,
  kIso2022Jp,
  kShiftJis,
  kEucKr,
  kReplacement,
  kUtf16be,
  kUtf16le,
  kXUserDefined
};

inline constexpr std::size_t kEncodingCount = static_cast<std::size_t>(Encoding::kXUserDefined) + 1;

enum class EncodingKind : std::uint8_t {
  kUtf8,
  kUtf16,
  kSingleByte,
  kMultiByte,
  kIso2022Jp,
  kUserDefined,
  kReplacement  // encodings too dangerous to decode: the whole page is one U+FFFD
};

struct EncodingInfo {
  Encoding encoding;
  EncodingKind kind;
  std::string_view name;  // the standard's
  const char* icu_name;   // null: not decoded with ICU's tables; ICU's own aliases decode some wrongly
};

const EncodingInfo& info_of(Encoding encoding);

// "Get an encoding" of the standard: white space around and case do not count. Null for an unknown label.
const EncodingInfo* find_encoding(std::string_view label);

}  // namespace weir::crawler
