// URLs in style sheets: url(), src() with a string, and @import (CSS Syntax Level 3, sections 4.3.5-6).
// Comments and strings are passed over, escapes are decoded. No grammar beyond that: a URL in a rule that a
// browser would drop is found too. Pure, linear.
#pragma once

#include <functional>
#include <string_view>

#include "crawler/html/extractor.h"

namespace weir::crawler {

// Calls found(url, imported) for each, in order; the view lives until found returns.
void find_css_urls(std::string_view css, const std::function<void(std::string_view url, bool imported)>& found);

inline constexpr std::size_t kStyleSheetLinksMax = 50'000;

// A whole style sheet: replaces `out` by its URLs, all requisites. More than kStyleSheetLinksMax are dropped
// and the sheet is marked limited.
void read_style_sheet(std::string_view css, Extraction& out);

}  // namespace weir::crawler
