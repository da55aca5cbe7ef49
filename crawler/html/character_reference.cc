// HTML Standard 13.2.5.72-84. See character_reference.h.
#include "crawler/html/character_reference.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "crawler/html/ascii.h"
#include "crawler/html/named_reference.h"
#include "crawler/html/utf8.h"

namespace weir::crawler {
namespace {

// Numbers 0x80-0x9F were written by people who meant windows-1252.
constexpr std::array<char16_t, 32> kWindows1252 = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

char32_t character_of_number(char32_t number) {
  if (number == 0 || number > 0x10FFFF || (number >= 0xD800 && number <= 0xDFFF)) return kReplacementCharacter;
  if (number >= 0x80 && number <= 0x9F) return kWindows1252[number - 0x80];
  return number;
}

// `text` starts at "&#". Returns its length; 0: an ampersand that is only that.
std::size_t decode_numeric(std::string_view text, std::string& out) {
  const bool hex = text.size() > 2 && ascii_lower(text[2]) == 'x';
  std::size_t at = hex ? 3 : 2;
  const std::size_t start = at;
  char32_t number = 0;
  for (; at < text.size() && (hex ? is_hex_digit(text[at]) : is_ascii_digit(text[at])); ++at) {
    number = number * (hex ? 16 : 10) + static_cast<char32_t>(hex_value(text[at]));
    number = std::min<char32_t>(number, 0x110000);  // too large is too large, however many digits follow
  }
  if (at == start) return 0;
  if (at < text.size() && text[at] == ';') ++at;
  append_utf8(out, character_of_number(number));
  return at;
}

// `text` starts at '&'. A name that goes on, or that '=' follows, is taken for a parameter of a query unless a
// semicolon ends it; so the longest run of letters and digits is the only candidate.
std::size_t decode_reference(std::string_view text, std::string& out) {
  if (text.size() > 1 && text[1] == '#') return decode_numeric(text, out);
  std::size_t end = 1;
  while (end < text.size() && is_ascii_alnum(text[end])) ++end;
  const bool semicolon = end < text.size() && text[end] == ';';
  if (!semicolon && end < text.size() && text[end] == '=') return 0;
  const auto characters = find_reference(text.substr(1, end - 1), semicolon);
  if (!characters) return 0;
  out.append(*characters);
  return end + (semicolon ? 1 : 0);
}

}  // namespace

bool needs_decoding(std::string_view raw) {
  return raw.find('&') != std::string_view::npos || raw.find('\r') != std::string_view::npos ||
         raw.find('\0') != std::string_view::npos;
}

void decode_attribute(std::string_view raw, std::string& out) {
  out.clear();
  constexpr std::string_view kMeaningful("&\r\0", 3);
  while (true) {
    const std::size_t plain = std::min(raw.size(), raw.find_first_of(kMeaningful));
    out.append(raw.substr(0, plain));
    raw.remove_prefix(plain);
    if (raw.empty()) return;
    if (raw[0] == '&') {
      const std::size_t length = decode_reference(raw, out);
      if (length == 0) out.push_back('&');
      raw.remove_prefix(std::max<std::size_t>(1, length));
    } else {
      append_utf8(out, raw[0] == '\r' ? U'\n' : kReplacementCharacter);
      raw.remove_prefix(raw.starts_with("\r\n") ? 2 : 1);
    }
  }
}

}  // namespace weir::crawler
