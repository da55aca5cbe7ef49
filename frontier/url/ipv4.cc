// Numbers may be decimal, octal (leading 0) or hexadecimal (0x); the last one fills all bytes that are left.
#include "frontier/url/ipv4.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "frontier/url/percent_encode.h"

namespace weir::frontier {
namespace {

constexpr std::size_t kPartsMax = 4;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view without_final_dot(std::string_view host) {
  if (!host.empty() && host.back() == '.') host.remove_suffix(1);
  return host;
}

// "", "0x" and "0" are zero. Numbers above 32 bits come back as the largest 64-bit value.
std::optional<std::uint64_t> parse_number(std::string_view text) {
  if (text.empty()) return std::nullopt;
  unsigned radix = 10;
  if (text.size() >= 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    radix = 16;
    text.remove_prefix(2);
  } else if (text.size() >= 2 && text[0] == '0') {
    radix = 8;
    text.remove_prefix(1);
  }
  std::uint64_t value = 0;
  bool overflow = false;
  for (const char c : text) {
    const int digit = hex_value(c);
    if (digit < 0 || static_cast<unsigned>(digit) >= radix) return std::nullopt;
    value = value * radix + static_cast<unsigned>(digit);
    if (value > 0xffffffff) overflow = true;
    value = std::min<std::uint64_t>(value, std::uint64_t{1} << 32);
  }
  return overflow ? ~std::uint64_t{0} : value;
}

}  // namespace

bool ends_in_a_number(std::string_view host) {
  host = without_final_dot(host);
  const std::size_t dot = host.rfind('.');
  const std::string_view last = dot == std::string_view::npos ? host : host.substr(dot + 1);
  if (last.empty() || !is_digit(last.front())) return false;
  return std::ranges::all_of(last, is_digit) || parse_number(last).has_value();
}

std::optional<std::uint32_t> parse_ipv4(std::string_view host) {
  host = without_final_dot(host);
  std::array<std::uint64_t, kPartsMax> parts{};
  std::size_t count = 0;
  for (bool more = true; more; ++count) {
    if (count == kPartsMax) return std::nullopt;
    const std::size_t dot = host.find('.');
    more = dot != std::string_view::npos;
    const auto number = parse_number(host.substr(0, dot));
    if (!number) return std::nullopt;
    parts[count] = *number;
    if (more) host.remove_prefix(dot + 1);
  }
  const std::size_t leading = count - 1;
  const unsigned last_bits = static_cast<unsigned>(8 * (kPartsMax - leading));
  if (parts[leading] >> last_bits != 0) return std::nullopt;
  std::uint64_t address = parts[leading];
  for (std::size_t i = 0; i < leading; ++i) {
    if (parts[i] > 255) return std::nullopt;
    address |= parts[i] << (8 * (kPartsMax - 1 - i));
  }
  return static_cast<std::uint32_t>(address);
}

void append_ipv4(std::string& out, std::uint32_t address) {
  std::array<char, 16> text{};
  char* end = text.data();
  for (unsigned shift = 32; shift > 0; shift -= 8) {
    if (shift < 32) *end++ = '.';
    end = std::to_chars(end, text.data() + text.size(), address >> (shift - 8) & 0xff).ptr;
  }
  out.append(text.data(), end);
}

}  // namespace weir::frontier
