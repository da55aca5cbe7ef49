// The table of the IANA special-purpose registries (RFC 6890) and the prefix arithmetic over it.
#include "crawler/fetch/address_rules.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

namespace weir::crawler {
namespace {

using frontier::IpAddress;
using Ipv4 = std::uint32_t;

constexpr int kMappedBits = 96;  // ::ffff:0:0/96 carries every IPv4 address
constexpr int kAddressBits = 128;
constexpr std::size_t kIpTextBytesMax = INET6_ADDRSTRLEN;

struct Ipv4Block {
  Ipv4 base;
  int bits;
};

constexpr Ipv4 ipv4(unsigned a, unsigned b, unsigned c, unsigned d) { return a << 24 | b << 16 | c << 8 | d; }

constexpr Ipv4Block kRefusedIpv4[] = {
    {ipv4(0, 0, 0, 0), 8},        // this network; Linux connects 0.0.0.0 to itself
    {ipv4(10, 0, 0, 0), 8},       // private
    {ipv4(100, 64, 0, 0), 10},    // shared (carrier NAT)
    {ipv4(127, 0, 0, 0), 8},      // loopback
    {ipv4(169, 254, 0, 0), 16},   // link-local, cloud metadata
    {ipv4(172, 16, 0, 0), 12},    // private
    {ipv4(192, 0, 0, 0), 24},     // IETF protocol assignments
    {ipv4(192, 0, 2, 0), 24},     // documentation
    {ipv4(192, 88, 99, 0), 24},   // 6to4 relay anycast, deprecated
    {ipv4(192, 168, 0, 0), 16},   // private
    {ipv4(198, 18, 0, 0), 15},    // benchmarking
    {ipv4(198, 51, 100, 0), 24},  // documentation
    {ipv4(203, 0, 113, 0), 24},   // documentation
    {ipv4(224, 0, 0, 0), 4},      // multicast
    {ipv4(240, 0, 0, 0), 4},      // reserved, broadcast
};

struct Ipv6Block {
  std::array<std::uint8_t, 6> base;
  int bits;
};

// Inside the global unicast space 2000::/3; whatever lies outside that space is refused anyway.
constexpr Ipv6Block kRefusedIpv6[] = {
    {{0x20, 0x01}, 23},              // IETF protocol assignments, Teredo
    {{0x20, 0x01, 0x0d, 0xb8}, 32},  // documentation
    {{0x3f, 0xff}, 20},              // documentation
};

constexpr Ipv6Block kGlobalUnicast = {{0x20}, 3};
constexpr Ipv6Block kNat64 = {{0x00, 0x64, 0xff, 0x9b}, 96};
constexpr Ipv6Block kSixToFour = {{0x20, 0x02}, 16};

bool same_prefix(const std::uint8_t* a, const std::uint8_t* b, int bits) {
  const auto whole = static_cast<std::size_t>(bits / 8);
  if (std::memcmp(a, b, whole) != 0) return false;
  const int rest = bits % 8;
  return rest == 0 || ((a[whole] ^ b[whole]) >> (8 - rest)) == 0;
}

bool inside(const IpAddress& address, const Ipv6Block& block) {
  std::array<std::uint8_t, 16> base{};
  std::ranges::copy(block.base, base.begin());
  return same_prefix(address.bytes.data(), base.data(), block.bits);
}

IpAddress mapped(Ipv4 value) {
  IpAddress address;
  address.known = true;
  address.bytes[10] = address.bytes[11] = 0xff;
  for (std::size_t i = 0; i < 4; ++i) address.bytes[12 + i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
  return address;
}

bool is_mapped(const IpAddress& address) {
  static constexpr std::uint8_t kPrefix[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  return std::memcmp(address.bytes.data(), kPrefix, sizeof kPrefix) == 0;
}

Ipv4 ipv4_at(const IpAddress& address, std::size_t at) {
  const auto& b = address.bytes;
  return ipv4(b[at], b[at + 1], b[at + 2], b[at + 3]);
}

bool refused_ipv4(Ipv4 address) {
  return std::ranges::any_of(kRefusedIpv4, [address](const Ipv4Block& block) {
    return (address ^ block.base) >> (32 - block.bits) == 0;
  });
}

// An address that is a tunnel to an IPv4 one is judged by where the tunnel ends.
bool special_purpose(const IpAddress& address) {
  if (is_mapped(address)) return refused_ipv4(ipv4_at(address, 12));
  if (inside(address, kNat64)) return refused_ipv4(ipv4_at(address, 12));
  if (inside(address, kSixToFour)) return refused_ipv4(ipv4_at(address, 2));
  if (!inside(address, kGlobalUnicast)) return true;
  return std::ranges::any_of(kRefusedIpv6, [&](const Ipv6Block& block) { return inside(address, block); });
}

std::unexpected<Error> bad_network(const std::string& text, const std::string& why) {
  return fail(ErrorCode::kUsage, "fetch.allow_networks: '" + text + "' " + why +
                                     "; write a network such as \"127.0.0.0/8\" or \"fd00::/8\"");
}

std::optional<int> parse_bits(std::string_view text, int bits_max) {
  int bits = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), bits);
  if (error != std::errc() || end != text.data() + text.size() || bits < 0 || bits > bits_max)
    return std::nullopt;
  return bits;
}

bool bits_beyond(const IpAddress& address, int prefix_bits) {
  for (int bit = prefix_bits; bit < kAddressBits; ++bit) {
    const auto byte = address.bytes[static_cast<std::size_t>(bit / 8)];
    if ((byte >> (7 - bit % 8)) & 1) return true;
  }
  return false;
}

}  // namespace

Result<AddressRules> AddressRules::parse(const std::vector<std::string>& allow_networks) {
  AddressRules rules;
  for (const std::string& text : allow_networks) {
    const std::size_t slash = text.find('/');
    Network network{parse_ip(std::string_view(text).substr(0, slash)), kAddressBits};
    if (!network.address.known) return bad_network(text, "is not an IP network");
    const bool is_ipv4 = text.find(':') == std::string::npos;
    if (slash != std::string::npos) {
      const auto bits = parse_bits(std::string_view(text).substr(slash + 1), is_ipv4 ? 32 : kAddressBits);
      if (!bits) return bad_network(text, "has a bad prefix length");
      network.prefix_bits = is_ipv4 ? kMappedBits + *bits : *bits;
    }
    if (bits_beyond(network.address, network.prefix_bits))
      return bad_network(text, "has bits set beyond its prefix");
    rules.allowed_.push_back(network);
  }
  return rules;
}

bool AddressRules::allowed(const IpAddress& address) const {
  if (!address.known) return false;
  if (!special_purpose(address)) return true;
  return std::ranges::any_of(allowed_, [&](const Network& network) {
    // "::/0" means IPv6: a short IPv6 prefix must not open IPv4 loopback by way of the mapped form.
    if (is_mapped(address) && network.prefix_bits < kMappedBits) return false;
    return same_prefix(address.bytes.data(), network.address.bytes.data(), network.prefix_bits);
  });
}

bool is_loopback(const IpAddress& address) {
  if (!address.known) return false;
  if (is_mapped(address)) return address.bytes[12] == 127;
  IpAddress one;
  one.bytes[15] = 1;
  return address.bytes == one.bytes;
}

IpAddress parse_ip(std::string_view text) {
  char buffer[kIpTextBytesMax];
  if (text.size() >= sizeof buffer) return {};
  std::ranges::copy(text, buffer);
  buffer[text.size()] = '\0';
  in_addr four{};
  if (::inet_pton(AF_INET, buffer, &four) == 1) return mapped(ntohl(four.s_addr));
  IpAddress address;
  address.known = ::inet_pton(AF_INET6, buffer, address.bytes.data()) == 1;
  return address.known ? address : IpAddress{};
}

std::string format_ip(const IpAddress& address) {
  if (!address.known) return {};
  char buffer[kIpTextBytesMax];
  const bool four = is_mapped(address);
  const void* bytes = address.bytes.data() + (four ? 12 : 0);
  return ::inet_ntop(four ? AF_INET : AF_INET6, bytes, buffer, sizeof buffer);
}

}  // namespace weir::crawler
