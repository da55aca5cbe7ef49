// Nearly all hosts are lower or mixed case ASCII domains: they are lowered straight into the output, and one
// look at the joined byte sets tells whether anything else has to be asked.
#include "frontier/url/host_parser.h"

#include "frontier/url/idna.h"
#include "frontier/url/ipv4.h"
#include "frontier/url/ipv6.h"
#include "frontier/url/percent_encode.h"

namespace weir::frontier {
namespace {

using Parsed = std::expected<HostKind, UrlError>;

Parsed parse_bracketed(std::string& out, std::string_view text) {
  if (text.back() != ']') return std::unexpected(UrlError::kBadIpv6);
  const auto pieces = parse_ipv6(text.substr(1, text.size() - 2));
  if (!pieces) return std::unexpected(UrlError::kBadIpv6);
  out.push_back('[');
  append_ipv6(out, *pieces);
  out.push_back(']');
  return HostKind::kIpv6;
}

Parsed parse_opaque(std::string& out, std::string_view text) {
  if (contains_any(text, kForbiddenHost)) return std::unexpected(UrlError::kBadHost);
  append_encoded(out, text, kControlSet);
  return HostKind::kOpaque;
}

// out[start, end) is a domain in its final spelling; it may still be an address.
Parsed finish_domain(std::string& out, std::size_t start) {
  const std::string_view domain = std::string_view(out).substr(start);
  if (!ends_in_a_number(domain)) return HostKind::kDomain;
  const auto address = parse_ipv4(domain);
  if (!address) return std::unexpected(UrlError::kBadIpv4);
  out.resize(start);
  append_ipv4(out, *address);
  return HostKind::kIpv4;
}

Parsed parse_mapped_domain(std::string& out, std::string_view text) {
  const auto domain = domain_to_ascii(percent_decode(text));
  if (!domain) return std::unexpected(UrlError::kBadDomain);
  if (contains_any(*domain, kForbiddenDomain)) return std::unexpected(UrlError::kBadHost);
  const std::size_t start = out.size();
  out.append(*domain);
  return finish_domain(out, start);
}

// Appends `text` in lower case and returns the union of its byte sets.
ByteSet append_lowered(std::string& out, std::string_view text) {
  const std::size_t start = out.size();
  out.append(text);
  ByteSet sets = 0;
  for (std::size_t i = start; i < out.size(); ++i) {
    const char c = out[i];
    sets |= sets_of(c);
    out[i] = static_cast<char>(c | (c >= 'A' && c <= 'Z' ? 0x20 : 0));
  }
  return sets;
}

Parsed parse_domain(std::string& out, std::string_view text) {
  const std::size_t start = out.size();
  const ByteSet sets = append_lowered(out, text);
  // Escapes and non-ASCII text are in these sets too.
  if ((sets & (kControlSet | kForbiddenDomain)) == 0) return finish_domain(out, start);
  out.resize(start);
  return parse_mapped_domain(out, text);
}

}  // namespace

std::expected<HostKind, UrlError> parse_host(std::string& out, std::string_view text, HostRules rules) {
  if (text.empty()) return HostKind::kEmpty;
  if (text.front() == '[') return parse_bracketed(out, text);
  return rules == HostRules::kSpecial ? parse_domain(out, text) : parse_opaque(out, text);
}

}  // namespace weir::frontier
