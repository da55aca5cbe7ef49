// Running out of file descriptors slows the client down; it fails no page and does not spin. The client runs in
// a child process, so that the server keeps its own descriptors.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "tests/crawler/fetch/client_fixture.h"
#include "tests/support/loopback_server.h"

namespace weir::crawler {
namespace {

constexpr std::size_t kPages = 300;
constexpr rlim_t kDescriptors = 40;

int free_descriptor() {
  const int fd = ::dup(0);
  ::close(fd);
  return fd;
}

// Exit code of the child: 0 when every page came.
int fetch_with_few_descriptors(std::uint16_t port) {
  HttpOptions options;
  options.transfers_max = 100;
  options.connections_max = 100;
  options.dns_hosts = {{"*.test", "127.0.0.1"}};
  ClientRun client(options);
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = static_cast<rlim_t>(free_descriptor()) + kDescriptors;
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) return 2;
  for (std::uint64_t i = 0; i < kPages; ++i) {
    client.start("http://h" + std::to_string(i) + ".test:" + std::to_string(port) + "/", i);
  }
  std::vector<HttpAnswer> answers;
  const MonoTime end = client.now().mono + std::chrono::seconds(60);
  std::size_t turns = 0;
  for (; answers.size() < kPages && client.now().mono < end; ++turns) {
    client->poll(std::chrono::seconds(1), client.now(), answers);
  }
  const auto good = std::ranges::count(answers, frontier::Reason::kOk, &HttpAnswer::reason);
  if (static_cast<std::size_t>(good) != kPages) return 3;
  if (client->open_connections() > kDescriptors) return 4;
  return turns < 100 * kPages ? 0 : 5;
}

TEST(HttpDescriptors, RunningOutSlowsDownAndLosesNothing) {
  int channel[2];
  ASSERT_EQ(::pipe(channel), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::uint16_t port = 0;
    if (::read(channel[0], &port, sizeof port) != sizeof port) ::_exit(6);
    ::_exit(fetch_with_few_descriptors(port));
  }
  test::LoopbackServer server;
  server.on("*", test::http_reply(200, "x"));
  const std::uint16_t port = server.port();
  ASSERT_EQ(::write(channel[1], &port, sizeof port), static_cast<ssize_t>(sizeof port));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ::close(channel[0]);
  ::close(channel[1]);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0) << "2: setrlimit, 3: pages failed, 4: too many connections, 5: spinning";
  EXPECT_EQ(server.requests().size(), kPages);
}

}  // namespace
}  // namespace weir::crawler
