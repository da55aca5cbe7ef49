// Which IP addresses may be contacted. Private, loopback, link-local, shared, multicast, reserved and
// IPv4-in-IPv6 forms of these are refused unless an allowed network covers them (IANA special-purpose
// registries, RFC 6890). Judged on the address that is connected to, at every hop. Immutable, thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "frontier/messages.h"

namespace weir::crawler {

class AddressRules {
 public:
  // `allow_networks` in CIDR form ("127.0.0.0/8", "fd00::/8"); kUsage names a bad one.
  static Result<AddressRules> parse(const std::vector<std::string>& allow_networks);

  bool allowed(const frontier::IpAddress& address) const;

 private:
  struct Network {
    frontier::IpAddress address;
    int prefix_bits = 0;
  };
  std::vector<Network> allowed_;
};

bool is_loopback(const frontier::IpAddress& address);
// Dotted IPv4 or IPv6 text; known is false when it is neither.
frontier::IpAddress parse_ip(std::string_view text);
std::string format_ip(const frontier::IpAddress& address);

}  // namespace weir::crawler
