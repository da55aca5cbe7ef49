// Percent coding by runs: the clean stretch between two escapes is appended at once.
#include "frontier/url/percent_encode.h"

namespace weir::frontier {

bool contains_any(std::string_view text, ByteSet sets) {
  ByteSet found = 0;
  for (const char c : text) found |= sets_of(c);
  return (found & sets) != 0;
}

void append_encoded(std::string& out, std::string_view text, ByteSet set) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::size_t clean = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((sets_of(text[i]) & set) == 0) continue;
    out.append(text, clean, i - clean);
    const auto byte = static_cast<unsigned char>(text[i]);
    const char escape[3] = {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    out.append(escape, 3);
    clean = i + 1;
  }
  out.append(text, clean);
}

std::string percent_decode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_escape(text, i)) {
      out.push_back(text[i]);
      continue;
    }
    out.push_back(static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2])));
    i += 2;
  }
  return out;
}

}  // namespace weir::frontier
