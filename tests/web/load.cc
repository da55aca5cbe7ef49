// See load.h. Requests are HTTP/1.0 with keep-alive, so every answer has a Content-Length.
#include "tests/web/load.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <string>
#include <vector>

#include "tests/web/dice.h"

namespace weir::testweb {
namespace {

constexpr std::size_t kConnections = 32;
constexpr std::size_t kDistinctRequests = 4096;
constexpr std::uint64_t kLoadSalt = 400;
constexpr std::string_view kLengthField = "Content-Length: ";

int connect_loopback(std::uint16_t port) {
  sockaddr_in server{};
  server.sin_family = AF_INET;
  server.sin_port = htons(port);
  server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return ::connect(fd, reinterpret_cast<sockaddr*>(&server), sizeof server) == 0 ? fd : -1;
}

std::vector<std::string> make_requests(const Graph& graph) {
  Dice dice(mix(graph.seed(), kLoadSalt));
  std::vector<std::string> requests;
  for (std::size_t i = 0; i < kDistinctRequests; ++i) {
    const auto host = static_cast<std::uint32_t>(dice.below(graph.hosts()));
    const std::string target = graph.target({.host = host, .index = dice.below(graph.pages_of(host))});
    requests.push_back(
        fmt::format("GET {} HTTP/1.0\r\nHost: {}\r\nConnection: keep-alive\r\n\r\n", target, host_name(host)));
  }
  return requests;
}

// How long the whole answer is, once its head is in `text`; 0: not yet known.
std::size_t answer_length(std::string_view text) {
  const auto head = text.find("\r\n\r\n");
  const auto field = text.find(kLengthField);
  if (head == std::string_view::npos || field > head) return 0;
  std::size_t length = 0;
  std::from_chars(text.data() + field + kLengthField.size(), text.data() + head, length);
  return head + 4 + length;
}

bool read_answer(int fd, std::string& text) {
  std::array<char, 64 << 10> buffer;
  text.clear();
  std::size_t length = 0;
  while (length == 0 || text.size() < length) {
    const ssize_t got = ::recv(fd, buffer.data(), buffer.size(), 0);
    if (got <= 0) return false;
    text.append(buffer.data(), static_cast<std::size_t>(got));
    length = answer_length(text);
  }
  return text.size() == length;
}

bool send_all(int fd, std::string_view text) {
  return ::send(fd, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
}

}  // namespace

bool load(const Graph& graph, std::uint16_t port, Duration duration, const Clock& clock) {
  const std::vector<std::string> requests = make_requests(graph);
  std::vector<int> connections;
  for (std::size_t i = 0; i < kConnections; ++i) connections.push_back(connect_loopback(port));
  const MonoTime end = clock.now().mono + duration;
  std::string text;
  std::size_t next = 0;
  bool good = true;
  while (good && clock.now().mono < end) {
    for (const int fd : connections) good = good && send_all(fd, requests[next++ % requests.size()]);
    for (const int fd : connections) good = good && read_answer(fd, text);
  }
  for (const int fd : connections) ::close(fd);
  return good;
}

}  // namespace weir::testweb
