// Charset: which encoding a page is in, and its bytes as UTF-8. Order: BOM, HTTP charset, meta prescan (HTML
// Standard 13.2.3.2); without any of them UTF-8 if the bytes are valid UTF-8, a guess (charset_guess.h),
// windows-1252. Labels by the Encoding Standard; converters are ICU's, opened by the names
// that decode as the standard says. Thread-safe: no shared state. Errors cannot happen: bad bytes become
// U+FFFD, an unknown label is passed over.
#pragma once

#include <string>
#include <string_view>

#include "crawler/html/encoding.h"

namespace weir::crawler {

struct DecodedText {
  std::string utf8;   // empty when `same` is true
  bool same = false;  // the input is valid UTF-8 already: use it as it is, after bom_bytes
  std::size_t bom_bytes = 0;
  std::string_view encoding;  // the standard's name, static storage
  Encoding encoding_id = Encoding::kUtf8;
};

// `http_charset` is the charset parameter of Content-Type as received; may be empty.
DecodedText decode_text(std::string_view body, std::string_view http_charset);

// The standard's name for a label ("latin1" -> "windows-1252"); empty for an unknown label.
std::string_view encoding_for_label(std::string_view label);

}  // namespace weir::crawler
