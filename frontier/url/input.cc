// The fast question is asked eight bytes at a time: is there any control or non-ASCII byte at all? Nearly
// always there is none.
#include "frontier/url/input.h"

#include <cstdint>
#include <cstring>

namespace weir::frontier {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

bool is_control_or_space(char c) { return static_cast<unsigned char>(c) <= 0x20; }
bool is_tab_or_line_break(char c) { return c == '\t' || c == '\n' || c == '\r'; }
bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_control_or_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_control_or_space(text.back())) text.remove_suffix(1);
  return text;
}

// True if every byte is in 0x20..0x7f.
bool is_plain(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080808080808080;
  constexpr std::uint64_t kSpaces = 0x2020202020202020;
  std::uint64_t bad = 0;
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + i, 8);
    // A byte below 0x20 borrows in the subtraction; a borrow can only add a false alarm, never hide one.
    bad |= (word - kSpaces) | word;
  }
  for (; i < text.size(); ++i) {
    if (static_cast<unsigned char>(text[i]) < 0x20) return false;
    bad |= static_cast<unsigned char>(text[i]);
  }
  return (bad & kHighBits) == 0;
}

struct Sequence {
  std::size_t length;  // bytes to take
  bool valid;
};

// Ranges of the second byte by the first (Encoding Standard, UTF-8 decoder): shuts out overlong forms,
// surrogates and what lies above U+10FFFF.
struct SecondByte {
  unsigned char low;
  unsigned char high;
};
SecondByte second_byte_range(unsigned char lead) {
  switch (lead) {
    case 0xE0: return {0xA0, 0xBF};
    case 0xED: return {0x80, 0x9F};
    case 0xF0: return {0x90, 0xBF};
    case 0xF4: return {0x80, 0x8F};
  }
  return {0x80, 0xBF};
}

std::size_t sequence_length(unsigned char lead) {
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

// The non-ASCII sequence at the start of `text`; a broken one is as long as its longest valid beginning.
Sequence next_sequence(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t wanted = sequence_length(byte(0));
  if (wanted == 0) return {1, false};
  SecondByte range = second_byte_range(byte(0));
  for (std::size_t i = 1; i < wanted; ++i) {
    if (i >= text.size() || byte(i) < range.low || byte(i) > range.high) return {i, false};
    range = {0x80, 0xBF};
  }
  return {wanted, true};
}

bool must_rewrite(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    if (is_tab_or_line_break(text[i])) return true;
    if (is_ascii(text[i])) {
      ++i;
      continue;
    }
    const Sequence sequence = next_sequence(text.substr(i));
    if (!sequence.valid) return true;
    i += sequence.length;
  }
  return false;
}

std::string without_tabs_and_line_breaks(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (!is_tab_or_line_break(c)) out.push_back(c);
  }
  return out;
}

void append_repaired(std::string& out, std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    if (is_ascii(text[i])) {
      out.push_back(text[i++]);
      continue;
    }
    const Sequence sequence = next_sequence(text.substr(i));
    out.append(sequence.valid ? text.substr(i, sequence.length) : kReplacement);
    i += sequence.length;
  }
}

}  // namespace

std::string_view prepare_input(std::string_view input, std::string& storage) {
  const std::string_view text = trim(input);
  if (is_plain(text) || !must_rewrite(text)) return text;
  // Repair comes first: a tab inside a UTF-8 sequence breaks it, its removal must not mend it.
  std::string repaired;
  repaired.reserve(text.size() * 3);  // a bad byte becomes three
  append_repaired(repaired, text);
  storage = without_tabs_and_line_breaks(repaired);
  return storage;
}

}  // namespace weir::frontier
