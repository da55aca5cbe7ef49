// A cursor over the text and one function per HTTP-date form; no recursion, no allocation.
#include "crawler/fetch/retry_after.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace weir::crawler {
namespace {

constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<std::string_view, 7> kDays = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
constexpr std::array<std::string_view, 7> kLongDays = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                                       "Friday", "Saturday", "Sunday"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Reads left to right; the first mismatch makes everything after it fail.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  bool finished() const { return ok_ && rest_.empty(); }

  void expect(std::string_view literal) {
    ok_ = ok_ && rest_.starts_with(literal);
    if (ok_) rest_.remove_prefix(literal.size());
  }

  // Exactly `digits` digits; with `padded` the first may be a space.
  int number(std::size_t digits, bool padded = false) {
    if (!ok_ || rest_.size() < digits) return stop();
    int value = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      const char c = padded && i == 0 && rest_[0] == ' ' ? '0' : rest_[i];
      if (!is_digit(c)) return stop();
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(digits);
    return value;
  }

  // The index of the name that comes next.
  template <std::size_t Count>
  int one_of(const std::array<std::string_view, Count>& names) {
    const auto found =
        std::ranges::find_if(names, [this](std::string_view name) { return rest_.starts_with(name); });
    if (!ok_ || found == names.end()) return stop();
    rest_.remove_prefix(found->size());
    return static_cast<int>(found - names.begin());
  }

 private:
  int stop() {
    ok_ = false;
    return 0;
  }

  std::string_view rest_;
  bool ok_ = true;
};

struct Fields {
  int year = 0;
  int month = 0;  // from 0
  int day = 0;
  Duration time{0};
};

Duration time_of_day(Cursor& cursor) {
  const int hour = cursor.number(2);
  cursor.expect(":");
  const int minute = cursor.number(2);
  cursor.expect(":");
  const int second = cursor.number(2);
  if (hour > 23 || minute > 59 || second > 60) cursor.expect("out of range");
  return std::chrono::hours(hour) + std::chrono::minutes(minute) + std::chrono::seconds(second);
}

std::optional<WallTime> to_time(const Fields& fields) {
  const std::chrono::year_month_day date{std::chrono::year(fields.year),
                                         std::chrono::month(static_cast<unsigned>(fields.month + 1)),
                                         std::chrono::day(static_cast<unsigned>(fields.day))};
  if (!date.ok()) return std::nullopt;
  return WallTime(std::chrono::sys_days(date)) + fields.time;
}

// Sun, 06 Nov 1994 08:49:37 GMT
std::optional<WallTime> imf_fixdate(std::string_view text) {
  Cursor cursor(text);
  Fields fields;
  cursor.one_of(kDays);
  cursor.expect(", ");
  fields.day = cursor.number(2);
  cursor.expect(" ");
  fields.month = cursor.one_of(kMonths);
  cursor.expect(" ");
  fields.year = cursor.number(4);
  cursor.expect(" ");
  fields.time = time_of_day(cursor);
  cursor.expect(" GMT");
  return cursor.finished() ? to_time(fields) : std::nullopt;
}

// Sunday, 06-Nov-94 08:49:37 GMT. A year that looks more than 50 years ahead means the past century.
std::optional<WallTime> rfc850_date(std::string_view text, WallTime now) {
  Cursor cursor(text);
  Fields fields;
  cursor.one_of(kLongDays);
  cursor.expect(", ");
  fields.day = cursor.number(2);
  cursor.expect("-");
  fields.month = cursor.one_of(kMonths);
  cursor.expect("-");
  fields.year = cursor.number(2);
  cursor.expect(" ");
  fields.time = time_of_day(cursor);
  cursor.expect(" GMT");
  if (!cursor.finished()) return std::nullopt;
  const std::chrono::year_month_day today(std::chrono::floor<std::chrono::days>(now));
  const int this_year = static_cast<int>(today.year());
  fields.year += this_year - this_year % 100;
  if (fields.year > this_year + 50) fields.year -= 100;
  return to_time(fields);
}

// Sun Nov  6 08:49:37 1994
std::optional<WallTime> asctime_date(std::string_view text) {
  Cursor cursor(text);
  Fields fields;
  cursor.one_of(kDays);
  cursor.expect(" ");
  fields.month = cursor.one_of(kMonths);
  cursor.expect(" ");
  fields.day = cursor.number(2, true);
  cursor.expect(" ");
  fields.time = time_of_day(cursor);
  cursor.expect(" ");
  fields.year = cursor.number(4);
  return cursor.finished() ? to_time(fields) : std::nullopt;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

Duration seconds_up_to_max(std::string_view digits) {
  std::int64_t value = 0;
  for (const char c : digits) value = std::min<std::int64_t>(value * 10 + (c - '0'), kRetryAfterMax.count());
  return std::chrono::seconds(value);
}

}  // namespace

std::optional<WallTime> parse_http_date(std::string_view text, WallTime now) {
  const std::string_view date = trimmed(text);
  if (const auto time = imf_fixdate(date)) return time;
  if (const auto time = rfc850_date(date, now)) return time;
  return asctime_date(date);
}

std::optional<Duration> parse_retry_after(std::string_view text, WallTime now) {
  const std::string_view value = trimmed(text);
  if (!value.empty() && std::ranges::all_of(value, is_digit)) return seconds_up_to_max(value);
  const auto time = parse_http_date(value, now);
  if (!time) return std::nullopt;
  return std::clamp<Duration>(*time - now, Duration{0}, kRetryAfterMax);
}

}  // namespace weir::crawler
