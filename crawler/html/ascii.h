// ASCII letters, digits and white space as the web's standards mean them: no locale, no surprises with bytes
// above 0x7F. Pure, constexpr.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::crawler {

constexpr char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }
constexpr bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_ascii_alpha(char c) { return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z'; }
constexpr bool is_ascii_alnum(char c) { return is_ascii_digit(c) || is_ascii_alpha(c); }
constexpr bool is_hex_digit(char c) {
  return is_ascii_digit(c) || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'f');
}

// "ASCII whitespace" of the Infra Standard.
constexpr bool is_ascii_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'; }
inline constexpr std::string_view kAsciiSpaces = " \t\n\f\r";

constexpr int hex_value(char c) { return is_ascii_digit(c) ? c - '0' : ascii_lower(c) - 'a' + 10; }

constexpr bool ascii_equal_ignore_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (ascii_lower(a[i]) != ascii_lower(b[i])) return false;
  }
  return true;
}

constexpr bool ascii_starts_with_ignore_case(std::string_view text, std::string_view prefix) {
  return ascii_equal_ignore_case(text.substr(0, prefix.size()), prefix);
}

inline std::string ascii_lower_copy(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = ascii_lower(c);
  return out;
}

constexpr std::string_view trim_ascii_space(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kAsciiSpaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kAsciiSpaces) - first + 1);
}

// Does the list of words separated by white space hold `word`, whatever its case?
constexpr bool has_word_ignore_case(std::string_view words, std::string_view word,
                                    std::string_view separators = kAsciiSpaces) {
  std::size_t at = 0;
  while ((at = words.find_first_not_of(separators, at)) != std::string_view::npos) {
    const std::size_t end = words.find_first_of(separators, at);
    if (ascii_equal_ignore_case(words.substr(at, end - at), word)) return true;
    if (end == std::string_view::npos) break;
    at = end;
  }
  return false;
}

// FNV-1a of the lower-case name, for sets of open elements: two names with one hash are taken for one.
constexpr std::uint32_t name_hash(std::string_view name) {
  std::uint32_t hash = 2166136261u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(ascii_lower(c))) * 16777619u;
  return hash;
}

}  // namespace weir::crawler
