// "Domain to ASCII" of the URL Standard (section 3.3), not strict: UTS #46 by ICU, nontransitional, with
// CheckBidi and CheckJoiners, without STD3, hyphen and DNS-length rules. A domain of ASCII alone is lowered
// and passed through, "xn--" labels unproven: so says the standard, and so DNS is asked what the page wrote.
// Thread-safe: ICU's UTS #46 object is immutable.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace weir::frontier {

// DNS ends at 255 bytes; above this, mapping is not tried, because Punycode is quadratic in the label.
inline constexpr std::size_t kIdnaBytesMax = 4096;

// Lower case ASCII, or nothing when the domain is not valid or maps to nothing. Bad UTF-8 is not valid.
std::optional<std::string> domain_to_ascii(std::string_view domain);

}  // namespace weir::frontier
