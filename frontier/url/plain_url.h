// The common case of parsing in one pass over the bytes: a URL, or a reference to resolve, in which nothing is
// to be escaped, removed, folded or resolved, so that the serialisation is the text itself. It never decides
// against a URL: what is not plain goes to the state machine (parser.h), which would give the same for what is.
// Internal to frontier/url; callers use parse_url. Pure; one allocation.
#pragma once

#include <optional>
#include <string_view>

#include "frontier/url/url.h"

namespace weir::frontier {

// "http://" or "https://" in lower case, a host of a-z, 0-9, '-' and '.', perhaps a port, then only bytes that
// stay as they are; no dot segments.
std::optional<Url> parse_plain(std::string_view input);

// "/path" or "name/path" against a base that is http or https, likewise.
std::optional<Url> resolve_plain(std::string_view reference, const Url& base);

}  // namespace weir::frontier
