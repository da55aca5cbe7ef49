// The epoll loop; see server.h. One turn: wait, read everything, begin everything, answer what is due.
#include "tests/web/server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace weir::testweb {
namespace {

constexpr std::uint64_t kListenerEvent = 0;
constexpr std::uint64_t kStopEvent = ~std::uint64_t{0};
constexpr int kBacklog = 4096;
constexpr int kEventsMax = 512;
constexpr std::size_t kReadBytes = 16 << 10;
constexpr std::size_t kInputBytesMax = 1 << 20;  // requests waiting in one connection

Error system_error(std::string_view what) {
  return {ErrorCode::kRuntime, fmt::format("{}: {}", what, std::strerror(errno))};
}

bool watch(int epoll, int operation, int fd, std::uint32_t events, std::uint64_t data) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = data;
  return epoll_ctl(epoll, operation, fd, &event) == 0;
}

}  // namespace

struct Server::Connection {
  int fd = -1;
  std::uint64_t number = 0;
  std::string input;
  std::string output;
  std::size_t sent = 0;
  bool watches_output = false;
  bool ended = false;    // peer closed or broke: sweep after the turn
  bool closing = false;  // we close once the output is out
  bool busy = false;     // an exchange runs
  Exchange exchange;

  ~Connection() { ::close(fd); }

  void read() {
    std::array<char, kReadBytes> buffer;
    while (input.size() < kInputBytesMax) {
      const ssize_t got = ::recv(fd, buffer.data(), buffer.size(), 0);
      if (got > 0) {
        input.append(buffer.data(), static_cast<std::size_t>(got));
        if (static_cast<std::size_t>(got) < buffer.size()) return;
        continue;
      }
      if (got < 0 && errno == EINTR) continue;
      ended = ended || got == 0 || errno != EAGAIN;
      return;
    }
    ended = true;
  }
};

Server::Server(int listener, int epoll, std::uint16_t port, const Clock& clock)
    : listener_(listener), epoll_(epoll), port_(port), clock_(clock) {}

Server::~Server() {
  ::close(listener_);
  ::close(epoll_);
}

Result<std::unique_ptr<Server>> Server::listen(const std::string& address, std::uint16_t port,
                                               const Clock& clock) {
  sockaddr_in local{};
  local.sin_family = AF_INET;
  local.sin_port = htons(port);
  if (inet_pton(AF_INET, address.c_str(), &local.sin_addr) != 1) {
    return fail(ErrorCode::kUsage, fmt::format("--bind '{}' is not an IPv4 address", address));
  }
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  std::unique_ptr<Server> server(new Server(listener, epoll, port, clock));
  const int on = 1;
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  auto* generic = reinterpret_cast<sockaddr*>(&local);
  socklen_t length = sizeof local;
  if (::bind(listener, generic, length) != 0 || ::listen(listener, kBacklog) != 0 ||
      ::getsockname(listener, generic, &length) != 0) {
    return std::unexpected(system_error(fmt::format("cannot listen on {}:{}", address, port)));
  }
  server->port_ = ntohs(local.sin_port);
  if (!watch(epoll, EPOLL_CTL_ADD, listener, EPOLLIN, kListenerEvent))
    return std::unexpected(system_error("epoll"));
  return server;
}

Result<void> Server::run(Service& service, int stop_fd) {
  if (!watch(epoll_, EPOLL_CTL_ADD, stop_fd, EPOLLIN, kStopEvent))
    return std::unexpected(system_error("epoll"));
  while (true) {
    const Result<bool> goes_on = turn(service);
    if (!goes_on) return std::unexpected(goes_on.error());
    if (!*goes_on) return {};
  }
}

int Server::wait_milliseconds() const {
  if (late_.empty()) return -1;
  const Duration wait = late_.begin()->first - clock_.now().mono;
  // Rounded up: an answer may come late but not early, and the loop must not spin until it is due.
  return static_cast<int>(std::max<std::int64_t>(0, (wait.count() + 999) / 1000));
}

Result<bool> Server::turn(Service& service) {
  std::array<epoll_event, kEventsMax> events;
  const int count = ::epoll_wait(epoll_, events.data(), kEventsMax, wait_milliseconds());
  if (count < 0 && errno != EINTR) return std::unexpected(system_error("epoll_wait"));
  const MonoTime now = clock_.now().mono;
  readable_.clear();
  bool goes_on = true;
  for (const epoll_event& event : std::span(events).first(static_cast<std::size_t>(std::max(count, 0)))) {
    if (event.data.u64 == kStopEvent) goes_on = false;
    if (event.data.u64 == kListenerEvent) {
      if (auto accepted = accept_all(); !accepted) return std::unexpected(accepted.error());
    }
    const auto found = connections_.find(event.data.u64);
    if (found == connections_.end()) continue;
    if ((event.events & EPOLLOUT) != 0) flush(*found->second);
    if ((event.events & ~static_cast<std::uint32_t>(EPOLLOUT)) != 0) found->second->read();
    readable_.push_back(found->second.get());
  }
  for (Connection* connection : readable_) begin_next(service, *connection, now);
  release_late(now);
  answer_all(service, now);
  sweep(service);
  return goes_on;
}

