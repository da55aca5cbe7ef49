// Retry-After (RFC 9110 10.2.3): a number of seconds or one of the three HTTP-date forms. Pure and stateless:
// no locale, no time zone, no clock. How long to really wait (minimum, cap, jitter) is the caller's business.
#pragma once

#include <optional>
#include <string_view>

#include "base/clock.h"

namespace weir::crawler {

// More is cut to this; anything near it is a mistake or a trap.
inline constexpr std::chrono::seconds kRetryAfterMax = std::chrono::hours(24 * 366 * 10);

// Nothing when the text is neither form ("-1", "1e3", "", "soon"). A date in the past is zero.
std::optional<Duration> parse_retry_after(std::string_view text, WallTime now);

// HTTP-date (RFC 9110 5.6.7): IMF-fixdate, RFC 850 or asctime. `now` settles two-digit years.
std::optional<WallTime> parse_http_date(std::string_view text, WallTime now);

}  // namespace weir::crawler
