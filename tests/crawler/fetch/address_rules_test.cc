// The deny table of the IANA special-purpose registries, the allow list over it, and IP text.
#include "crawler/fetch/address_rules.h"

#include <gtest/gtest.h>

namespace weir::crawler {
namespace {

AddressRules rules_with(const std::vector<std::string>& allowed) {
  auto rules = AddressRules::parse(allowed);
  EXPECT_TRUE(rules) << rules.error().message();
  return *rules;
}

TEST(AddressRules, SpecialPurposeAddressesAreRefused) {
  const AddressRules rules = rules_with({});
  for (const char* text : {
           "127.0.0.1",
           "127.255.255.255",
           "0.0.0.0",
           "0.1.2.3",
           "10.0.0.1",
           "172.16.0.1",
           "172.31.255.255",
           "192.168.0.1",
           "169.254.169.254",
           "100.64.0.1",
           "100.127.255.255",
           "192.0.0.8",
           "192.0.2.1",
           "192.88.99.1",
           "198.18.0.1",
           "198.19.255.255",
           "198.51.100.7",
           "203.0.113.9",
           "224.0.0.1",
           "239.255.255.255",
           "240.0.0.1",
           "255.255.255.255",
           "::",
           "::1",
           "::ffff:7f00:1",
           "::ffff:10.0.0.1",
           "::127.0.0.1",
           "::8.8.8.8",
           "fc00::1",
           "fd12:3456::1",
           "fe80::1",
           "febf::1",
           "fec0::1",
           "ff02::1",
           "64:ff9b::7f00:1",
           "64:ff9b::a00:1",
           "64:ff9b:1::1",
           "2001:db8::1",
           "2001::1",
           "2001:10::1",
           "2002:7f00:1::1",
           "2002:a00:1::1",
           "3fff::1",
           "100::1",
           "5f00::1",
           "4000::1",
       }) {
    const auto address = parse_ip(text);
    ASSERT_TRUE(address.known) << text;
    EXPECT_FALSE(rules.allowed(address)) << text;
  }
  EXPECT_FALSE(rules.allowed({})) << "an unknown address";
}

TEST(AddressRules, PublicAddressesAreAllowed) {
  const AddressRules rules = rules_with({});
  for (const char* text :
       {"172.32.0.1",       "172.15.255.255",  "100.128.0.1",     "100.63.255.255", "169.253.1.1",
        "11.0.0.1",         "9.255.255.255",   "126.255.255.255", "128.0.0.1",      "198.17.255.255",
        "198.20.0.1",       "223.255.255.255", "1.0.0.1",         "192.0.1.1",      "::ffff:8.8.8.8",
        "64:ff9b::808:808", "2002:808:808::1", "2606:4700::1111", "2a00:1450::1",   "2001:200::1",
        "3ffe::1"}) {
    const auto address = parse_ip(text);
    ASSERT_TRUE(address.known) << text;
    EXPECT_TRUE(rules.allowed(address)) << text;
  }
}

TEST(AddressRules, AllowedNetworksOpenExactlyThemselves) {
  const AddressRules rules = rules_with({"127.0.0.0/8", "10.1.2.0/23", "fd00:1::/32", "192.168.7.7"});
  for (const char* text :
       {"127.0.0.1", "::ffff:127.0.0.1", "10.1.2.255", "10.1.3.0", "fd00:1:ffff::1", "192.168.7.7"}) {
    EXPECT_TRUE(rules.allowed(parse_ip(text))) << text;
  }
  for (const char* text :
       {"::1", "10.1.4.0", "10.1.1.255", "fd00:2::1", "192.168.7.8", "::127.0.0.1", "64:ff9b::7f00:1"}) {
    EXPECT_FALSE(rules.allowed(parse_ip(text))) << text;
  }
}

TEST(AddressRules, EveryIpv6DoesNotOpenMappedIpv4) {
  const AddressRules rules = rules_with({"::/0"});
  EXPECT_TRUE(rules.allowed(parse_ip("::1")));
  EXPECT_TRUE(rules.allowed(parse_ip("fe80::1")));
  EXPECT_FALSE(rules.allowed(parse_ip("127.0.0.1")));
  EXPECT_TRUE(rules_with({"0.0.0.0/0"}).allowed(parse_ip("127.0.0.1")));
  EXPECT_FALSE(rules_with({"0.0.0.0/0"}).allowed(parse_ip("::1")));
}

TEST(AddressRules, BadNetworksAreNamed) {
  for (const char* text :
       {"", "/8", "127.0.0.0/33", "127.0.0.0/-1", "127.0.0.0/", "127.0.0.0/8x", "127.0.0.1/8", "::/129",
        "fd00::1/8", "localhost", "127.1/8", "0177.0.0.0/8", "[::1]/128", " 10.0.0.0/8"}) {
    const auto rules = AddressRules::parse({text});
    ASSERT_FALSE(rules) << text;
    EXPECT_EQ(rules.error().code(), ErrorCode::kUsage);
    EXPECT_NE(rules.error().message().find(std::string("'") + text + "'"), std::string::npos)
        << rules.error().message();
  }
}

TEST(IpText, RoundTrips) {
  for (const char* text : {"0.0.0.0", "8.8.4.4", "255.255.255.255", "::", "::1", "2001:db8::1", "fe80::1:2"}) {
    EXPECT_EQ(format_ip(parse_ip(text)), text);
  }
  EXPECT_EQ(format_ip(parse_ip("::ffff:1.2.3.4")), "1.2.3.4");
  EXPECT_EQ(format_ip({}), "");
}

TEST(IpText, OnlyFullFormsAreAddresses) {
  for (const char* text : {"", "1", "127.1", "0x7f.1", "0177.0.0.1", "2130706433", "1.2.3.4.5", "1.2.3.256",
                           "[::1]", "::1%eth0", "1.2.3.4 ", "a.test"}) {
    EXPECT_FALSE(parse_ip(text).known) << text;
  }
  EXPECT_FALSE(parse_ip(std::string(1000, '1')).known);
}

TEST(IsLoopback, BothFamilies) {
  EXPECT_TRUE(is_loopback(parse_ip("127.0.0.1")));
  EXPECT_TRUE(is_loopback(parse_ip("127.9.9.9")));
  EXPECT_TRUE(is_loopback(parse_ip("::1")));
  EXPECT_FALSE(is_loopback(parse_ip("128.0.0.1")));
  EXPECT_FALSE(is_loopback(parse_ip("::2")));
  EXPECT_FALSE(is_loopback({}));
}

}  // namespace
}  // namespace weir::crawler
