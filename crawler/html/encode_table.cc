// See encode_table.h. Where several byte pairs decode to one character, the standard takes the first ("index
// pointer"), with exceptions that stand here by name.
#include "crawler/html/encode_table.h"

#include <algorithm>
#include <array>

#include "crawler/html/gb18030_four.h"
#include "crawler/html/legacy_decoder.h"
#include "crawler/html/legacy_index.h"
#include "crawler/html/utf8.h"

namespace weir::crawler {
namespace {

constexpr char32_t kMinusSign = 0x2212;
constexpr char32_t kFullwidthMinus = 0xFF0D;

bool is_halfwidth_katakana(char32_t c) { return c >= 0xFF61 && c <= 0xFF9F; }

// JIS X 0208 of the halfwidth katakana (Encoding Standard, index ISO-2022-JP katakana).
constexpr std::u16string_view kKatakana =
    u"\u3002\u300C\u300D\u3001\u30FB\u30F2\u30A1\u30A3\u30A5\u30A7\u30A9\u30E3\u30E5\u30E7\u30C3\u30FC"
    u"\u30A2\u30A4\u30A6\u30A8\u30AA\u30AB\u30AD\u30AF\u30B1\u30B3\u30B5\u30B7\u30B9\u30BB\u30BD\u30BF"
    u"\u30C1\u30C4\u30C6\u30C8\u30CA\u30CB\u30CC\u30CD\u30CE\u30CF\u30D2\u30D5\u30D8\u30DB\u30DE\u30DF"
    u"\u30E0\u30E1\u30E2\u30E4\u30E6\u30E8\u30E9\u30EA\u30EB\u30EC\u30ED\u30EF\u30F3\u309B\u309C";

bool is_chinese(Encoding encoding) { return encoding == Encoding::kGbk || encoding == Encoding::kGb18030; }

// Private characters that gb18030 wrote with two bytes until its edition of 2022 gave the bytes to characters
// of Unicode's own: still written so (Encoding Standard 10.2.2).
struct FormerPair {
  char32_t character;
  std::uint16_t bytes;
};
constexpr FormerPair kFormerPairs[] = {
    {0xE78D, 0xA6D9}, {0xE78E, 0xA6DA}, {0xE78F, 0xA6DB}, {0xE790, 0xA6DC}, {0xE791, 0xA6DD}, {0xE792, 0xA6DE},
    {0xE793, 0xA6DF}, {0xE794, 0xA6EC}, {0xE795, 0xA6ED}, {0xE796, 0xA6F3}, {0xE81E, 0xFE59}, {0xE826, 0xFE61},
    {0xE82B, 0xFE66}, {0xE82C, 0xFE67}, {0xE832, 0xFE6D}, {0xE843, 0xFE7E}, {0xE854, 0xFE90}, {0xE864, 0xFEA0}};

bool is_japanese(Encoding encoding) {
  return encoding == Encoding::kShiftJis || encoding == Encoding::kEucJp || encoding == Encoding::kIso2022Jp;
}

}  // namespace

EncodeTable::EncodeTable(Encoding encoding) : encoding_(encoding) {
  const EncodingKind kind = info_of(encoding).kind;
  if (kind == EncodingKind::kSingleByte || kind == EncodingKind::kUserDefined) {
    add_single_bytes();
  } else {
    add_pairs();
  }
  if (is_chinese(encoding)) {
    for (const FormerPair& pair : kFormerPairs) entries_.push_back({pair.character, pair.bytes});
  }
  // Of equal characters the one that came first stays, or the last where the standard says so.
  std::ranges::stable_sort(entries_, {}, &Entry::character);
  std::vector<Entry> kept;
  for (const Entry& entry : entries_) {
    const bool again = !kept.empty() && kept.back().character == entry.character;
    if (!again) {
      kept.push_back(entry);
    } else if (takes_last(entry.character)) {
      kept.back() = entry;
    }
  }
  entries_ = std::move(kept);
}

void EncodeTable::add_single_bytes() {
  const bool user_defined = info_of(encoding_).kind == EncodingKind::kUserDefined;
  const SingleByteIndex index = user_defined ? SingleByteIndex{} : single_byte_index(encoding_);
  for (unsigned i = 0; i < index.size(); ++i) {
    const char32_t character = user_defined ? 0xF780 + i : index[i];
    if (character != kReplacementCharacter)
      entries_.push_back({character, static_cast<std::uint16_t>(0x80 + i)});
  }
}

void EncodeTable::add_pairs() {
  const Encoding decoded = encoding_ == Encoding::kIso2022Jp ? Encoding::kEucJp : encoding_;
  for (unsigned lead = 0x81; lead <= 0xFE; ++lead) {
    for (unsigned trail = 0x40; trail <= 0xFE; ++trail) {
      if (is_excluded(lead, trail)) continue;
      const std::array<char, 2> pair{static_cast<char>(lead), static_cast<char>(trail)};
      const std::string text = decode_multi_byte({pair.data(), pair.size()}, decoded);
      std::string_view rest = text;
      const char32_t character = take_utf8(rest);
      if (!rest.empty() || character < 0x80 || character == kReplacementCharacter) continue;
      entries_.push_back({character, static_cast<std::uint16_t>(lead << 8 | trail)});
    }
  }
}

// Pairs that decode, but that the standard never writes.
bool EncodeTable::is_excluded(unsigned lead, unsigned trail) const {
  if (encoding_ == Encoding::kBig5) return lead < 0xA1;  // Hong Kong's additions
  if (encoding_ == Encoding::kEucJp || encoding_ == Encoding::kIso2022Jp) return lead < 0xA1 || trail < 0xA1;
  if (encoding_ != Encoding::kShiftJis) return false;
  if (lead >= 0xA0 && lead <= 0xDF) return true;  // halfwidth katakana are single bytes
  const unsigned pointer =
      (lead - (lead < 0xA0 ? 0x81u : 0xC1u)) * 188 + trail - (trail < 0x7F ? 0x40u : 0x41u);
  return pointer >= 8272 && pointer <= 10715;  // NEC's selection of IBM's characters; vendors' private ones
}

bool EncodeTable::takes_last(char32_t c) const {
  return encoding_ == Encoding::kBig5 &&
         (c == 0x2550 || c == 0x255E || c == 0x2561 || c == 0x256A || c == 0x5341 || c == 0x5345);
}

// Yen sign and overline stand where ASCII has backslash and tilde; halfwidth katakana are one byte.
bool EncodeTable::append_japanese_byte(char32_t character, std::string& out) const {
  if (encoding_ == Encoding::kIso2022Jp) return false;  // a matter of modes
  if (character == 0xA5 || character == 0x203E) {
    out.push_back(character == 0xA5 ? '\\' : '~');
    return true;
  }
  if (character == 0x80 && encoding_ == Encoding::kShiftJis) {
    out.push_back('\x80');
    return true;
  }
  if (!is_halfwidth_katakana(character)) return false;
  if (encoding_ == Encoding::kEucJp) out.push_back('\x8E');
  out.push_back(static_cast<char>(0xA1 + character - 0xFF61));
  return true;
}

bool EncodeTable::append(char32_t character, std::string& out) const {
  if (is_japanese(encoding_)) {
    if (append_japanese_byte(character, out)) return true;
    if (character == kMinusSign) character = kFullwidthMinus;
    if (is_halfwidth_katakana(character)) character = kKatakana[character - 0xFF61];
  } else if (character == 0x20AC && encoding_ == Encoding::kGbk) {
    out.push_back('\x80');
    return true;
  } else if (character == 0xE5E5 && is_chinese(encoding_)) {
    return false;
  }
  const auto found = std::ranges::lower_bound(entries_, character, {}, &Entry::character);
  if (found == entries_.end() || found->character != character)
    return encoding_ == Encoding::kGb18030 && append_gb18030_four(character, out);
  const unsigned mask = encoding_ == Encoding::kIso2022Jp ? 0x7F : 0xFF;
  if (found->bytes > 0xFF) out.push_back(static_cast<char>((found->bytes >> 8) & mask));
  out.push_back(static_cast<char>(found->bytes & mask));
  return true;
}

}  // namespace weir::crawler
