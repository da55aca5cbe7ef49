// Dates as text: ISO 8601 in UTC with milliseconds, "2026-12-01T05:50:39.123Z". Pure.
#pragma once

#include <string>

#include "base/clock.h"

namespace weir::crawler {

void append_utc_time(std::string& out, WallTime time);

}  // namespace weir::crawler
