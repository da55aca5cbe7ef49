// Url: a URL parsed by the WHATWG URL Standard (https://url.spec.whatwg.org, sections 4.1-4.5). The only
// parser in the program: scope, address rules, dedup and the request all see this one object.
// An immutable value: one string (the serialisation) and offsets into it. Only parse_url makes one.
// Thread-safe as any value. Parsing: no exceptions, no recursion, at most two allocations on the common path.
//
//   https://user:pass@example.com:1234/foo/bar?baz#quux
//         |     |    |          | ^^^^|       |   |
//         |     |    |          | |   |       |   `-- hash_start
//         |     |    |          | |   |       `------ search_start
//         |     |    |          | |   `-------------- path_start
//         |     |    |          | `------------------ port (number)
//         |     |    |          `-------------------- host_end
//         |     |    `------------------------------- host_start (at '@' when there is userinfo)
//         |     `------------------------------------ username_end
//         `------------------------------------------ protocol_end (after ':')
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace weir::frontier {

class QueryEncoder;  // query_encoder.h

enum class UrlError : std::uint8_t {
  kNoScheme,    // relative, and no base to resolve against
  kOpaqueBase,  // relative to a base such as mailto:
  kBadScheme,
  kEmptyHost,
  kBadHost,    // forbidden code point, bad percent-encoding
  kBadDomain,  // IDNA (UTS #46) failed
  kBadIpv4,
  kBadIpv6,
  kBadPort,
  kTooLong  // longer than limits::kUrlBytesMax; never truncated
};

// "invalid host: forbidden code point" and the like; for `url key` and logs.
std::string_view describe(UrlError error);

enum class HostKind : std::uint8_t { kNone, kEmpty, kDomain, kIpv4, kIpv6, kOpaque };

class Url {
 public:
  std::string_view href() const { return href_; }  // the serialisation
  std::string_view href_without_fragment() const;
  std::string_view scheme() const;  // "https", without ':'
  std::string_view username() const;
  std::string_view password() const;
  std::string_view hostname() const;  // serialised; IPv6 with brackets; no port
  std::string_view host() const;      // hostname and, unless default, ":port"
  std::string_view path() const;
  std::string_view query() const;             // without '?'; see has_query
  std::string_view fragment() const;          // without '#'; see has_fragment
  std::optional<std::uint16_t> port() const;  // absent: the scheme's default
  std::uint16_t effective_port() const;       // 0 when the scheme has no default
  HostKind host_kind() const { return host_kind_; }
  bool has_credentials() const;
  bool has_query() const { return search_start_ != kOmitted; }  // "?" with nothing after it counts
  bool has_fragment() const { return hash_start_ != kOmitted; }
  bool has_opaque_path() const { return opaque_path_; }
  bool is_special() const;  // ftp file http https ws wss
  bool is_http() const;     // http or https

  friend bool operator==(const Url& a, const Url& b) { return a.href_ == b.href_; }

 private:
  friend class UrlBuilder;  // parser.cc: the state machine's output side
  static constexpr std::uint32_t kOmitted = 0xffffffff;

  Url() = default;

  std::string href_;
  std::uint32_t protocol_end_ = 0;
  std::uint32_t username_end_ = 0;
  std::uint32_t host_start_ = 0;
  std::uint32_t host_end_ = 0;
  std::uint32_t port_ = kOmitted;
  std::uint32_t path_start_ = 0;
  std::uint32_t search_start_ = kOmitted;
  std::uint32_t hash_start_ = kOmitted;
  HostKind host_kind_ = HostKind::kNone;
  bool opaque_path_ = false;
};

// The basic URL parser without state override. `input` is UTF-8 (bad sequences become U+FFFD); `base` is
// borrowed for the call. `query_encoder`: of the page that the reference stands on; null: UTF-8. It concerns
// queries of http, https, file and ftp. Cost: linear in the input.
std::expected<Url, UrlError> parse_url(std::string_view input, const Url* base = nullptr,
                                       const QueryEncoder* query_encoder = nullptr);

// What goes on the wire for a link found on a page: `url` without fragment and without userinfo. A '%' in the
// path of an http(s) URL that begins no escape goes as "%25": a request target cannot hold it otherwise (RFC
// 9110 4.1, RFC 3986 2.4), and servers refuse it. Sets *credentials_dropped (when not null) if there was
// userinfo.
Url wire_form(const Url& url, bool* credentials_dropped = nullptr);

// `url` without userinfo, its fragment kept; as wire_form otherwise.
Url without_credentials(const Url& url, bool* credentials_dropped = nullptr);

// "scheme://hostname[:port]", the name of the queue a URL waits in: the leading part of the wire form.
// Only for URLs with a host and no credentials. A view into `url`.
std::string_view origin(const Url& url);

}  // namespace weir::frontier
