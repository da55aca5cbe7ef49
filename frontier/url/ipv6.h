// IPv6 in host names (URL Standard section 3.5): parser and the compressed serialisation of RFC 5952. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::frontier {

using Ipv6Pieces = std::array<std::uint16_t, 8>;

// `text` without the brackets. No zone ids: the standard has none.
std::optional<Ipv6Pieces> parse_ipv6(std::string_view text);

// "2001:db8::1", without brackets.
void append_ipv6(std::string& out, const Ipv6Pieces& pieces);

}  // namespace weir::frontier
