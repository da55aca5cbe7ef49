// IPv4 in host names (URL Standard section 3.5): the "ends in a number" check and the parser of every
// spelling that means an address ("0x7f.1", "2130706433", "127.0.0.1."). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weir::frontier {

// True if `host` must be an IPv4 address or nothing.
bool ends_in_a_number(std::string_view host);

std::optional<std::uint32_t> parse_ipv4(std::string_view host);

// "127.0.0.1"
void append_ipv4(std::string& out, std::uint32_t address);

}  // namespace weir::frontier
