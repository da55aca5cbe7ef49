// Encodings of one byte per character. See legacy_decoder.h.
#include "crawler/html/legacy_decoder.h"
#include "crawler/html/legacy_index.h"
#include "crawler/html/utf8.h"

namespace weir::crawler {
namespace {

template <typename Lookup>
std::string decode_bytes(std::string_view bytes, Lookup lookup) {
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 2);
  while (!bytes.empty()) {
    const std::size_t ascii = ascii_prefix(bytes);
    out.append(bytes.substr(0, ascii));
    bytes.remove_prefix(ascii);
    while (!bytes.empty() && static_cast<unsigned char>(bytes[0]) >= 0x80) {
      append_utf8(out, lookup(static_cast<unsigned char>(bytes[0]) - 0x80u));
      bytes.remove_prefix(1);
    }
  }
  return out;
}

}  // namespace

std::string decode_single_byte(std::string_view bytes, Encoding encoding) {
  const SingleByteIndex index = single_byte_index(encoding);
  return decode_bytes(bytes, [&](std::size_t at) { return index[at]; });
}

std::string decode_user_defined(std::string_view bytes) {
  return decode_bytes(bytes, [](std::size_t at) { return static_cast<char32_t>(0xF780 + at); });
}

}  // namespace weir::crawler
