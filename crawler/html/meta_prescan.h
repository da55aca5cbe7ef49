// Which encoding do the first bytes of a page declare? HTML Standard 13.2.3.2: byte order mark, meta elements,
// XML declaration; no tree is built. Pure; reads at most kPrescanBytes.
#pragma once

#include <cstdint>
#include <string_view>

#include "crawler/html/encoding.h"

namespace weir::crawler {

inline constexpr std::size_t kPrescanBytes = 1024;

// Length of the mark, and in `*encoding` what it says; 0 and untouched without one.
std::size_t find_byte_order_mark(std::string_view body, const EncodingInfo** encoding);

// Null when nothing usable is declared.
const EncodingInfo* prescan_encoding(std::string_view body);

// "Extract a character encoding from a meta element": the content attribute of http-equiv=content-type.
const EncodingInfo* encoding_in_content(std::string_view content);

}  // namespace weir::crawler
