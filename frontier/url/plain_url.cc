// See plain_url.h. Each function gives up (nothing) at the first byte that needs a second look.
#include "frontier/url/plain_url.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "base/limits.h"
#include "frontier/url/percent_encode.h"
#include "frontier/url/url_builder.h"

namespace weir::frontier {
namespace {

// Classes of bytes, one bit each.
constexpr std::uint8_t kHostByte = 1;
constexpr std::uint8_t kPathByte = 2;      // stays in a path
constexpr std::uint8_t kQueryByte = 4;     // stays in a query
constexpr std::uint8_t kFragmentByte = 8;  // stays in a fragment

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (unsigned byte = 0x21; byte < 0x7f; ++byte) {
    const char c = static_cast<char>(byte);
    const ByteSet sets = detail::kByteSets[byte];
    unsigned bits = 0;
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.') bits |= kHostByte;
    if ((sets & kPathSet) == 0 && c != '\\') bits |= kPathByte;
    if ((sets & kSpecialQuerySet) == 0) bits |= kQueryByte;
    if ((sets & kFragmentSet) == 0) bits |= kFragmentByte;
    classes[byte] = static_cast<std::uint8_t>(bits);
  }
  return classes;
}
constexpr std::array<std::uint8_t, 256> kClasses = make_classes();

// The end of the run of bytes of one class.
std::size_t skip(std::string_view text, std::size_t at, std::uint8_t which) {
  while (at < text.size() && (kClasses[static_cast<unsigned char>(text[at])] & which) != 0) ++at;
  return at;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Not empty, no empty label, none that IDNA or the IPv4 parser would look at.
bool is_plain_host(std::string_view host) {
  std::size_t label = 0;
  for (std::size_t i = 0; i <= host.size(); ++i) {
    if (i < host.size() && host[i] != '.') continue;
    if (i == label || host.substr(label).starts_with("xn--")) return false;
    if (i == host.size()) return !is_digit(host[label]);
    label = i + 1;
  }
  return false;
}

// Behind the ':'. A port that is written as it would be.
std::optional<std::uint16_t> plain_port(std::string_view digits, std::uint16_t default_port) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  if (!whole || digits[0] == '0' || port == default_port) return std::nullopt;
  return port;
}

// Path, query and fragment from `at` on; sets where they begin. False: something is not plain.
bool read_rest(std::string_view text, std::size_t at, UrlParts& parts) {
  const std::size_t path_end = skip(text, at, kPathByte);
  for (std::size_t slash = text.find('/', at); slash < path_end; slash = text.find('/', slash + 1)) {
    if (slash + 1 < path_end && (text[slash + 1] == '.' || text[slash + 1] == '%')) return false;
  }
  at = path_end;
  if (at < text.size() && text[at] == '?') {
    parts.search_start = at;
    at = skip(text, at + 1, kQueryByte);
  }
  if (at < text.size() && text[at] == '#') {
    parts.hash_start = at;
    at = skip(text, at + 1, kFragmentByte);
  }
  return at == text.size();
}

}  // namespace

std::optional<Url> parse_plain(std::string_view input) {
  const bool secure = input.starts_with("https://");
  if (!secure && !input.starts_with("http://")) return std::nullopt;
  UrlParts parts;
  parts.protocol_end = secure ? 6 : 5;
  const std::size_t host_start = parts.protocol_end + 2;
  std::size_t at = skip(input, host_start, kHostByte);
  if (!is_plain_host(input.substr(host_start, at - host_start))) return std::nullopt;
  parts.host_end = at;
  if (at < input.size() && input[at] == ':') {
    const std::size_t port_end = std::min(input.find_first_not_of("0123456789", at + 1), input.size());
    const auto port = plain_port(input.substr(at + 1, port_end - at - 1), secure ? 443 : 80);
    if (!port) return std::nullopt;
    parts.port = *port;
    at = port_end;
  }
  if (at == input.size() || input[at] == '?' || input[at] == '#') return std::nullopt;  // a '/' is missing
  if (input[at] != '/') return std::nullopt;
  parts.path_start = at;
  if (!read_rest(input, at, parts)) return std::nullopt;
  return UrlBuilder::from_parts(input, parts);
}

std::optional<Url> resolve_plain(std::string_view reference, const Url& base) {
  if (reference.empty() || !base.is_http()) return std::nullopt;
  const char first = reference[0];
  const bool rooted = first == '/' && reference.size() > 1 && reference[1] != '/';
  const bool named = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || is_digit(first);
  if (!rooted && !named) return std::nullopt;
  // A ':' in the first segment would end a scheme.
  if (named && reference.substr(0, reference.find_first_of("/?#")).find(':') != std::string_view::npos)
    return std::nullopt;
  UrlParts parts;
  if (!read_rest(reference, 0, parts)) return std::nullopt;
  return UrlBuilder::from_base(base, rooted, reference, parts);
}

}  // namespace weir::frontier
