// Character references in attribute values ("&amp;", "&#x2f;") for the flat scanner. It knows the numeric
// forms, the old Latin-1 names and the punctuation that occurs in URLs; other names stay as they are, which
// gumbo, who reads all but a few hostile pages, does better. Pure.
#pragma once

#include <string>
#include <string_view>

namespace weir::crawler {

// Replaces `out` by the value of the attribute as the tokenizer would give it: references decoded (with the
// exception for attributes: "&copy=2" stays), CR LF and CR as LF, NUL as U+FFFD.
void decode_attribute(std::string_view raw, std::string& out);

}  // namespace weir::crawler
