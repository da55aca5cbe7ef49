// Values of configuration keys as text: durations and sizes with units, numbers, booleans, and how each is
// written in TOML. Every refusal says what is right. Pure.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "crawler/config/config.h"

namespace weir::crawler {

// The error is the rest of a sentence that begins with the key: "needs a unit: \"5s\", ...".
template <typename T>
using Parsed = std::expected<T, std::string>;

Parsed<Duration> parse_duration(std::string_view text);    // "200us" "200ms" "1.5s" "5m" "1h" "7d"
Parsed<std::uint64_t> parse_bytes(std::string_view text);  // "512B" "64KiB" "16MiB" "1GiB" "1TiB"
Parsed<std::uint64_t> parse_count(std::string_view text);  // digits, "_" between digits
Parsed<double> parse_fraction(std::string_view text);
Parsed<bool> parse_bool(std::string_view text);  // true and false, nothing else

std::string format_duration(Duration value);  // the largest unit that divides it: "90s", "5m"
std::string format_bytes(std::uint64_t value);
std::string format_fraction(double value);  // shortest that reads back as the same number
std::string toml_string(std::string_view text);
std::string toml_list(const TextList& list);
std::string toml_map(const TextMap& map);

}  // namespace weir::crawler
