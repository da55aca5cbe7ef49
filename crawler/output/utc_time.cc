// Calendar arithmetic is std::chrono's; only the digits are ours.
#include "crawler/output/utc_time.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <iterator>

namespace weir::crawler {

void append_utc_time(std::string& out, WallTime time) {
  const auto whole = std::chrono::floor<std::chrono::milliseconds>(time);
  const auto day = std::chrono::floor<std::chrono::days>(whole);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(whole - day);
  fmt::format_to(std::back_inserter(out), "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
                 static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                 static_cast<unsigned>(date.day()), clock.hours().count(), clock.minutes().count(),
                 clock.seconds().count(), clock.subseconds().count());
}

}  // namespace weir::crawler
