// The flat scanner: links of a page without building its tree. It takes the pages that would cost gumbo too
// much (crawler/html/gumbo_extractor.h), in linear time and constant memory. Without a tree it cannot know that
// a parser would drop an element (a link inside <select>, a second <frameset>): it takes those links too.
#pragma once

#include <string_view>

#include "crawler/html/extractor.h"

namespace weir::crawler {

Extraction scan_links(std::string_view utf8, const ExtractorLimits& limits);

}  // namespace weir::crawler
