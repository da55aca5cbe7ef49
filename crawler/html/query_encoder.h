// The query encoders of the Encoding Standard's encodings, for links of pages that are not UTF-8. Each is made
// on first use (up to 5 ms and 400 KiB) and never changes; thread-safe.
#pragma once

#include "crawler/html/encoding.h"
#include "frontier/url/query_encoder.h"

namespace weir::crawler {

// Null: queries are UTF-8, as in the parser without an encoder. So it is for UTF-8 itself and, by "get an
// output encoding" (Encoding Standard 4.3), for UTF-16 and replacement.
const frontier::QueryEncoder* query_encoder(Encoding encoding);

}  // namespace weir::crawler
