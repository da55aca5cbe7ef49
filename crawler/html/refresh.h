// The value of <meta http-equiv=refresh> and of the Refresh header: HTML Standard, "shared declarative refresh
// steps". Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace weir::crawler {

struct Refresh {
  std::uint32_t seconds = 0;
  std::string_view url;  // not resolved, a view into the value; empty: the page itself
};

// Nothing when the value does not refresh at all.
std::optional<Refresh> parse_refresh(std::string_view value);

}  // namespace weir::crawler
