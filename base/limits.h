// Every bound that is not a setting, in one place, with its reason. Settings live in crawler/config.
#pragma once

#include <cstddef>
#include <cstdint>

namespace weir::limits {

inline constexpr std::size_t kUrlBytesMax = 64 << 10;  // parser refuses more; scope.url_bytes_max is the rule
inline constexpr std::size_t kSeedLineBytesMax = 64 << 10;  // a longer line is counted as bad
inline constexpr std::size_t kRobotsBytesMax = 512 << 10;   // RFC 9309 2.5 asks for at least 500 KiB
inline constexpr int kRobotsRedirectsMax = 5;               // RFC 9309 2.3.1.2
inline constexpr std::size_t kParserStackBytes = 8 << 20;   // facts: gumbo's free recurses
inline constexpr std::size_t kHeaderBytesMax = 256 << 10;   // all response headers together

static_assert(kSeedLineBytesMax <= kUrlBytesMax);

}  // namespace weir::limits
