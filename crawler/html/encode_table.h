// EncodeTable: characters into the bytes of one legacy encoding, by the encoders of the Encoding Standard 9-14
// (ISO-2022-JP: the two bytes of its JIS X 0208 mode). Made from the decoder's tables; immutable, thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crawler/html/encoding.h"

namespace weir::crawler {

class EncodeTable {
 public:
  explicit EncodeTable(Encoding encoding);

  // Appends the bytes of a character above ASCII. False: the encoding has none.
  bool append(char32_t character, std::string& out) const;

 private:
  struct Entry {
    char32_t character = 0;
    std::uint16_t bytes = 0;  // one byte when below 0x100, else two
  };

  void add_single_bytes();
  void add_pairs();
  bool is_excluded(unsigned lead, unsigned trail) const;
  bool takes_last(char32_t character) const;
  bool append_japanese_byte(char32_t character, std::string& out) const;

  Encoding encoding_;
  std::vector<Entry> entries_;  // sorted by character, each once
};

}  // namespace weir::crawler