Result<void> Server::accept_all() {
  while (true) {
    sockaddr_in peer{};
    socklen_t length = sizeof peer;
    const int fd =
        ::accept4(listener_, reinterpret_cast<sockaddr*>(&peer), &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0 && (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED)) return {};
    if (fd < 0) return std::unexpected(system_error("accept (raise `ulimit -n` if there are too many files)"));
    auto connection = std::make_unique<Connection>();
    connection->fd = fd;
    connection->number = next_connection_++;
    if ((ntohl(peer.sin_addr.s_addr) >> 24) != 127) continue;
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (!watch(epoll_, EPOLL_CTL_ADD, fd, EPOLLIN, connection->number))
      return std::unexpected(system_error("epoll"));
    connections_.emplace(connection->number, std::move(connection));
  }
}

void Server::begin_next(Service& service, Connection& connection, MonoTime now) {
  if (connection.busy || connection.closing || !connection.output.empty()) return;
  const auto end = connection.input.find("\r\n\r\n");
  if (end != std::string::npos) {
    auto request = parse_request(std::string_view(connection.input).substr(0, end + 4));
    connection.input.erase(0, end + 4);
    if (request) {
      connection.busy = true;
      connection.exchange = {};
      connection.exchange.request = std::move(*request);
      connection.exchange.connection = connection.number;
      service.begin(connection.exchange, now);
      const Duration delay = connection.exchange.answer.delay;
      if (delay > Duration::zero()) {
        late_.emplace(now + delay, connection.number);
      } else if (service.ready(connection.exchange)) {
        answerable_.push_back(&connection);
      } else {
        held_.push_back(connection.number);
      }
      return;
    }
    connection.ended = true;
  }
  if (connection.ended) gone_.push_back(connection.number);
}

void Server::release_late(MonoTime now) {
  while (!late_.empty() && late_.begin()->first <= now) {
    const auto found = connections_.find(late_.begin()->second);
    late_.erase(late_.begin());
    if (found != connections_.end()) answerable_.push_back(found->second.get());
  }
}

void Server::take_ready(const Service& service) {
  std::erase_if(held_, [&](std::uint64_t number) {
    const auto found = connections_.find(number);
    if (found == connections_.end()) return true;
    if (!service.ready(found->second->exchange)) return false;
    answerable_.push_back(found->second.get());
    return true;
  });
}

void Server::answer_all(Service& service, MonoTime now) {
  take_ready(service);
  while (!answerable_.empty()) {
    std::vector<Connection*> wave;
    wave.swap(answerable_);
    for (Connection* connection : wave) answer(service, *connection);
    for (Connection* connection : wave) begin_next(service, *connection, now);
    take_ready(service);
  }
}

void Server::answer(Service& service, Connection& connection) {
  connection.output = Site::wire(connection.exchange.request, connection.exchange.answer);
  connection.sent = 0;
  connection.closing = !connection.exchange.request.keep_alive;
  connection.busy = false;
  service.finish(connection.exchange, true);
  flush(connection);
}

void Server::flush(Connection& connection) {
  while (connection.sent < connection.output.size()) {
    const ssize_t sent = ::send(connection.fd, connection.output.data() + connection.sent,
                                connection.output.size() - connection.sent, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN) {
      if (connection.watches_output) return;
      connection.watches_output = watch(epoll_, EPOLL_CTL_MOD, connection.fd, EPOLLOUT, connection.number);
      return;
    }
    if (sent < 0) {
      connection.ended = true;
      break;
    }
    connection.sent += static_cast<std::size_t>(sent);
  }
  connection.output.clear();
  if (connection.watches_output) watch(epoll_, EPOLL_CTL_MOD, connection.fd, EPOLLIN, connection.number);
  connection.watches_output = false;
  if (connection.closing || connection.ended) gone_.push_back(connection.number);
}

void Server::sweep(Service& service) {
  // A peer that left while its answer was late is found by its end of input.
  for (const Connection* connection : readable_) {
    if (connection->ended) gone_.push_back(connection->number);
  }
  for (const std::uint64_t number : gone_) {
    const auto found = connections_.find(number);
    if (found == connections_.end()) continue;
    if (found->second->busy) service.finish(found->second->exchange, false);
    connections_.erase(found);
  }
  gone_.clear();
}

}  // namespace weir::testweb
