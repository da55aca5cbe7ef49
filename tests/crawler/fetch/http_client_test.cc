// HttpClient against a scripted loopback server: what goes on the wire, what comes back, caps, parallelism.
#include "crawler/fetch/http_client.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/limits.h"
#include "tests/crawler/fetch/client_fixture.h"
#include "tests/support/loopback_server.h"

namespace weir::crawler {
namespace {

using frontier::Reason;
using test::http_reply;
using test::LoopbackServer;
using test::ServerReply;
using test::ServerRequest;
using Then = test::ServerReply::Then;

TEST(HttpClient, AnAnswerIsReadWhole) {
  LoopbackServer server;
  server.on("/p", http_reply(203, "hello", "Content-Type: text/html; charset=x\r\nRetry-After: 5\r\n"));
  ClientRun client;
  const HttpAnswer answer = client.get(server.url("/p"));
  EXPECT_EQ(answer.reason, Reason::kOk) << answer.detail;
  EXPECT_EQ(answer.status, 203);
  EXPECT_EQ(answer.body, "hello");
  EXPECT_EQ(answer.wire_bytes, 5u);
  EXPECT_EQ(answer.content_type, "text/html; charset=x");
  EXPECT_EQ(answer.retry_after, "5");
  EXPECT_FALSE(answer.truncated);
  EXPECT_TRUE(answer.contacted);
  EXPECT_EQ(format_ip(answer.ip), "127.0.0.1");
  EXPECT_GT(answer.elapsed, Duration{0});
  EXPECT_EQ(client->running(), 0u);
}

TEST(HttpClient, TheRequestIsOurBytesAndNothingElse) {
  LoopbackServer server;
  server.on("*", http_reply(200, "x"));
  HttpOptions options;
  options.user_agent = "weir/0.1 (+https://a.test/bot)";
  options.dns_hosts = {{"a.test", "127.0.0.1"}};
  ClientRun client(options);
  const std::string target = "/a/../b/./%2e%2e/c?q=%zz|{}^&x=1?";
  client.get(server.url("a.test", target));
  client.get(server.url("a.test", "/?"));
  client.get(server.url("a.test", "/page#fragment"));
  const auto requests = server.requests();
  ASSERT_EQ(requests.size(), 3u);
  EXPECT_EQ(requests[0].method, "GET");
  EXPECT_EQ(requests[0].target, target);
  EXPECT_EQ(requests[1].target, "/?");
  EXPECT_EQ(requests[2].target, "/page");
  EXPECT_EQ(requests[0].field("Host"), "a.test:" + std::to_string(server.port()));
  EXPECT_EQ(requests[0].field("User-Agent"), options.user_agent);
  EXPECT_EQ(requests[0].field("Accept"), options.accept);
  EXPECT_NE(requests[0].field("Accept-Encoding").find("gzip"), std::string::npos);
  EXPECT_NE(requests[0].field("Accept-Encoding").find("br"), std::string::npos);
  EXPECT_NE(requests[0].field("Accept-Encoding").find("zstd"), std::string::npos);
  EXPECT_EQ(requests[0].field("Cookie"), "");
  EXPECT_EQ(requests[0].field("Authorization"), "");
}

TEST(HttpClient, ConnectionsAreReused) {
  LoopbackServer server;
  server.on("/p", http_reply(200, "x"));
  ClientRun client;
  for (int i = 0; i < 20; ++i) EXPECT_EQ(client.get(server.url("/p")).reason, Reason::kOk);
  EXPECT_EQ(server.accepts(), 1u);
  EXPECT_EQ(client->open_connections(), 1u);
}

TEST(HttpClient, AConnectionClosedWhileIdleIsReplacedUnnoticed) {
  LoopbackServer server;
  ServerReply reply = http_reply(200, "x");
  reply.then = Then::kClose;
  server.on("/p", reply);
  ClientRun client;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(client.get(server.url("/p")).reason, Reason::kOk);
  EXPECT_EQ(server.accepts(), 5u);
  EXPECT_LE(client->open_connections(), 1u);
}

TEST(HttpClient, OpenConnectionsAreBounded) {
  LoopbackServer server;
  server.on("*", http_reply(200, "x"));
  HttpOptions options;
  options.connections_max = 4;
  options.dns_hosts = {{"*.test", "127.0.0.1"}};
  ClientRun client(options);
  for (std::uint64_t i = 0; i < 40; ++i) client.start(server.url("h" + std::to_string(i) + ".test", "/"), i);
  for (const HttpAnswer& answer : client.collect(40)) EXPECT_EQ(answer.reason, Reason::kOk) << answer.detail;
  EXPECT_LE(client->open_connections(), 4u);
}

TEST(HttpClient, CookiesAreNotKept) {
  LoopbackServer server;
  server.on("/p", http_reply(200, "x", "Set-Cookie: a=b; Path=/\r\n"));
  ClientRun client;
  client.get(server.url("/p"));
  client.get(server.url("/p"));
  for (const ServerRequest& request : server.requests()) EXPECT_EQ(request.field("Cookie"), "");
}

TEST(HttpClient, RedirectsAreReportedNotFollowed) {
  LoopbackServer server;
  server.on("/r", http_reply(302, "moved", "Location: /caf\xC3\xA9\t?x\r\nLocation: /second\r\n"));
  ClientRun client;
  const HttpAnswer answer = client.get(server.url("/r"));
  EXPECT_EQ(answer.reason, Reason::kOk);
  EXPECT_EQ(answer.status, 302);
  EXPECT_EQ(answer.location, "/caf\xC3\xA9\t?x");
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST(HttpClient, InterimAnswersAreSkipped) {
  LoopbackServer server;
  ServerReply reply = http_reply(200, "final", "Content-Type: text/plain\r\n");
  reply.bytes = "HTTP/1.1 103 Early\r\nContent-Type: x/y\r\nLocation: /no\r\n\r\n" + reply.bytes;
  server.on("/p", reply);
  ClientRun client;
  const HttpAnswer answer = client.get(server.url("/p"));
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "final");
  EXPECT_EQ(answer.content_type, "text/plain");
  EXPECT_EQ(answer.location, "");
}

TEST(HttpClient, EveryStatusIsAnAnswer) {
  LoopbackServer server;
  ClientRun client;
  for (const int status : {200, 204, 301, 304, 403, 404, 410, 429, 500, 503, 599, 999}) {
    server.on(
        "/p",
        status == 204 || status == 304
            ? ServerReply{"HTTP/1.1 " + std::to_string(status) + " X\r\n\r\n", {}, {}, {}, Then::kKeepOpen}
            : http_reply(status, "x"));
    const HttpAnswer answer = client.get(server.url("/p"));
    EXPECT_EQ(answer.reason, Reason::kOk) << status << " " << answer.detail;
    EXPECT_EQ(answer.status, status);
  }
}

TEST(HttpClient, AnEndlessBodyIsCutAtTheCapAndKept) {
  LoopbackServer server;
  server.on("/chunked",
            {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "5\r\nabcde\r\n", {}, {}, {}});
  server.on("/announced", {"HTTP/1.1 200 OK\r\nContent-Length: 2147483648\r\n\r\n", "abcde", {}, {}, {}});
  server.on("/until-close", {"HTTP/1.1 200 OK\r\n\r\n", "abcde", {}, {}, {}});
  HttpOptions options;
  options.body_bytes_max = 100'001;
  ClientRun client(options);
  for (const char* path : {"/chunked", "/announced", "/until-close"}) {
    const HttpAnswer answer = client.get(server.url(path));
    EXPECT_EQ(answer.reason, Reason::kOk) << path << " " << answer.detail;
    EXPECT_EQ(answer.status, 200);
    EXPECT_TRUE(answer.truncated) << path;
    EXPECT_EQ(answer.body.size(), 100'001u) << path;
    EXPECT_LT(answer.wire_bytes, 1u << 20) << path;
  }
}

TEST(HttpClient, ABodyOfExactlyTheCapIsWhole) {
  LoopbackServer server;
  server.on("/p", http_reply(200, std::string(1000, 'x')));
  ClientRun client;
  EXPECT_FALSE(client.get(server.url("/p"), 1000).truncated);
  const HttpAnswer cut = client.get(server.url("/p"), 999);
  EXPECT_TRUE(cut.truncated);
  EXPECT_EQ(cut.body.size(), 999u);
}

TEST(HttpClient, TooManyHeaderBytesAreAProtocolError) {
  LoopbackServer server;
  server.on("/many", {"HTTP/1.1 200 OK\r\n", "Set-Cookie: " + std::string(1000, 'x') + "\r\n", {}, {}, {}});
  server.on("/long", {"HTTP/1.1 200 OK\r\nX: ", std::string(4096, 'x'), {}, {}, {}});
  server.on("/interim", {{}, "HTTP/1.1 100 Continue\r\n\r\n", {}, {}, {}});
  ClientRun client;
  for (const char* path : {"/many", "/long", "/interim"}) {
    const HttpAnswer answer = client.get(server.url(path));
    EXPECT_EQ(answer.reason, Reason::kProtocolError) << path << " " << answer.detail;
    EXPECT_FALSE(answer.detail.empty());
  }
}

TEST(HttpClient, ManyHeadersWithinTheBoundAreFine) {
  LoopbackServer server;
  std::string fields;
  for (int i = 0; i < 200; ++i) fields += "Set-Cookie: " + std::string(1000, 'x') + "\r\n";
  server.on("/p", http_reply(200, "x", fields));
  ClientRun client;
  EXPECT_EQ(client.get(server.url("/p")).reason, Reason::kOk);
}

TEST(HttpClient, BrokenConnectionsAndNonsenseHaveTheirReasons) {
  struct Row {
    const char* path;
    ServerReply reply;
    Reason reason;
  };
  const std::string half = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf";
  const Row rows[] = {
      {"/reset", {half, {}, {}, {}, Then::kReset}, Reason::kConnectionBroken},
      {"/closed", {half, {}, {}, {}, Then::kClose}, Reason::kConnectionBroken},
      {"/chunk-cut",
       {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc", {}, {}, {}, Then::kClose},
       Reason::kConnectionBroken},
      {"/http09", {"<html>no head</html>", {}, {}, {}, Then::kClose}, Reason::kProtocolError},
      {"/smtp", {"220 mail.a.test ESMTP\r\n", {}, {}, {}, Then::kClose}, Reason::kProtocolError},
      {"/bad-status", {"HTTP/1.1 abc\r\n\r\n", {}, {}, {}, Then::kClose}, Reason::kProtocolError},
  };
  LoopbackServer server;
  ClientRun client;
  for (const Row& row : rows) {
    server.on(row.path, row.reply);
    const HttpAnswer answer = client.get(server.url(row.path));
    EXPECT_EQ(answer.reason, row.reason) << row.path << " " << answer.detail;
    EXPECT_TRUE(answer.contacted);
    EXPECT_FALSE(answer.detail.empty()) << row.path;
    EXPECT_EQ(answer.body, "") << row.path;
  }
}

TEST(HttpClient, NobodyListeningIsConnectFailed) {
  std::uint16_t port = 0;
  {
    port = LoopbackServer().port();
  }
  ClientRun client;
  const HttpAnswer answer = client.get("http://127.0.0.1:" + std::to_string(port) + "/");
  EXPECT_EQ(answer.reason, Reason::kConnectFailed);
  EXPECT_TRUE(answer.contacted);
  EXPECT_EQ(format_ip(answer.ip), "127.0.0.1");
}

TEST(HttpClient, WhatIsNoWireUrlIsNotSent) {
  LoopbackServer server;
  ClientRun client;
  EXPECT_EQ(client.get("ftp://127.0.0.1/x").reason, Reason::kUnsupportedScheme);
  EXPECT_EQ(client.get(server.url("/a b")).reason, Reason::kProtocolError);
  EXPECT_EQ(client.get("http://u:p@127.0.0.1:" + std::to_string(server.port()) + "/").reason,
            Reason::kProtocolError);
  EXPECT_EQ(server.accepts(), 0u);
}

TEST(HttpClient, FiveHundredTransfersAtOnce) {
  LoopbackServer server;
  server.on("*", [](const ServerRequest& request) { return http_reply(200, request.target); });
  HttpOptions options;
  options.transfers_max = 500;
  options.dns_hosts = {{"*.test", "127.0.0.1"}};
  ClientRun client(options);
  for (std::uint64_t i = 0; i < 2000; ++i) {
    client.start(server.url("h" + std::to_string(i % 500) + ".test", "/" + std::to_string(i)), i);
  }
  EXPECT_EQ(client->running(), 2000u);
  const auto answers = client.collect(2000);
  for (std::uint64_t i = 0; i < answers.size(); ++i) {
    EXPECT_EQ(answers[i].id, i);
    EXPECT_EQ(answers[i].body, "/" + std::to_string(i)) << answers[i].detail;
  }
}

TEST(HttpClient, NoMoreTransfersAtOnceThanAllowed) {
  LoopbackServer server;  // answers nothing: what is sent stays in flight
  server.on("*", ServerReply{});
  HttpOptions options;
  options.transfers_max = 7;
  ClientRun client(options);
  for (std::uint64_t i = 0; i < 30; ++i) client.start(server.url("/" + std::to_string(i)), i);
  std::vector<HttpAnswer> answers;
  while (server.requests().size() < 7) client->poll(std::chrono::milliseconds(5), client.now(), answers);
  for (int i = 0; i < 5; ++i) client->poll(std::chrono::milliseconds(5), client.now(), answers);
  EXPECT_EQ(server.requests().size(), 7u);
  EXPECT_TRUE(answers.empty());
}

TEST(HttpClient, CancelAllAnswersEverythingAsStopped) {
  LoopbackServer server;
  server.on("*", ServerReply{});
  HttpOptions options;
  options.transfers_max = 5;
  ClientRun client(options);
  for (std::uint64_t i = 0; i < 12; ++i) client.start(server.url("/" + std::to_string(i)), i);
  std::vector<HttpAnswer> answers;
  while (server.requests().size() < 5) client->poll(std::chrono::milliseconds(5), client.now(), answers);
  client->cancel_all();
  EXPECT_EQ(client->running(), 12u);
  client->poll(std::chrono::hours(1), client.now(), answers);
  ASSERT_EQ(answers.size(), 12u);
  for (const HttpAnswer& answer : answers) EXPECT_EQ(answer.reason, Reason::kStopped);
  EXPECT_EQ(client->running(), 0u);
  server.on("*", http_reply(200, "again"));
  EXPECT_EQ(client.get(server.url("/x")).body, "again") << "the client goes on after cancel_all";
}

TEST(HttpClient, WakeEndsAPollFromAnotherThread) {
  ClientRun client;
  std::vector<HttpAnswer> answers;
  std::thread waker([&] { client->wake(); });
  client->poll(std::chrono::hours(1), client.now(), answers);
  waker.join();
  client->wake();
  client->poll(std::chrono::hours(1), client.now(), answers);
  EXPECT_TRUE(answers.empty());
}

TEST(HttpClient, BadOptionsAreRefused) {
  const auto log = Log::discard();
  const auto refused = [&](const HttpOptions& options) {
    const auto client = HttpClient::create(options, {}, *log);
    return !client && client.error().code() == ErrorCode::kUsage;
  };
  HttpOptions hosts;
  hosts.dns_hosts = {{"a.test", "nowhere"}};
  EXPECT_TRUE(refused(hosts));
  HttpOptions servers;
  servers.dns_servers = {"not an address"};
  EXPECT_TRUE(refused(servers));
  HttpOptions roots;
  roots.ca_file = "/nonexistent/roots.pem";
  EXPECT_TRUE(refused(roots));
  roots.ca_file = "/proc/self/cmdline";
  EXPECT_TRUE(refused(roots));
}

}  // namespace
}  // namespace weir::crawler
