// The order of the signs (mark, header, declaration, fallback) and the fast path of pages that are UTF-8
// already. See charset.h.
#include "crawler/html/charset.h"

#include "crawler/html/charset_guess.h"
#include "crawler/html/encoding.h"
#include "crawler/html/legacy_decoder.h"
#include "crawler/html/meta_prescan.h"
#include "crawler/html/utf8.h"

namespace weir::crawler {
namespace {

const EncodingInfo& sniff(std::string_view body, std::string_view http_charset) {
  if (const EncodingInfo* found = find_encoding(http_charset)) return *found;
  if (const EncodingInfo* found = prescan_encoding(body)) return *found;
  // Nothing is said. Text that happens to be UTF-8 is UTF-8: no other encoding passes for it by chance.
  const bool is_ascii = ascii_prefix(body) == body.size();
  if (is_ascii && body.find('\x1B') == std::string_view::npos) return info_of(Encoding::kWindows1252);
  if (!is_ascii && is_valid_utf8(body)) return info_of(Encoding::kUtf8);
  const EncodingInfo* guessed = guess_encoding(body);
  return guessed != nullptr ? *guessed : info_of(Encoding::kWindows1252);
}

// Bytes below 0x80 mean the same as in UTF-8.
bool is_ascii_superset(const EncodingInfo& info) {
  return info.kind == EncodingKind::kUtf8 || info.kind == EncodingKind::kSingleByte ||
         info.kind == EncodingKind::kMultiByte || info.kind == EncodingKind::kUserDefined;
}

bool needs_no_decoding(std::string_view bytes, const EncodingInfo& info) {
  if (info.kind == EncodingKind::kUtf8) return is_valid_utf8(bytes);
  return is_ascii_superset(info) && ascii_prefix(bytes) == bytes.size();
}

std::string decode(std::string_view bytes, const EncodingInfo& info) {
  switch (info.kind) {
    case EncodingKind::kUtf8: return repair_utf8(bytes);
    case EncodingKind::kUtf16: return decode_utf16(bytes, info.encoding == Encoding::kUtf16be);
    case EncodingKind::kSingleByte: return decode_single_byte(bytes, info.encoding);
    case EncodingKind::kMultiByte: return decode_multi_byte(bytes, info.encoding);
    case EncodingKind::kIso2022Jp: return decode_iso_2022_jp(bytes);
    case EncodingKind::kUserDefined: return decode_user_defined(bytes);
    case EncodingKind::kReplacement: return bytes.empty() ? "" : "\xEF\xBF\xBD";
  }
  return {};
}

}  // namespace

DecodedText decode_text(std::string_view body, std::string_view http_charset) {
  DecodedText out;
  const EncodingInfo* info = nullptr;
  out.bom_bytes = find_byte_order_mark(body, &info);
  if (info == nullptr) info = &sniff(body, http_charset);
  out.encoding = info->name;
  out.encoding_id = info->encoding;
  const std::string_view bytes = body.substr(out.bom_bytes);
  out.same = needs_no_decoding(bytes, *info);
  if (!out.same) out.utf8 = decode(bytes, *info);
  return out;
}

std::string_view encoding_for_label(std::string_view label) {
  const EncodingInfo* info = find_encoding(label);
  return info == nullptr ? std::string_view{} : info->name;
}

}  // namespace weir::crawler
