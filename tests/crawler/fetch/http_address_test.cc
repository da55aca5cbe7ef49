// Names, addresses and the rules about them: nothing refused is ever connected to, names are looked up once,
// failures are told apart, and a changed address is honoured.
#include <gtest/gtest.h>

#include "tests/crawler/fetch/client_fixture.h"
#include "tests/support/fake_dns.h"
#include "tests/support/loopback_server.h"

namespace weir::crawler {
namespace {

using frontier::Reason;
using test::DnsReply;
using test::FakeDns;
using test::http_reply;
using test::LoopbackServer;

HttpOptions with_dns(const FakeDns& dns) {
  HttpOptions options;
  options.dns_servers = {dns.server()};
  return options;
}

DnsReply addresses(std::vector<std::string> list, std::uint32_t ttl = 300) {
  return {0, std::move(list), ttl, false};
}

TEST(HttpAddress, RefusedAddressesAreNeverConnectedTo) {
  LoopbackServer server;
  FakeDns dns;
  dns.set("loop.example", addresses({"127.0.0.1"}));
  dns.set("mapped.example", addresses({"::ffff:7f00:1"}));
  dns.set("six.example", addresses({"::1"}));
  HttpOptions options = with_dns(dns);
  options.dns_hosts = {{"mapped.test", "127.0.0.1"}};
  ClientRun client(options, {});
  const std::string port = ":" + std::to_string(server.port()) + "/";
  // Loopback forms only: were the rule broken, no packet may leave this machine. The rest of the table is
  // judged without a socket in address_rules_test.
  for (const char* host :
       {"127.0.0.1", "[::1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "0.0.0.0", "[::]", "localhost", "localhost.",
        "a.localhost", "loop.example", "mapped.example", "six.example", "mapped.test"}) {
    const HttpAnswer answer = client.get("http://" + std::string(host) + port);
    EXPECT_EQ(answer.reason, Reason::kAddressRefused) << host << " " << answer.detail;
    EXPECT_FALSE(answer.contacted) << host;
    EXPECT_NE(answer.detail.find("allow_networks"), std::string::npos);
  }
  EXPECT_EQ(server.accepts(), 0u);
  EXPECT_EQ(client->open_connections(), 0u);
}

TEST(HttpAddress, NumericHostsThatOnlyLibcurlUnderstandsAreNotConnectedTo) {
  LoopbackServer server;
  FakeDns dns;
  for (const auto& allowed : {std::vector<std::string>{}, kLoopbackAllowed}) {
    ClientRun client(with_dns(dns), allowed);
    for (const char* host : {"0x7f.1", "2130706433", "127.1", "0177.0.0.1"}) {
      const HttpAnswer answer =
          client.get("http://" + std::string(host) + ":" + std::to_string(server.port()) + "/");
      EXPECT_NE(answer.reason, Reason::kOk) << host;
      EXPECT_FALSE(answer.contacted) << host;
    }
  }
  EXPECT_EQ(server.accepts(), 0u);
}

TEST(HttpAddress, OnlyTheAllowedOneOfSeveralAddressesIsUsed) {
  LoopbackServer server({"127.0.0.9", {}, {}});
  LoopbackServer forbidden;
  server.on("/", http_reply(200, "allowed"));
  FakeDns dns;
  for (const auto& list : {std::vector<std::string>{"127.0.0.9", "127.0.0.1"}, {"127.0.0.1", "127.0.0.9"}}) {
    dns.set("two.example", addresses(list));
    ClientRun client(with_dns(dns), {"127.0.0.9/32"});
    const HttpAnswer answer = client.get(server.url("two.example", "/"));
    EXPECT_EQ(answer.reason, Reason::kOk) << answer.detail;
    EXPECT_EQ(format_ip(answer.ip), "127.0.0.9");
    EXPECT_EQ(client.get(forbidden.url("two.example", "/")).reason, Reason::kConnectFailed);
  }
  EXPECT_EQ(forbidden.accepts(), 0u);
}

TEST(HttpAddress, AnAddressThatTurnsForbiddenIsRefusedThen) {
  LoopbackServer server({"127.0.0.9", {}, {}});
  server.on("/", http_reply(200, "x"));
  FakeDns dns;
  dns.set("rebind.example", addresses({"127.0.0.9"}, 0));
  ClientRun client(with_dns(dns), {"127.0.0.9/32"});
  EXPECT_EQ(client.get(server.url("rebind.example", "/")).reason, Reason::kOk);
  dns.set("rebind.example", addresses({"127.0.0.1"}, 0));
  client.move_ahead(std::chrono::seconds(61));
  EXPECT_EQ(client.get(server.url("rebind.example", "/")).reason, Reason::kAddressRefused);
}

TEST(HttpAddress, AChangedAddressIsHonouredAndConnectionsAreStillReused) {
  LoopbackServer before({"127.0.0.2", {}, {}});
  FakeDns dns;
  dns.set("move.example", addresses({"127.0.0.2"}, 0));
  ClientRun client(with_dns(dns));
  before.on("*", http_reply(200, "before"));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(format_ip(client.get(before.url("move.example", "/")).ip), "127.0.0.2");
  EXPECT_EQ(before.accepts(), 1u);
  EXPECT_EQ(dns.questions("move.example"), 1u);
  dns.set("move.example", addresses({"127.0.0.3"}, 0));
  client.move_ahead(std::chrono::seconds(61));
  const HttpAnswer moved = client.get(before.url("move.example", "/"));
  EXPECT_EQ(moved.reason, Reason::kConnectFailed) << "nobody listens on 127.0.0.3 at that port";
  EXPECT_EQ(format_ip(moved.ip), "127.0.0.3");
  dns.set("move.example", addresses({"127.0.0.2"}, 0));
  client.move_ahead(std::chrono::seconds(61));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(client.get(before.url("move.example", "/")).body, "before");
  EXPECT_EQ(before.accepts(), 2u) << "one connection for each time the address came";
  EXPECT_EQ(before.requests().back().field("Host"), "move.example:" + std::to_string(before.port()));
}

TEST(HttpAddress, TheHostMapComesFirstAndKnowsWildcards) {
  LoopbackServer server({"127.0.0.7", {}, {}});
  server.on("*", http_reply(200, "x"));
  FakeDns dns;
  HttpOptions options = with_dns(dns);
  options.dns_hosts = {{"a.test", "127.0.0.7"}, {"*.wild.test", "127.0.0.7"}};
  ClientRun client(options);
  for (const char* host : {"a.test", "x.wild.test", "y.x.wild.test"}) {
    const HttpAnswer answer = client.get(server.url(host, "/"));
    EXPECT_EQ(answer.reason, Reason::kOk) << host << answer.detail;
    EXPECT_EQ(format_ip(answer.ip), "127.0.0.7");
  }
  EXPECT_EQ(dns.questions(), 0u);
  EXPECT_EQ(client.get(server.url("wild.test", "/")).reason, Reason::kDnsNotFound);
}

TEST(HttpAddress, Ipv6LiteralsAreFetched) {
  ClientRun client;
  std::uint16_t port = 0;
  {
    port = LoopbackServer().port();
  }
  const HttpAnswer answer = client.get("http://[::1]:" + std::to_string(port) + "/");
  EXPECT_EQ(answer.reason, Reason::kConnectFailed) << answer.detail;
  EXPECT_EQ(format_ip(answer.ip), "::1");
}

TEST(HttpAddress, NoSuchNameIsPermanentAndRemembered) {
  FakeDns dns;
  dns.set("empty.example", addresses({}));
  ClientRun client(with_dns(dns));
  for (const char* host : {"gone.example", "empty.example"}) {
    for (int i = 0; i < 3; ++i) {
      const HttpAnswer answer = client.get("http://" + std::string(host) + "/");
      EXPECT_EQ(answer.reason, Reason::kDnsNotFound) << answer.detail;
      EXPECT_FALSE(answer.contacted);
      EXPECT_NE(answer.detail.find(host), std::string::npos);
    }
    EXPECT_EQ(dns.questions(host), 1u);
  }
  client.move_ahead(std::chrono::seconds(61));
  client.get("http://gone.example/");
  EXPECT_EQ(dns.questions("gone.example"), 2u);
}

TEST(HttpAddress, AServerFailureIsTransientAndSoonAskedAgain) {
  LoopbackServer server;
  server.on("/", http_reply(200, "x"));
  FakeDns dns;
  dns.set("flaky.example", {2, {}, 0, false});
  ClientRun client(with_dns(dns));
  EXPECT_EQ(client.get(server.url("flaky.example", "/")).reason, Reason::kDnsFailure);
  const auto asked = dns.questions("flaky.example");
  EXPECT_EQ(client.get(server.url("flaky.example", "/")).reason, Reason::kDnsFailure);
  EXPECT_EQ(dns.questions("flaky.example"), asked) << "not per URL";
  dns.set("flaky.example", addresses({"127.0.0.1"}));
  client.move_ahead(std::chrono::seconds(6));
  EXPECT_EQ(client.get(server.url("flaky.example", "/")).reason, Reason::kOk);
}

TEST(HttpAddress, ASilentNameServerIsATransientFailureWithinItsDeadline) {
  FakeDns dns;
  dns.set("mute.example", {0, {}, 0, true});
  HttpOptions options = with_dns(dns);
  options.dns_timeout = std::chrono::milliseconds(150);
  ClientRun client(options);
  for (std::uint64_t i = 0; i < 50; ++i) client.start("http://mute.example/" + std::to_string(i), i);
  const MonoTime begun = client.now().mono;
  for (const HttpAnswer& answer : client.collect(50))
    EXPECT_EQ(answer.reason, Reason::kDnsFailure) << answer.detail;
  EXPECT_LT(client.now().mono - begun, std::chrono::seconds(5));
  EXPECT_LE(dns.questions("mute.example"), 2u);
}

TEST(HttpAddress, ParallelLookupsOfOneNameAreOne) {
  LoopbackServer server;
  server.on("*", http_reply(200, "x"));
  FakeDns dns;
  dns.set("many.example", addresses({"127.0.0.1"}));
  ClientRun client(with_dns(dns));
  for (std::uint64_t i = 0; i < 200; ++i) client.start(server.url("many.example", "/" + std::to_string(i)), i);
  for (const HttpAnswer& answer : client.collect(200)) EXPECT_EQ(answer.reason, Reason::kOk) << answer.detail;
  EXPECT_EQ(dns.questions("many.example"), 1u);
}

TEST(HttpAddress, TimeToLiveIsClamped) {
  LoopbackServer server;
  server.on("*", http_reply(200, "x"));
  FakeDns dns;
  dns.set("short.example", addresses({"127.0.0.1"}, 1));
  dns.set("long.example", addresses({"127.0.0.1"}, 0x7fffffff));
  ClientRun client(with_dns(dns));
  const auto visit_after = [&](const char* host, Duration pause) {
    client.move_ahead(pause);
    EXPECT_EQ(client.get(server.url(host, "/")).reason, Reason::kOk);
    return dns.questions(host);
  };
  EXPECT_EQ(visit_after("short.example", Duration{0}), 1u);
  EXPECT_EQ(visit_after("short.example", std::chrono::seconds(55)), 1u);
  EXPECT_EQ(visit_after("short.example", std::chrono::seconds(6)), 2u);
  EXPECT_EQ(visit_after("long.example", Duration{0}), 1u);
  EXPECT_EQ(visit_after("long.example", std::chrono::hours(23)), 1u);
  EXPECT_EQ(visit_after("long.example", std::chrono::hours(2)), 2u);
}

TEST(HttpAddress, CancellingAResolvingTransferLeavesNoTrace) {
  FakeDns dns;
  dns.set("mute.example", {0, {}, 0, true});
  LoopbackServer server;
  server.on("/", http_reply(200, "x"));
  ClientRun client(with_dns(dns));
  client.start("http://mute.example/", 1);
  client->cancel_all();
  EXPECT_EQ(client.collect(1).at(0).reason, Reason::kStopped);
  dns.set("mute.example", addresses({"127.0.0.1"}));
  EXPECT_EQ(client.get(server.url("/")).reason, Reason::kOk);
}

}  // namespace
}  // namespace weir::crawler
