// Character references in attribute values ("&amp;", "&#x2f;"), HTML Standard 13.2.5.72-84. Pure.
#pragma once

#include <string>
#include <string_view>

namespace weir::crawler {

// Replaces `out` by the value of the attribute as the tokenizer would give it: references decoded (with the
// exception for attributes: "&copy=2" stays), CR LF and CR as LF, NUL as U+FFFD.
void decode_attribute(std::string_view raw, std::string& out);

// False: the value is what is written, as nearly always.
bool needs_decoding(std::string_view raw);

}  // namespace weir::crawler
