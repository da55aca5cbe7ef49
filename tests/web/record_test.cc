// What the record and the report see: each fault of a crawler is one number. And the server's way with bytes.
#include "tests/web/record.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "tests/web/report.h"
#include "tests/web/server.h"

namespace weir::testweb {
namespace {

using std::chrono::milliseconds;

WebOptions small_web() {
  WebOptions options;
  options.hosts = 3;
  options.pages = 30;
  options.features = *parse_features("robots,sessions");
  return options;
}

// A crawler that asks for all of the reference set, each URL once.
void ask(const Graph& graph, Record& record, const Node& node, MonoTime now = MonoTime()) {
  record.arrived(node.host, graph.target(node), node, now);
  record.answered(node.host, node, graph.status(node));
}

class ReportTest : public testing::Test {
 protected:
  Graph graph_{small_web()};
  Record record_{3, milliseconds(100)};
  std::vector<Node> expected_ = reference_set(graph_);
};

TEST_F(ReportTest, APerfectCrawlIsAllZeroes) {
  for (const Node& node : expected_) ask(graph_, record_, node);
  const Report report = compare(graph_, record_);
  EXPECT_EQ(report.expected, expected_.size());
  EXPECT_EQ(report.fetched, expected_.size());
  EXPECT_EQ(report.missed + report.doubled + report.repeats + report.retried + report.forbidden + report.strays,
            0U);
}

TEST_F(ReportTest, AMissedPageIsNamed) {
  for (std::size_t i = 1; i < expected_.size(); ++i) ask(graph_, record_, expected_[i]);
  const Report report = compare(graph_, record_);
  EXPECT_EQ(report.missed, 1U);
  EXPECT_EQ(report.missed_urls, std::vector<std::string>{"h0.test/"});
}

TEST_F(ReportTest, APageAskedTwiceAfterItsAnswerIsDoubled) {
  for (const Node& node : expected_) ask(graph_, record_, node);
  ask(graph_, record_, expected_[0]);
  ask(graph_, record_, expected_[0]);
  const Report report = compare(graph_, record_);
  EXPECT_EQ(report.doubled, 1U);
  EXPECT_EQ(report.repeats, 2U);
  EXPECT_EQ(report.doubled_urls, std::vector<std::string>{"h0.test/"});
}

TEST_F(ReportTest, ARequestWhoseAnswerDidNotGetOutMayBeRepeated) {
  record_.arrived(0, "/", expected_[0], MonoTime());
  record_.answered(0, std::nullopt, 200);
  for (const Node& node : expected_) ask(graph_, record_, node);
  const Report report = compare(graph_, record_);
  EXPECT_EQ(report.doubled, 0U);
  EXPECT_EQ(report.retried, 1U);
}

TEST_F(ReportTest, ForbiddenTrapsAndStraysAreCounted) {
  ask(graph_, record_, {Kind::kPrivate, 0, 0, 0});
  ask(graph_, record_, {Kind::kSession, 0, 0, 1});
  record_.arrived(0, "/decoy/1", std::nullopt, MonoTime());
  record_.answered(0, std::nullopt, 404);
  const Report report = compare(graph_, record_);
  EXPECT_EQ(report.forbidden, 2U);
  EXPECT_EQ(report.strays, 1U);
  EXPECT_EQ(report.stray_urls, std::vector<std::string>{"h0.test/decoy/1"});
}

TEST_F(ReportTest, GapsAndOverlapsAreMeasuredPerHost) {
  const MonoTime begin;
  const Node other{.host = 1};
  ask(graph_, record_, expected_[0], begin);
  ask(graph_, record_, other, begin + milliseconds(1));
  ask(graph_, record_, expected_[0], begin + milliseconds(100));
  record_.arrived(0, "/", expected_[0], begin + milliseconds(150));
  record_.arrived(0, "/", expected_[0], begin + milliseconds(300));
  EXPECT_EQ(record_.hosts()[0].smallest_gap, milliseconds(50));
  EXPECT_EQ(record_.hosts()[0].short_gaps, 1U);
  EXPECT_EQ(record_.hosts()[0].running_max, 2U);
  EXPECT_EQ(record_.hosts()[1].short_gaps, 0U);
  EXPECT_EQ(record_.hosts()[1].smallest_gap, Duration::max());
}

TEST(Request, HeadsAreReadAsTheyCome) {
  const auto plain =
      parse_request("GET /a?b=c HTTP/1.1\r\nhOST: h1.test:80\r\nAccept-Encoding: br, gzip\r\n\r\n");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->target, "/a?b=c");
  EXPECT_EQ(plain->host, "h1.test");
  EXPECT_TRUE(plain->accepts_gzip && plain->keep_alive && plain->chunked_allowed);
  const auto old = parse_request("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n");
  EXPECT_TRUE(old && old->keep_alive && !old->chunked_allowed);
  const auto last = parse_request("GET / HTTP/1.1\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(last && !last->keep_alive);
  for (const char* bad : {"\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/2\r\n\r\n"})
    EXPECT_FALSE(parse_request(bad)) << bad;
}

// Answers with the target; /late comes 20 ms later, /held only when another request has come. Stops the server
// after so many.
class EchoService final : public Service {
 public:
  EchoService(int stop, int limit) : stop_(stop), limit_(limit) {}
  void begin(Exchange& exchange, MonoTime) override {
    ++begun_;
    exchange.answer.body = exchange.request.target;
    exchange.answer.chunked = exchange.request.target == "/chunked";
    if (exchange.request.target == "/late") exchange.answer.delay = milliseconds(20);
    if (exchange.request.target == "/held") exchange.wait_requests = 2;
  }
  bool ready(const Exchange& exchange) const override { return begun_ >= exchange.wait_requests; }
  void finish(const Exchange&, bool sent) override {
    EXPECT_TRUE(sent);
    if (++finished_ == limit_) eventfd_write(stop_, 1);
  }

