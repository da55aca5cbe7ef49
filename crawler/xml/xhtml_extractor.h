// XHTML: pages that came as application/xhtml+xml and are read by XML's rules, where <script/> has no content,
// names have a case and CDATA is text. The same links as in HTML (crawler/html/link_collector.h). Pure.
#pragma once

#include <string_view>

#include "crawler/html/extractor.h"

namespace weir::crawler {

// Replaces `out`. False: the page is not well formed; a browser would show an error, and `out` is of no use.
// HTML's names for characters are known without a DTD.
bool extract_xhtml(std::string_view utf8, const ExtractorLimits& limits, Extraction& out);

}  // namespace weir::crawler
