// WireUrl: the parts of a URL that a request needs, cut out of the serialisation that frontier::Url made.
// It is no URL parser: it accepts only what that serialiser writes and refuses everything in which another
// parser could see another host (fact: libcurl and WHATWG differ on '\', '@', tabs). A view; thread-safe.
#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

#include "frontier/reason.h"

namespace weir::crawler {

struct WireUrl {
  bool tls = false;
  std::string_view origin;  // "http://a.test:8080"
  std::string_view host;    // IPv6 without brackets
  std::uint16_t port = 0;
  std::string_view target;  // path and query, as it goes into the request line; empty means "/"
};

// kUnsupportedScheme, or kProtocolError for what no serialiser of ours writes.
std::expected<WireUrl, frontier::Reason> split_wire_url(std::string_view url);

}  // namespace weir::crawler
