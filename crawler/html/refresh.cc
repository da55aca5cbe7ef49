// See refresh.h. The steps keep the standard's order, since their oddities ("1;;url=x" leads to ";url=x") are
// what pages were tested against.
#include "crawler/html/refresh.h"

#include <algorithm>
#include <charconv>

#include "crawler/html/ascii.h"

namespace weir::crawler {
namespace {

void skip_spaces(std::string_view& text) {
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(kAsciiSpaces)));
}

bool take_letter(std::string_view& text, char lower) {
  if (text.empty() || ascii_lower(text[0]) != lower) return false;
  text.remove_prefix(1);
  return true;
}

// What stands after "url =", or nothing if that is not there in full.
std::optional<std::string_view> after_url_equals(std::string_view text) {
  for (const char letter : {'u', 'r', 'l'}) {
    if (!take_letter(text, letter)) return std::nullopt;
  }
  skip_spaces(text);
  if (!take_letter(text, '=')) return std::nullopt;
  skip_spaces(text);
  return text;
}

std::string_view without_quotes(std::string_view text) {
  if (text.empty() || (text[0] != '"' && text[0] != '\'')) return text;
  const char quote = text[0];
  text.remove_prefix(1);
  return text.substr(0, text.find(quote));
}

std::string_view target_of(std::string_view text) {
  if (const auto url = after_url_equals(text)) return without_quotes(*url);
  // Only a value that does not begin like "url" may be quoted by itself.
  return !text.empty() && ascii_lower(text[0]) == 'u' ? text : without_quotes(text);
}

// Digits and the fraction, which counts for nothing. False: this does not refresh.
bool take_time(std::string_view& text, std::uint32_t& seconds) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  const auto digits = static_cast<std::size_t>(end - text.data());
  if (digits == 0 && !text.starts_with('.')) return false;
  if (error == std::errc::result_out_of_range) seconds = UINT32_MAX;
  text.remove_prefix(digits);
  text.remove_prefix(std::min(text.size(), text.find_first_not_of("0123456789.")));
  return true;
}

}  // namespace

std::optional<Refresh> parse_refresh(std::string_view value) {
  Refresh refresh;
  skip_spaces(value);
  if (!take_time(value, refresh.seconds)) return std::nullopt;
  if (value.empty()) return refresh;
  const char separator = value[0];
  if (separator != ';' && separator != ',' && !is_ascii_space(separator)) return std::nullopt;
  skip_spaces(value);
  if (value.starts_with(';') || value.starts_with(',')) value.remove_prefix(1);
  skip_spaces(value);
  refresh.url = target_of(value);
  return refresh;
}

}  // namespace weir::crawler
