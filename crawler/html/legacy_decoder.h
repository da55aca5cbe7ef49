// Bytes of the legacy encodings into UTF-8, with the structure and the errors of the Encoding Standard: a bad
// sequence gives one U+FFFD, and an ASCII byte is never swallowed by one ('<' after half a character still
// opens a tag). Pure; tables are made on first use and never change.
#pragma once

#include <string>
#include <string_view>

#include "crawler/html/encoding.h"

namespace weir::crawler {

std::string decode_single_byte(std::string_view bytes, Encoding encoding);
std::string decode_multi_byte(std::string_view bytes, Encoding encoding);
std::string decode_iso_2022_jp(std::string_view bytes);
std::string decode_user_defined(std::string_view bytes);

// JIS X 0208 by its row and column bytes in EUC form (0xA1-0xFE each); 0: none. Shared by the Japanese codecs.
char32_t jis0208_at(unsigned char lead, unsigned char trail);

}  // namespace weir::crawler
