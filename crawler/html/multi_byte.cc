// GBK, gb18030, Big5, EUC-JP, Shift_JIS and EUC-KR: which bytes form a character (Encoding Standard 10-13).
// The characters themselves come from legacy_index.h. See legacy_decoder.h.
#include "base/check.h"
#include "crawler/html/gb18030_four.h"
#include "crawler/html/legacy_decoder.h"
#include "crawler/html/legacy_index.h"
#include "crawler/html/utf8.h"

namespace weir::crawler {
namespace {

// One step of a decoder: how many bytes were taken, and what they are (0: bad).
struct Unit {
  std::size_t taken = 1;
  char32_t character = 0;
};

using Step = Unit (*)(std::string_view rest);

unsigned char byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

bool between(unsigned char byte, unsigned min, unsigned max) { return byte >= min && byte <= max; }

// A bad pair takes its trail byte along unless that is ASCII, or the end.
Unit bad_pair(std::string_view rest) { return {rest.size() > 1 && byte_at(rest, 1) >= 0x80 ? 2u : 1u, 0}; }

Unit pair_of(const DoubleByteIndex& index, std::string_view rest, bool trail_fits) {
  const char32_t character = trail_fits ? index.at(byte_at(rest, 0), byte_at(rest, 1)) : 0;
  return character != 0 ? Unit{2, character} : bad_pair(rest);
}

Unit step_gb18030(std::string_view rest) {
  static const DoubleByteIndex index(Encoding::kGb18030, {});
  const unsigned char lead = byte_at(rest, 0);
  const unsigned char trail = byte_at(rest, 1);
  if (lead == 0x80) return {1, 0x20AC};
  if (lead == 0xFF) return {};
  if (!between(trail, 0x30, 0x39)) {
    return pair_of(index, rest, between(trail, 0x40, 0x7E) || between(trail, 0x80, 0xFE));
  }
  if (rest.size() < 4 && (rest.size() < 3 || between(byte_at(rest, 2), 0x81, 0xFE))) return {rest.size(), 0};
  if (!between(byte_at(rest, 2), 0x81, 0xFE) || !between(byte_at(rest, 3), 0x30, 0x39)) return {};
  const char32_t character = gb18030_four_character(rest.substr(0, 4));
  return character != 0 ? Unit{4, character} : Unit{};
}

Unit step_big5(std::string_view rest) {
  static const DoubleByteIndex index(Encoding::kBig5, {});
  if (!between(byte_at(rest, 0), 0x81, 0xFE)) return {};
  const unsigned char trail = byte_at(rest, 1);
  return pair_of(index, rest, between(trail, 0x40, 0x7E) || between(trail, 0xA1, 0xFE));
}

Unit step_euc_kr(std::string_view rest) {
  static const DoubleByteIndex index(Encoding::kEucKr, {});
  if (!between(byte_at(rest, 0), 0x81, 0xFE)) return {};
  return pair_of(index, rest, between(byte_at(rest, 1), 0x41, 0xFE));
}

Unit step_shift_jis(std::string_view rest) {
  static const DoubleByteIndex index(Encoding::kShiftJis, {});
  const unsigned char lead = byte_at(rest, 0);
  if (lead == 0x80) return {1, 0x80};
  if (between(lead, 0xA1, 0xDF)) return {1, 0xFF61u + lead - 0xA1};
  if (lead == 0xA0 || lead > 0xFC) return {};
  const unsigned char trail = byte_at(rest, 1);
  return pair_of(index, rest, between(trail, 0x40, 0x7E) || between(trail, 0x80, 0xFC));
}

const DoubleByteIndex& euc_jp_index() {
  static const DoubleByteIndex index(Encoding::kEucJp, {});
  return index;
}

// 0x8F and two bytes: JIS X 0212.
Unit step_jis0212(std::string_view rest) {
  static const DoubleByteIndex index(Encoding::kEucJp, "\x8F");
  if (!between(byte_at(rest, 1), 0xA1, 0xFE)) return bad_pair(rest);
  const unsigned char trail = byte_at(rest, 2);
  const char32_t character = between(trail, 0xA1, 0xFE) ? index.at(byte_at(rest, 1), trail) : 0;
  if (character != 0) return {3, character};
  return {rest.size() > 2 && trail >= 0x80 ? 3u : 2u, 0};
}

Unit step_euc_jp(std::string_view rest) {
  const unsigned char lead = byte_at(rest, 0);
  const unsigned char trail = byte_at(rest, 1);
  if (lead == 0x8E && between(trail, 0xA1, 0xDF)) return {2, 0xFF61u + trail - 0xA1};
  if (lead == 0x8E) return bad_pair(rest);
  if (lead == 0x8F) return step_jis0212(rest);
  if (!between(lead, 0xA1, 0xFE)) return {};
  return pair_of(euc_jp_index(), rest, between(trail, 0xA1, 0xFE));
}

Step step_of(Encoding encoding) {
  if (encoding == Encoding::kBig5) return step_big5;
  if (encoding == Encoding::kEucJp) return step_euc_jp;
  if (encoding == Encoding::kShiftJis) return step_shift_jis;
  if (encoding == Encoding::kEucKr) return step_euc_kr;
  WEIR_CHECK(encoding == Encoding::kGbk || encoding == Encoding::kGb18030);  // one decoder for both
  return step_gb18030;
}

void append_unit(std::string& out, char32_t character) {
  if (character == 0) return append_utf8(out, kReplacementCharacter);
  if (character <= 0x10FFFF) return append_utf8(out, character);
  append_utf8(out, character >> 16);
  append_utf8(out, character & 0xFFFF);
}

}  // namespace

char32_t jis0208_at(unsigned char lead, unsigned char trail) { return euc_jp_index().at(lead, trail); }

std::string decode_multi_byte(std::string_view bytes, Encoding encoding) {
  const Step step = step_of(encoding);
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 2);
  while (!bytes.empty()) {
    const std::size_t ascii = ascii_prefix(bytes);
    out.append(bytes.substr(0, ascii));
    bytes.remove_prefix(ascii);
    while (!bytes.empty() && static_cast<unsigned char>(bytes[0]) >= 0x80) {
      const Unit unit = step(bytes);
      append_unit(out, unit.character);
      bytes.remove_prefix(unit.taken);
    }
  }
  return out;
}

}  // namespace weir::crawler
