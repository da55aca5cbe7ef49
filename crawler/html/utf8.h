// UTF-8 and UTF-16 into UTF-8 as the Encoding Standard decodes them: each maximal bad part becomes one U+FFFD.
// The common case is a page that is valid already, so finding that out is the fast path. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::crawler {

inline constexpr char32_t kReplacementCharacter = 0xFFFD;

// Length of the leading run of bytes below 0x80.
std::size_t ascii_prefix(std::string_view text);
bool is_valid_utf8(std::string_view text);

void append_utf8(std::string& out, char32_t code_point);

// Takes the first character off `text`, which is valid and not empty.
char32_t take_utf8(std::string_view& text);

std::string repair_utf8(std::string_view text);
std::string decode_utf16(std::string_view bytes, bool big_endian);

}  // namespace weir::crawler
