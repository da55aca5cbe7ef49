// See utf8.h. Validation runs over ASCII in blocks that compilers turn into vector instructions and over the
// rest one sequence at a time; a UTF-8 sequence is judged by the table of Unicode 3.9 (table 3-7).
#include "crawler/html/utf8.h"

#include <cstring>

namespace weir::crawler {
namespace {

constexpr std::size_t kBlockBytes = 64;

struct Sequence {
  std::size_t length = 1;  // bytes taken: of a bad one, its maximal good part, at least one
  bool valid = false;
};

bool is_continuation(unsigned char byte) { return (byte & 0xC0) == 0x80; }

// How many continuation bytes a lead byte asks for, and the range of the first of them, which excludes
// overlong forms, surrogates and what lies above U+10FFFF.
struct LeadRule {
  std::size_t continuations = 0;  // 0: not a lead byte
  unsigned char first_min = 0x80;
  unsigned char first_max = 0xBF;
};

LeadRule rule_of(unsigned char lead) {
  if (lead >= 0xC2 && lead <= 0xDF) return {1};
  if (lead == 0xE0) return {2, 0xA0, 0xBF};
  if (lead == 0xED) return {2, 0x80, 0x9F};
  if (lead >= 0xE1 && lead <= 0xEF) return {2};
  if (lead == 0xF0) return {3, 0x90, 0xBF};
  if (lead >= 0xF1 && lead <= 0xF3) return {3};
  if (lead == 0xF4) return {3, 0x80, 0x8F};
  return {};
}

// `text` starts with a byte of 0x80 or more.
Sequence read_sequence(std::string_view text) {
  const LeadRule rule = rule_of(static_cast<unsigned char>(text[0]));
  if (rule.continuations == 0) return {};
  Sequence sequence;
  for (std::size_t i = 1; i <= rule.continuations; ++i) {
    if (i >= text.size()) return sequence;
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool good = i == 1 ? byte >= rule.first_min && byte <= rule.first_max : is_continuation(byte);
    if (!good) return sequence;
    ++sequence.length;
  }
  sequence.valid = true;
  return sequence;
}

bool block_is_ascii(const char* data) {
  std::uint64_t words[kBlockBytes / sizeof(std::uint64_t)];
  std::memcpy(words, data, kBlockBytes);
  std::uint64_t all = 0;
  for (const std::uint64_t word : words) all |= word;
  return (all & 0x8080808080808080u) == 0;
}

char16_t unit_at(std::string_view bytes, std::size_t at, bool big_endian) {
  const auto first = static_cast<unsigned char>(bytes[at]);
  const auto second = static_cast<unsigned char>(bytes[at + 1]);
  return static_cast<char16_t>(big_endian ? first << 8 | second : second << 8 | first);
}

}  // namespace

std::size_t ascii_prefix(std::string_view text) {
  std::size_t at = 0;
  while (at + kBlockBytes <= text.size() && block_is_ascii(text.data() + at)) at += kBlockBytes;
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

bool is_valid_utf8(std::string_view text) {
  while (true) {
    text.remove_prefix(ascii_prefix(text));
    // Where one foreign letter stands, more follow: stay here until ASCII comes back.
    while (!text.empty() && static_cast<unsigned char>(text[0]) >= 0x80) {
      const Sequence sequence = read_sequence(text);
      if (!sequence.valid) return false;
      text.remove_prefix(sequence.length);
    }
    if (text.empty()) return true;
  }
}

void append_utf8(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    const char bytes[] = {static_cast<char>(0xC0 | c >> 6), static_cast<char>(0x80 | (c & 0x3F))};
    out.append(bytes, sizeof bytes);
  } else if (c < 0x10000) {
    const char bytes[] = {static_cast<char>(0xE0 | c >> 12), static_cast<char>(0x80 | (c >> 6 & 0x3F)),
                          static_cast<char>(0x80 | (c & 0x3F))};
    out.append(bytes, sizeof bytes);
  } else {
    const char bytes[] = {static_cast<char>(0xF0 | c >> 18), static_cast<char>(0x80 | (c >> 12 & 0x3F)),
                          static_cast<char>(0x80 | (c >> 6 & 0x3F)), static_cast<char>(0x80 | (c & 0x3F))};
    out.append(bytes, sizeof bytes);
  }
}

char32_t take_utf8(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  char32_t character = length == 1 ? lead : lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length && i < text.size(); ++i)
    character = character << 6 | (static_cast<unsigned char>(text[i]) & 0x3Fu);
  text.remove_prefix(std::min(length, text.size()));
  return character;
}

std::string repair_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 8);
  while (!text.empty()) {
    const std::size_t ascii = ascii_prefix(text);
    out.append(text.substr(0, ascii));
    text.remove_prefix(ascii);
    if (text.empty()) break;
    const Sequence sequence = read_sequence(text);
    if (sequence.valid) {
      out.append(text.substr(0, sequence.length));
    } else {
      append_utf8(out, kReplacementCharacter);
    }
    text.remove_prefix(sequence.length);
  }
  return out;
}

std::string decode_utf16(std::string_view bytes, bool big_endian) {
  std::string out;
  out.reserve(bytes.size());
  std::size_t at = 0;
  for (; at + 1 < bytes.size(); at += 2) {
    const char16_t unit = unit_at(bytes, at, big_endian);
    if (unit < 0xD800 || unit > 0xDFFF) {
      append_utf8(out, unit);
      continue;
    }
    const char16_t low = unit < 0xDC00 && at + 3 < bytes.size() ? unit_at(bytes, at + 2, big_endian) : u'\0';
    if (low < 0xDC00 || low > 0xDFFF) {
      append_utf8(out, kReplacementCharacter);
      // Half a pair and half a unit at the very end are one error together.
      if (unit < 0xDC00 && at + 3 == bytes.size()) return out;
      continue;
    }
    append_utf8(out, 0x10000 + ((static_cast<char32_t>(unit) - 0xD800) << 10) + (low - 0xDC00u));
    at += 2;
  }
  if (at < bytes.size()) append_utf8(out, kReplacementCharacter);
  return out;
}

}  // namespace weir::crawler
