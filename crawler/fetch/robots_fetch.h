// What an answer to /robots.txt means for the host: RFC 9309 2.3.1 as a pure function. It neither fetches nor
// follows redirects (the fetcher does, at most limits::kRobotsRedirectsMax times, and hands in the last
// answer) nor keeps old rules (the frontier does).
//
//   2xx                                    rules of the body, for 24 h
//   2xx, body cut                          rules up to the last whole line, for 1 h
//   3xx left over, redirect without target nothing is forbidden (2.3.1.2: as if unavailable), for 1 h
//   4xx except 429, 401 and 403 included   nothing is forbidden (2.3.1.3), for 24 h
//   429, 5xx, no answer, address refused   nothing is allowed (2.3.1.4), for 5 min
#pragma once

#include <string_view>

#include "base/clock.h"
#include "crawler/fetch/http_client.h"
#include "frontier/messages.h"

namespace weir::crawler {

inline constexpr Duration kRobotsFreshFor = std::chrono::hours(24);  // RFC 9309 2.4: no longer than this
inline constexpr Duration kRobotsFreshForDoubtful = std::chrono::hours(1);
inline constexpr Duration kRobotsUnreachableFor = std::chrono::minutes(5);

// `agent` is our product token; it chooses the group whose crawl-delay is reported.
frontier::RobotsFeedback robots_feedback(const HttpAnswer& answer, std::string_view agent);

}  // namespace weir::crawler
