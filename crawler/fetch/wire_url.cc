// One pass of find calls; every doubt is a refusal.
#include "crawler/fetch/wire_url.h"

#include <algorithm>
#include <charconv>

namespace weir::crawler {
namespace {

using frontier::Reason;

constexpr std::string_view kHttp = "http://";
constexpr std::string_view kHttps = "https://";

// Anything else would need escaping on the wire; the serialiser has escaped it already.
bool is_wire_byte(char c) { return c > 0x20 && c < 0x7f; }

bool split_port(std::string_view authority, WireUrl& parts) {
  const std::size_t bracket = authority.rfind(']');
  const std::size_t colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  parts.host = authority.substr(0, colon);
  if (parts.host.starts_with('[') && parts.host.ends_with(']')) {
    parts.host = parts.host.substr(1, parts.host.size() - 2);
  }
  if (colon == std::string_view::npos) return true;
  const std::string_view digits = authority.substr(colon + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), parts.port);
  return error == std::errc() && end == digits.data() + digits.size();
}

}  // namespace

std::expected<WireUrl, Reason> split_wire_url(std::string_view url) {
  WireUrl parts;
  parts.tls = url.starts_with(kHttps);
  if (!parts.tls && !url.starts_with(kHttp)) return std::unexpected(Reason::kUnsupportedScheme);
  if (!std::ranges::all_of(url, is_wire_byte)) return std::unexpected(Reason::kProtocolError);
  const std::size_t host_start = parts.tls ? kHttps.size() : kHttp.size();
  const std::size_t host_end = std::min(url.find_first_of("/?#", host_start), url.size());
  const std::string_view authority = url.substr(host_start, host_end - host_start);
  parts.origin = url.substr(0, host_end);
  parts.port = parts.tls ? 443 : 80;
  if (authority.find_first_of("@\\") != std::string_view::npos) return std::unexpected(Reason::kProtocolError);
  if (!split_port(authority, parts) || parts.host.empty()) return std::unexpected(Reason::kProtocolError);
  parts.target = url.substr(host_end, std::min(url.find('#', host_end), url.size()) - host_end);
  // The serialiser always writes a path: "?" straight after the host is not its work.
  if (parts.target.starts_with('?')) return std::unexpected(Reason::kProtocolError);
  return parts;
}

}  // namespace weir::crawler
