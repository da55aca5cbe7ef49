// Units are data: two small tables serve both directions.
#include "crawler/config/values.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>

namespace weir::crawler {
namespace {

struct Unit {
  std::string_view name;
  std::uint64_t size = 0;
};

// From the largest to the smallest; durations in microseconds.
constexpr Unit kDurationUnits[] = {{"d", 86'400'000'000}, {"h", 3'600'000'000}, {"m", 60'000'000},
                                   {"s", 1'000'000},      {"ms", 1000},         {"us", 1}};
constexpr Unit kByteUnits[] = {
    {"TiB", 1ull << 40}, {"GiB", 1ull << 30}, {"MiB", 1ull << 20}, {"KiB", 1ull << 10}, {"B", 1}};

constexpr std::string_view kDurationHelp = "\"200ms\", \"5s\", \"10m\", \"1h\" (us, ms, s, m, h, d)";
constexpr std::string_view kBytesHelp = "\"512B\", \"64KiB\", \"16MiB\" (B, KiB, MiB, GiB, TiB)";
constexpr double kValueMax = 9e18;  // fits std::int64_t

std::unexpected<std::string> wrong(std::string message) { return std::unexpected(std::move(message)); }

struct Quantity {
  std::string_view number;
  std::string_view unit;
};

Quantity split(std::string_view text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789.-+_"), text.size());
  std::string_view unit = text.substr(end);
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  return {text.substr(0, end), unit};
}

Parsed<std::uint64_t> parse_quantity(std::string_view text, std::span<const Unit> units, std::string_view help,
                                     std::string_view usual_unit) {
  const auto [number_text, unit_name] = split(text);
  double number = 0;
  const auto [end, error] =
      std::from_chars(number_text.data(), number_text.data() + number_text.size(), number);
  if (number_text.empty() || error != std::errc() || end != number_text.data() + number_text.size()) {
    return wrong(fmt::format("cannot be '{}': write a number with a unit, like {}", text, help));
  }
  if (number < 0) return wrong(fmt::format("cannot be negative: '{}'", text));
  if (unit_name.empty()) {
    return wrong(fmt::format("needs a unit: write \"{}{}\"; units are {}", number_text, usual_unit, help));
  }
  const auto unit = std::ranges::find(units, unit_name, &Unit::name);
  if (unit == units.end()) return wrong(fmt::format("has no unit '{}': write {}", unit_name, help));
  const double scaled = number * static_cast<double>(unit->size);
  if (scaled > kValueMax) return wrong(fmt::format("is too large: '{}'", text));
  return static_cast<std::uint64_t>(std::llround(scaled));
}

std::string format_quantity(std::uint64_t value, std::span<const Unit> units, std::string_view unit_of_zero) {
  if (value == 0) return fmt::format("0{}", unit_of_zero);
  for (const Unit& unit : units) {
    if (value % unit.size == 0) return fmt::format("{}{}", value / unit.size, unit.name);
  }
  return fmt::format("{}{}", value, units.back().name);
}

}  // namespace

Parsed<Duration> parse_duration(std::string_view text) {
  const auto value = parse_quantity(text, kDurationUnits, kDurationHelp, "s");
  if (!value) return std::unexpected(value.error());
  return Duration(static_cast<Duration::rep>(*value));
}

Parsed<std::uint64_t> parse_bytes(std::string_view text) {
  return parse_quantity(text, kByteUnits, kBytesHelp, "MiB");
}

Parsed<std::uint64_t> parse_count(std::string_view text) {
  std::string digits;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool separator = text[i] == '_' && i > 0 && i + 1 < text.size();
    if (!separator) digits.push_back(text[i]);
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) return wrong(fmt::format("is too large: '{}'", text));
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) {
    return wrong(fmt::format("must be a whole number, not '{}'", text));
  }
  return value;
}

Parsed<double> parse_fraction(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    return wrong(fmt::format("must be a number, not '{}'", text));
  }
  return value;
}

Parsed<bool> parse_bool(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  return wrong(fmt::format("must be true or false, not '{}'", text));
}

std::string format_duration(Duration value) {
  return format_quantity(static_cast<std::uint64_t>(value.count()), kDurationUnits, "s");
}

std::string format_bytes(std::uint64_t value) { return format_quantity(value, kByteUnits, "B"); }

std::string format_fraction(double value) {
  std::string text = fmt::format("{}", value);
  // TOML tells 0 from 0.0, and this key takes both; the point shows its kind.
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string toml_string(std::string_view text) {
  const bool literal = text.find('\\') != std::string_view::npos && text.find('\'') == std::string_view::npos &&
                       std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  if (literal) return fmt::format("'{}'", text);  // patterns stay readable
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out.append(1, '\\').append(1, c);
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\u{:04x}", byte);
    } else {
      out.push_back(c);
    }
  }
  return out + '"';
}

std::string toml_list(const TextList& list) {
  std::string out = "[";
  for (const std::string& text : list) out += (out.size() > 1 ? ", " : "") + toml_string(text);
  return out + "]";
}

std::string toml_map(const TextMap& map) {
  if (map.empty()) return "{}";
  std::string out = "{ ";
  for (const auto& [name, value] : map) {
    out += (out.size() > 2 ? ", " : "") + toml_string(name) + " = " + toml_string(value);
  }
  return out + " }";
}

}  // namespace weir::crawler
