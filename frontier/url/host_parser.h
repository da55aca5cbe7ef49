// The host parser of the URL Standard (section 3.5): domain, IPv4, IPv6 or opaque host, serialised as it is
// parsed. Pure, no recursion; allocates only for hosts with escapes or non-ASCII text.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "frontier/url/url.h"

namespace weir::frontier {

enum class HostRules : std::uint8_t { kSpecial, kNotSpecial };

// Appends the serialised host to `out` and says what it is. On error `out` holds garbage behind its old end.
// An empty host is kEmpty; whether the scheme allows that is the caller's question.
std::expected<HostKind, UrlError> parse_host(std::string& out, std::string_view text, HostRules rules);

}  // namespace weir::frontier
