// The percent-encode sets of the URL Standard (section 1.3) as one bit each in a table over all bytes, and
// the coding itself. Bytes of 0x80 and above are in every encode set: the text is UTF-8 and is escaped byte
// by byte. Pure, no allocation but by the string appended to.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir::frontier {

using ByteSet = std::uint8_t;  // one bit, or several joined with |

inline constexpr ByteSet kControlSet = 1 << 0;  // "C0 control percent-encode set"
inline constexpr ByteSet kFragmentSet = 1 << 1;
inline constexpr ByteSet kQuerySet = 1 << 2;
inline constexpr ByteSet kSpecialQuerySet = 1 << 3;
inline constexpr ByteSet kPathSet = 1 << 4;
inline constexpr ByteSet kUserinfoSet = 1 << 5;
inline constexpr ByteSet kForbiddenHost = 1 << 6;    // "forbidden host code point"
inline constexpr ByteSet kForbiddenDomain = 1 << 7;  // "forbidden domain code point"

namespace detail {

constexpr bool is_in(unsigned byte, std::string_view bytes) {
  return byte < 0x80 && bytes.find(static_cast<char>(byte)) != std::string_view::npos;
}

constexpr ByteSet byte_sets(unsigned byte) {
  const bool control = byte < 0x20 || byte > 0x7e;
  const bool query = control || is_in(byte, " \"#<>");
  const bool path = query || is_in(byte, "?^`{}");
  const bool forbidden_host = is_in(byte, std::string_view("\0\t\n\r #/:<>?@[\\]^|", 17));
  unsigned sets = 0;
  if (control) sets |= kControlSet;
  if (control || is_in(byte, " \"<>`")) sets |= kFragmentSet;
  if (query) sets |= kQuerySet;
  if (query || byte == '\'') sets |= kSpecialQuerySet;
  if (path) sets |= kPathSet;
  if (path || is_in(byte, "/:;=@[\\]|")) sets |= kUserinfoSet;
  if (forbidden_host) sets |= kForbiddenHost;
  if (forbidden_host || byte < 0x20 || byte == 0x7f || byte == '%') sets |= kForbiddenDomain;
  return static_cast<ByteSet>(sets);
}

constexpr std::array<ByteSet, 256> make_byte_sets() {
  std::array<ByteSet, 256> table{};
  for (unsigned byte = 0; byte < 256; ++byte) table[byte] = byte_sets(byte);
  return table;
}

inline constexpr std::array<ByteSet, 256> kByteSets = make_byte_sets();

}  // namespace detail

inline ByteSet sets_of(char c) { return detail::kByteSets[static_cast<unsigned char>(c)]; }

// True if any byte of `text` is in `sets`.
bool contains_any(std::string_view text, ByteSet sets);

// Appends `text`, its bytes that are in `set` as %XX. Existing escapes stay as they are.
void append_encoded(std::string& out, std::string_view text, ByteSet set);

// %XX becomes the byte; '%' without two hexadecimal digits stays.
std::string percent_decode(std::string_view text);

// Value of a hexadecimal digit, -1 for any other character.
constexpr int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// True if `text` has %XX at `at`.
constexpr bool is_escape(std::string_view text, std::size_t at) {
  return text.size() - at >= 3 && text[at] == '%' && hex_value(text[at + 1]) >= 0 &&
         hex_value(text[at + 2]) >= 0;
}

}  // namespace weir::frontier
