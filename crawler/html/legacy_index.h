// The character tables ("indexes") of the legacy encodings: ICU's, mended where they differ from the Encoding
// Standard. Which bytes belong together is not decided here (multi_byte.cc). Immutable once made; thread-safe.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "crawler/html/encoding.h"

namespace weir::crawler {

// Characters of the bytes 0x80-0xFF of a single-byte encoding; kReplacementCharacter where there is none.
using SingleByteIndex = std::array<char32_t, 128>;
SingleByteIndex single_byte_index(Encoding encoding);

// Characters of all pairs (lead 0x80-0xFF, trail 0x00-0xFF) of a double-byte encoding.
class DoubleByteIndex {
 public:
  // `prefix` goes before each pair (0x8F for the third plane of EUC-JP). Costs about a millisecond.
  DoubleByteIndex(Encoding encoding, std::string_view prefix);

  // 0: no character. Above 0x10FFFF: two characters of 16 bits each, the first one on top (four pairs of Big5).
  char32_t at(unsigned char lead, unsigned char trail) const { return cells_[(lead - 0x80u) << 8 | trail]; }

 private:
  std::vector<char32_t> cells_;
};

}  // namespace weir::crawler
