// The components of a Url as views, and the forms of a URL that are not its serialisation.
#include "frontier/url/url.h"

#include <algorithm>

#include "base/check.h"
#include "frontier/url/scheme.h"
#include "frontier/url/url_builder.h"

namespace weir::frontier {

std::string_view describe(UrlError error) {
  switch (error) {
    case UrlError::kNoScheme: return "relative URL without a base";
    case UrlError::kOpaqueBase: return "relative URL, and its base has no hierarchy";
    case UrlError::kBadScheme:
      return "invalid scheme: a scheme is a letter, then letters, digits, '+', '-', '.'";
    case UrlError::kEmptyHost: return "the host is missing";
    case UrlError::kBadHost: return "invalid host: forbidden code point";
    case UrlError::kBadDomain: return "invalid host: not a valid internationalised domain name";
    case UrlError::kBadIpv4: return "invalid host: ends in a number but is not an IPv4 address";
    case UrlError::kBadIpv6: return "invalid host: not an IPv6 address";
    case UrlError::kBadPort: return "invalid port: not a number from 0 to 65535";
    case UrlError::kTooLong: return "longer than 65536 bytes";
  }
  return "unknown error";
}

std::string_view Url::href_without_fragment() const {
  return href().substr(0, std::min<std::size_t>(hash_start_, href_.size()));
}

std::string_view Url::scheme() const { return href().substr(0, protocol_end_ - 1); }

std::string_view Url::username() const {
  if (!has_credentials()) return {};
  const std::uint32_t start = protocol_end_ + 2;
  return href().substr(start, username_end_ - start);
}

std::string_view Url::password() const {
  if (!has_credentials() || host_start_ == username_end_) return {};
  return href().substr(username_end_ + 1, host_start_ - username_end_ - 1);
}

std::string_view Url::hostname() const {
  const std::uint32_t start = has_credentials() ? host_start_ + 1 : host_start_;
  return href().substr(start, host_end_ - start);
}

std::string_view Url::host() const {
  if (port_ == kOmitted) return hostname();
  const std::uint32_t start = has_credentials() ? host_start_ + 1 : host_start_;
  return href().substr(start, path_start_ - start);
}

std::string_view Url::path() const {
  const std::size_t end = std::min<std::size_t>({search_start_, hash_start_, href_.size()});
  return href().substr(path_start_, end - path_start_);
}

std::string_view Url::query() const {
  if (!has_query()) return {};
  return href_without_fragment().substr(search_start_ + 1);
}

std::string_view Url::fragment() const {
  if (!has_fragment()) return {};
  return href().substr(hash_start_ + 1);
}

std::optional<std::uint16_t> Url::port() const {
  if (port_ == kOmitted) return std::nullopt;
  return static_cast<std::uint16_t>(port_);
}

std::uint16_t Url::effective_port() const { return port().value_or(default_port(scheme_kind(scheme()))); }

bool Url::has_credentials() const { return host_kind_ != HostKind::kNone && host_start_ > protocol_end_ + 2; }

bool Url::is_special() const { return scheme_kind(scheme()) != SchemeKind::kNotSpecial; }

bool Url::is_http() const { return scheme() == "https" || scheme() == "http"; }

Url wire_form(const Url& url, bool* credentials_dropped) {
  if (credentials_dropped != nullptr) *credentials_dropped = url.has_credentials();
  return UrlBuilder::wire_form(url, false);
}

Url without_credentials(const Url& url, bool* credentials_dropped) {
  if (credentials_dropped != nullptr) *credentials_dropped = url.has_credentials();
  return UrlBuilder::wire_form(url, true);
}

std::string_view origin(const Url& url) {
  WEIR_CHECK(url.host_kind() != HostKind::kNone && !url.has_credentials());
  const std::string_view rest = url.path();
  return url.href().substr(0, static_cast<std::size_t>(rest.data() - url.href().data()));
}

}  // namespace weir::frontier
