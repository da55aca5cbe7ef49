// A guess at the encoding of a page that declares none and is not UTF-8, by uchardet from the frequencies of
// its bytes. Thread-safe: one detector per call.
#pragma once

#include <string_view>

#include "crawler/html/encoding.h"

namespace weir::crawler {

// Null: no guess, or one that is no encoding of the web. Never UTF-16, which without a mark cannot be told from
// noise. Reads at most kGuessBytes; costs about 30 ns a byte.
const EncodingInfo* guess_encoding(std::string_view body);

inline constexpr std::size_t kGuessBytes = 64 << 10;

}  // namespace weir::crawler
