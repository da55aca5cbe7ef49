// Links in the header of an answer: Link (RFC 8288), Refresh (as <meta http-equiv=refresh>) and
// Content-Location (RFC 9110 8.7). They are relative to the answer's own URL, never to <base>. Pure.
#pragma once

#include <string_view>

#include "crawler/html/extractor.h"

namespace weir::crawler {

// Field values as received; several Link fields joined by ", ". Empty: absent.
struct HeaderFields {
  std::string_view link;
  std::string_view refresh;
  std::string_view content_location;
};

// Replaces `out` by the links, with tag "http" and the field's name as attribute. Bad entries of Link are
// passed over up to the next comma.
void read_header_links(const HeaderFields& fields, bool requisites, Extraction& out);

}  // namespace weir::crawler