 private:
  std::uint64_t begun_ = 0;
  int stop_, limit_, finished_ = 0;
};

int connect_to(std::uint16_t port, std::string_view text) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_EQ(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(send(fd, text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
  return fd;
}

std::string read_all(int fd) {
  std::array<char, 4096> buffer;
  std::string out;
  for (ssize_t got = 1; got > 0;) {
    got = recv(fd, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got > 0) out.append(buffer.data(), static_cast<std::size_t>(got));
  }
  close(fd);
  return out;
}

std::string request(std::string_view target) {
  return "GET " + std::string(target) + " HTTP/1.1\r\nHost: x\r\n\r\n";
}

TEST(Server, PipelinedRequestsAreAnsweredInOrderLateOnesToo) {
  const SystemClock clock;
  auto server = Server::listen("127.0.0.1", 0, clock);
  ASSERT_TRUE(server);
  const int stop = eventfd(0, EFD_CLOEXEC);
  EchoService service(stop, 4);
  const int client =
      connect_to((*server)->port(), request("/1") + request("/late") + request("/chunked") + request("/4"));
  ASSERT_TRUE((*server)->run(service, stop));
  const std::string answers = read_all(client);
  std::size_t at = 0;
  for (const char* body : {"\r\n\r\n/1", "\r\n\r\n/late", "\r\n\r\n8\r\n/chunked\r\n0\r\n\r\n", "\r\n\r\n/4"}) {
    at = answers.find(body, at);
    ASSERT_NE(at, std::string::npos) << body << " in " << answers;
  }
  close(stop);
}

TEST(Server, AHeldAnswerWaitsForOtherRequests) {
  const SystemClock clock;
  auto server = Server::listen("127.0.0.1", 0, clock);
  ASSERT_TRUE(server);
  const int stop = eventfd(0, EFD_CLOEXEC);
  EchoService service(stop, 2);
  const int held = connect_to((*server)->port(), request("/held"));
  const int other = connect_to((*server)->port(), request("/other"));
  ASSERT_TRUE((*server)->run(service, stop));
  EXPECT_NE(read_all(held).find("/held"), std::string::npos);
  EXPECT_NE(read_all(other).find("/other"), std::string::npos);
  close(stop);
}

TEST(Server, AnAddressThatIsNoneIsRefused) {
  const SystemClock clock;
  const auto server = Server::listen("localhost", 0, clock);
  ASSERT_FALSE(server.has_value());
  EXPECT_EQ(server.error().code(), ErrorCode::kUsage);
}

}  // namespace
}  // namespace weir::testweb
