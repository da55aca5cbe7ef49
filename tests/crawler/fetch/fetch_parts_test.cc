// The small parts of the fetcher: wire URLs, the host map, the DNS cache, descriptor arithmetic, the table of
// libcurl results, and the pins.
#include <curl/curl.h>
#include <gtest/gtest.h>

#include "crawler/fetch/address_pins.h"
#include "crawler/fetch/address_rules.h"
#include "crawler/fetch/curl_reason.h"
#include "crawler/fetch/dns_cache.h"
#include "crawler/fetch/fd_budget.h"
#include "crawler/fetch/host_map.h"
#include "crawler/fetch/wire_url.h"

namespace weir::crawler {
namespace {

using frontier::Reason;

TEST(WireUrl, PartsOfASerialisation) {
  struct Row {
    const char* url;
    const char* origin;
    const char* host;
    int port;
    const char* target;
  };
  const Row rows[] = {
      {"http://a.test/", "http://a.test", "a.test", 80, "/"},
      {"https://a.test/x/../y?q=%20&z#frag", "https://a.test", "a.test", 443, "/x/../y?q=%20&z"},
      {"http://a.test:8080/?", "http://a.test:8080", "a.test", 8080, "/?"},
      {"http://[::1]:81/a?b:c@d", "http://[::1]:81", "::1", 81, "/a?b:c@d"},
      {"https://[2001:db8::1]/", "https://[2001:db8::1]", "2001:db8::1", 443, "/"},
      {"http://a.test", "http://a.test", "a.test", 80, ""},
  };
  for (const Row& row : rows) {
    const auto parts = split_wire_url(row.url);
    ASSERT_TRUE(parts) << row.url;
    EXPECT_EQ(parts->origin, row.origin);
    EXPECT_EQ(parts->host, row.host);
    EXPECT_EQ(parts->port, row.port);
    EXPECT_EQ(parts->target, row.target);
  }
}

TEST(WireUrl, WhatAnotherParserCouldReadDifferentlyIsRefused) {
  struct Row {
    const char* url;
    Reason reason;
  };
  const Row rows[] = {
      {"ftp://a.test/", Reason::kUnsupportedScheme},
      {"file:///etc/passwd", Reason::kUnsupportedScheme},
      {"gopher://a.test/", Reason::kUnsupportedScheme},
      {"HTTP://a.test/", Reason::kUnsupportedScheme},
      {"", Reason::kUnsupportedScheme},
      {"http://a.test\\@b.test/x", Reason::kProtocolError},
      {"http://u:p@a.test/", Reason::kProtocolError},
      {"http://a.test/a b", Reason::kProtocolError},
      {"http://a.test/\r\nX-Evil: 1", Reason::kProtocolError},
      {"http://a.test/caf\xc3\xa9", Reason::kProtocolError},
      {"http:///x", Reason::kProtocolError},
      {"http://a.test:/x", Reason::kProtocolError},
      {"http://a.test:99999/x", Reason::kProtocolError},
      {"http://a.test:8x/x", Reason::kProtocolError},
      {"http://a.test?q", Reason::kProtocolError},
  };
  for (const Row& row : rows) {
    const auto parts = split_wire_url(row.url);
    ASSERT_FALSE(parts) << row.url;
    EXPECT_EQ(parts.error(), row.reason) << row.url;
  }
}

TEST(HostMap, LongestMatchWins) {
  const auto map =
      HostMap::parse({{"a.test", "127.0.0.1"}, {"*.test", "127.0.0.2"}, {"*.B.test", "127.0.0.3"}});
  ASSERT_TRUE(map);
  const auto find = [&](std::string_view host) {
    const auto* ip = map->find(host);
    return ip == nullptr ? std::string("none") : format_ip(*ip);
  };
  EXPECT_EQ(find("a.test"), "127.0.0.1");
  EXPECT_EQ(find("a.test."), "127.0.0.1");
  EXPECT_EQ(find("c.test"), "127.0.0.2");
  EXPECT_EQ(find("x.a.test"), "127.0.0.2");
  EXPECT_EQ(find("x.b.test"), "127.0.0.3");
  EXPECT_EQ(find("b.test"), "127.0.0.2");
  EXPECT_EQ(find("test"), "none");
  EXPECT_EQ(find("atest"), "none");
  EXPECT_EQ(find("a.test.example"), "none");
}

TEST(HostMap, BadEntriesAreNamed) {
  for (const auto& [name, address] : std::vector<std::pair<std::string, std::string>>{{"a.test", "localhost"},
                                                                                      {"a.test", ""},
                                                                                      {"a.test", "127.1"},
                                                                                      {"*.", "127.0.0.1"},
                                                                                      {"", "127.0.0.1"}}) {
    const auto map = HostMap::parse({{name, address}});
    ASSERT_FALSE(map) << name << " " << address;
    EXPECT_EQ(map.error().code(), ErrorCode::kUsage);
  }
}

TEST(DnsCache, EntriesExpireAndTheLeastRecentlyAskedMakesRoom) {
  DnsCache cache(2);
  const MonoTime start{};
  cache.put("a", {Reason::kOk, "", {parse_ip("1.1.1.1")}}, start + std::chrono::seconds(10));
  cache.put("b", {Reason::kOk, "", {parse_ip("2.2.2.2")}}, start + std::chrono::seconds(20));
  EXPECT_NE(cache.find("a", start), nullptr);
  cache.put("c", {}, start + std::chrono::seconds(20));
  EXPECT_EQ(cache.find("b", start), nullptr) << "a was asked after b";
  EXPECT_NE(cache.find("a", start + std::chrono::seconds(9)), nullptr);
  EXPECT_EQ(cache.find("a", start + std::chrono::seconds(10)), nullptr);
  EXPECT_EQ(cache.size(), 1u);
}

TEST(FdBudget, FitsIntoTheLimit) {
  const auto roomy = fit_descriptors({65536, 512, 2, 256, 512});
  ASSERT_TRUE(roomy);
  EXPECT_EQ(roomy->transfers_max, 256u);
  EXPECT_EQ(roomy->connections_max, 512u);
  EXPECT_FALSE(roomy->reduced);
  for (const std::uint64_t limit : {80u, 100u, 256u, 400u, 800u}) {
    const auto budget = fit_descriptors({limit, 40, 1, 256, 512});
    ASSERT_TRUE(budget) << limit;
    EXPECT_TRUE(budget->reduced);
    EXPECT_LE(budget->transfers_max * kExtraPerTransfer + budget->connections_max + kClientDescriptors + 40,
              limit);
    EXPECT_GE(budget->connections_max, budget->transfers_max);
  }
}

TEST(FdBudget, TooLittleIsRefusedWithTheCure) {
  const auto budget = fit_descriptors({64, 60, 4, 256, 512});
  ASSERT_FALSE(budget);
  EXPECT_EQ(budget.error().code(), ErrorCode::kUsage);
  EXPECT_NE(budget.error().message().find("ulimit -n"), std::string::npos);
}

TEST(DescriptorThrottle, FewerAtOnceAfterExhaustionThenSlowlyMore) {
  DescriptorThrottle throttle(100);
  throttle.on_exhausted(40);
  EXPECT_EQ(throttle.limit(), 30u);
  for (int i = 0; i < 10'000 && throttle.reduced(); ++i) throttle.on_success();
  EXPECT_EQ(throttle.limit(), 100u);
  throttle.on_exhausted(0);
  EXPECT_EQ(throttle.limit(), 1u);
}

TEST(CurlReason, OneReasonPerResult) {
  struct Row {
    CURLcode code;
    Reason reason;
  };
  const Row rows[] = {
      {CURLE_OK, Reason::kOk},
      {CURLE_COULDNT_RESOLVE_HOST, Reason::kDnsFailure},
      {CURLE_COULDNT_CONNECT, Reason::kConnectFailed},
      {CURLE_PEER_FAILED_VERIFICATION, Reason::kTlsFailed},
      {CURLE_SSL_CONNECT_ERROR, Reason::kTlsFailed},
      {CURLE_PARTIAL_FILE, Reason::kConnectionBroken},
      {CURLE_RECV_ERROR, Reason::kConnectionBroken},
      {CURLE_SEND_ERROR, Reason::kConnectionBroken},
      {CURLE_GOT_NOTHING, Reason::kConnectionBroken},
      {CURLE_BAD_CONTENT_ENCODING, Reason::kDecodeFailed},
      {CURLE_WEIRD_SERVER_REPLY, Reason::kProtocolError},
      {CURLE_UNSUPPORTED_PROTOCOL, Reason::kProtocolError},
      {CURLE_WRITE_ERROR, Reason::kProtocolError},
      {CURLE_FTP_ACCEPT_FAILED, Reason::kProtocolError},
  };
  for (const Row& row : rows) EXPECT_EQ(reason_of(row.code, TransferPhase::kReceiving), row.reason) << row.code;
  EXPECT_EQ(reason_of(CURLE_OPERATION_TIMEDOUT, TransferPhase::kConnecting), Reason::kConnectTimeout);
  EXPECT_EQ(reason_of(CURLE_OPERATION_TIMEDOUT, TransferPhase::kReceiving), Reason::kTotalTimeout);
}

std::vector<std::string> lines(const curl_slist* list) {
  std::vector<std::string> texts;
  for (; list != nullptr; list = list->next) texts.emplace_back(list->data);
  return texts;
}

using Lines = std::vector<std::string>;

TEST(AddressPins, OnlyNewsIsSent) {
  AddressPins pins(8);
  const auto one = parse_ip("1.1.1.1");
  const auto two = parse_ip("2001:db8::2");
  const auto first = pins.pin("a.test", 80, {one, two});
  EXPECT_EQ(lines(first.resolve.get()), Lines{"a.test:80:1.1.1.1,[2001:db8::2]"});
  EXPECT_EQ(first.connect_to, nullptr);
  const auto again = pins.pin("a.test", 80, {two, one});
  EXPECT_EQ(again.resolve, nullptr) << "the same addresses in another order are no news";
  EXPECT_EQ(again.entry, first.entry);
}

TEST(AddressPins, AChangedAddressGetsANewConnectionNameAndTheOldOneIsForgottenWhenUnused) {
  AddressPins pins(8);
  const auto before = pins.pin("a.test", 80, {parse_ip("1.1.1.1")});
  const auto after = pins.pin("a.test", 80, {parse_ip("2.2.2.2")});
  EXPECT_EQ(lines(after.resolve.get()), Lines{"1.pin.invalid:80:2.2.2.2"});
  EXPECT_EQ(lines(after.connect_to), Lines{"::1.pin.invalid:"});
  pins.release(before.entry);
  const auto other = pins.pin("b.test", 80, {parse_ip("3.3.3.3")});
  EXPECT_EQ(lines(other.resolve.get()), (Lines{"-a.test:80", "b.test:80:3.3.3.3"}));
}

TEST(AddressPins, Ipv6LiteralsGoByAnotherName) {
  AddressPins pins(8);
  const auto pin = pins.pin("::1", 81, {parse_ip("::1")});
  EXPECT_EQ(lines(pin.resolve.get()), Lines{"1.pin.invalid:81:[::1]"});
  EXPECT_EQ(lines(pin.connect_to), Lines{"::1.pin.invalid:"});
}

TEST(AddressPins, TheBoundHoldsAndWhatIsInUseStays) {
  AddressPins pins(2);
  const auto held = pins.pin("held.test", 80, {parse_ip("1.1.1.1")});
  for (const char* host : {"b.test", "c.test", "d.test", "e.test"}) {
    pins.release(pins.pin(host, 80, {parse_ip("2.2.2.2")}).entry);
  }
  EXPECT_EQ(pins.size(), 2u);
  EXPECT_EQ(pins.pin("held.test", 80, {parse_ip("1.1.1.1")}).resolve, nullptr);
}

}  // namespace
}  // namespace weir::crawler
