// Deadlines: each has its own reason, and time is what poll() is told it is. The clock is moved ahead instead
// of waiting; where libcurl's own timer takes part, the setting is small.
#include <gtest/gtest.h>

#include "tests/crawler/fetch/client_fixture.h"
#include "tests/support/loopback_server.h"

namespace weir::crawler {
namespace {

using frontier::Reason;
using test::http_reply;
using test::LoopbackServer;
using test::ServerReply;
using Then = test::ServerReply::Then;
using std::chrono::milliseconds;
using std::chrono::seconds;

// Polls until the server has had `count` requests and the client has read what was answered at once.
void settle(ClientRun& client, const LoopbackServer& server, std::size_t count) {
  std::vector<HttpAnswer> answers;
  while (server.requests().size() < count) client->poll(milliseconds(5), client.now(), answers);
  for (int i = 0; i < 10; ++i) client->poll(milliseconds(5), client.now(), answers);
  EXPECT_TRUE(answers.empty());
}

HttpAnswer answer_after(ClientRun& client, Duration pause) {
  client.move_ahead(pause);
  auto answers = client.collect(1);
  return answers.empty() ? HttpAnswer{} : answers.front();
}

TEST(HttpDeadline, AMuteServerRunsIntoTheFirstByteDeadline) {
  LoopbackServer server;
  server.on("/mute", ServerReply{});
  ClientRun client;
  client.start(server.url("/mute"));
  settle(client, server, 1);
  std::vector<HttpAnswer> early;
  client.move_ahead(seconds(29));
  client->poll(Duration{0}, client.now(), early);
  EXPECT_TRUE(early.empty());
  const HttpAnswer answer = answer_after(client, seconds(2));
  EXPECT_EQ(answer.reason, Reason::kFirstByteTimeout);
  EXPECT_TRUE(answer.contacted);
  EXPECT_GE(answer.elapsed, seconds(30));
}

TEST(HttpDeadline, AServerThatStopsAfterTheHeadIsTooSlow) {
  LoopbackServer server;
  server.on("/stop", {"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhello", {}, {}, {}, Then::kKeepOpen});
  ClientRun client;
  client.start(server.url("/stop"));
  settle(client, server, 1);
  client.move_ahead(seconds(31));  // the window that saw the head counts its bytes
  const HttpAnswer answer = answer_after(client, seconds(31));
  EXPECT_EQ(answer.reason, Reason::kTooSlow) << answer.detail;
}

TEST(HttpDeadline, ATrickleIsTooSlow) {
  LoopbackServer server;
  server.on("/body", {"HTTP/1.1 200 OK\r\n\r\n", {}, "x", milliseconds(20), {}});
  server.on("/head", {"HTTP/1.1 200 OK\r\n", {}, "X: y\r\n", milliseconds(20), {}});
  server.on("/line", {"HTTP/1.1 200 ", {}, "x", milliseconds(20), {}});
  HttpOptions options;
  options.first_byte_timeout = milliseconds(200);
  options.low_speed_time = milliseconds(200);
  options.low_speed_bytes = 1000;
  ClientRun client(options);
  for (const char* path : {"/body", "/head", "/line"}) {
    const HttpAnswer answer = client.get(server.url(path));
    EXPECT_EQ(answer.reason, Reason::kTooSlow) << path << " " << answer.detail;
  }
}

TEST(HttpDeadline, ATrickleFastEnoughEndsAtTheTotalDeadline) {
  LoopbackServer server;
  server.on("/drip", {"HTTP/1.1 200 OK\r\n\r\n", {}, "x", milliseconds(1), {}});
  HttpOptions options;
  options.low_speed_bytes = 1;
  options.low_speed_time = milliseconds(100);
  options.total_timeout = milliseconds(500);
  ClientRun client(options);
  const MonoTime begun = client.now().mono;
  const HttpAnswer answer = client.get(server.url("/drip"));
  EXPECT_EQ(answer.reason, Reason::kTotalTimeout) << answer.detail;
  EXPECT_GE(client.now().mono - begun, milliseconds(500));
}

TEST(HttpDeadline, AnUnansweredHandshakeIsAConnectTimeout) {
  LoopbackServer server;  // plain: it takes the TLS hello for half a request and waits
  HttpOptions options;
  options.connect_timeout = milliseconds(200);
  ClientRun client(options);
  const HttpAnswer answer = client.get("https://127.0.0.1:" + std::to_string(server.port()) + "/");
  EXPECT_EQ(answer.reason, Reason::kConnectTimeout) << answer.detail;
  EXPECT_TRUE(answer.contacted);
}

TEST(HttpDeadline, PollReturnsForADeadlineBeforeItsTimeout) {
  LoopbackServer server;
  server.on("/mute", ServerReply{});
  HttpOptions options;
  options.first_byte_timeout = milliseconds(100);
  ClientRun client(options);
  client.start(server.url("/mute"));
  const MonoTime begun = client.now().mono;
  std::vector<HttpAnswer> answers;
  while (answers.empty()) client->poll(std::chrono::minutes(10), client.now(), answers);
  EXPECT_EQ(answers[0].reason, Reason::kFirstByteTimeout);
  EXPECT_LT(client.now().mono - begun, seconds(10));
}

TEST(HttpDeadline, SlowHostsDoNotHoldUpHealthyOnes) {
  LoopbackServer server;
  server.on("/mute", ServerReply{});
  server.on("/ok", http_reply(200, "x"));
  HttpOptions options;
  options.transfers_max = 150;
  ClientRun client(options);
  for (std::uint64_t i = 0; i < 100; ++i) client.start(server.url("/mute"), 1000 + i);
  for (std::uint64_t i = 0; i < 500; ++i) client.start(server.url("/ok"), i);
  const auto healthy = client.collect(500);
  for (const HttpAnswer& answer : healthy) EXPECT_EQ(answer.reason, Reason::kOk) << answer.detail;
  client.move_ahead(seconds(31));
  for (const HttpAnswer& answer : client.collect(100)) EXPECT_EQ(answer.reason, Reason::kFirstByteTimeout);
  EXPECT_EQ(client->running(), 0u);
}

}  // namespace
}  // namespace weir::crawler
