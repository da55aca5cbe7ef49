// What the links of a page are relative to (HTML Standard 2.4.3). Pure.
#pragma once

#include <optional>

#include "crawler/html/extractor.h"
#include "frontier/url/url.h"

namespace weir::crawler {

// The first <base href> that can be a base, resolved against the page's address; nothing when there is none,
// and the address counts. `page` may be null.
std::optional<frontier::Url> document_base(const Extraction& extraction, const frontier::Url* page);

}  // namespace weir::crawler
