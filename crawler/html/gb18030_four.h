// The four-byte form of gb18030, for every character that has no two-byte form (Encoding Standard 10.2). Pure.
#pragma once

#include <string>
#include <string_view>

namespace weir::crawler {

// Appends four bytes. False: `character` is a surrogate or beyond Unicode.
bool append_gb18030_four(char32_t character, std::string& out);

// The character of four bytes that are each in their range; 0: none.
char32_t gb18030_four_character(std::string_view four);

}  // namespace weir::crawler
