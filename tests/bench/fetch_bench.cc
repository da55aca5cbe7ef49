// What one page costs the fetching thread: keep-alive requests against an epoll server in another thread of the
// process. The CPU column is the client thread's alone. Arguments: transfers at a time, of them mute ones that
// only occupy slots, body bytes.
#include <arpa/inet.h>
#include <benchmark/benchmark.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>

#include "base/check.h"
#include "base/clock.h"
#include "base/log.h"
#include "crawler/fetch/http_client.h"

namespace weir::crawler {
namespace {

// Answers every request with the same bytes; a target that starts with "/mute" with none.
class EpollServer {
 public:
  explicit EpollServer(std::size_t body_bytes) {
    reply_ = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: " + std::to_string(body_bytes) +
             "\r\n\r\n" + std::string(body_bytes, 'x');
    sockaddr_in name{};
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    WEIR_CHECK(::bind(listener_, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0);
    WEIR_CHECK(::listen(listener_, 1024) == 0);
    socklen_t length = sizeof name;
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&name), &length);
    port_ = ntohs(name.sin_port);
    epoll_ = ::epoll_create1(0);
    stop_event_ = ::eventfd(0, 0);
    watch(listener_, EPOLLIN);
    watch(stop_event_, EPOLLIN);
    thread_ = std::thread([this] { run(); });
  }
  ~EpollServer() {
    const std::uint64_t one = 1;
    WEIR_CHECK(::write(stop_event_, &one, sizeof one) == sizeof one);
    thread_.join();
    for (const auto& [fd, unsent] : connections_) ::close(fd);
    ::close(listener_);
    ::close(stop_event_);
    ::close(epoll_);
  }
  EpollServer(const EpollServer&) = delete;
  EpollServer& operator=(const EpollServer&) = delete;

  std::uint16_t port() const { return port_; }

 private:
  void watch(int fd, std::uint32_t events) {
    epoll_event event{.events = events | EPOLLET, .data = {.fd = fd}};
    ::epoll_ctl(epoll_, EPOLL_CTL_ADD, fd, &event);
  }

  void accept_all() {
    for (int fd = 0; (fd = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK)) >= 0;) {
      const int on = 1;
      ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      connections_[fd] = {};
      watch(fd, EPOLLIN | EPOLLOUT);
    }
  }

  void serve(int fd) {
    char buffer[4096];
    std::string_view& unsent = connections_[fd];
    const ssize_t count = ::recv(fd, buffer, sizeof buffer, 0);
    if (count == 0) {
      connections_.erase(fd);
      ::close(fd);
      return;
    }
    if (count > 0 && !std::string_view(buffer, static_cast<std::size_t>(count)).starts_with("GET /mute")) {
      unsent = reply_;
    }
    while (!unsent.empty()) {
      const ssize_t sent = ::send(fd, unsent.data(), unsent.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      unsent.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  void run() {
    epoll_event events[256];
    for (;;) {
      const int count = ::epoll_wait(epoll_, events, 256, -1);
      for (int i = 0; i < count; ++i) {
        const int fd = events[i].data.fd;
        if (fd == stop_event_) return;
        if (fd == listener_) {
          accept_all();
        } else {
          serve(fd);
        }
      }
    }
  }

  std::string reply_;
  int listener_ = -1;
  int epoll_ = -1;
  int stop_event_ = -1;
  std::uint16_t port_ = 0;
  std::unordered_map<int, std::string_view> connections_;
  std::thread thread_;
};

void bm_keep_alive(benchmark::State& state) {
  const auto transfers = static_cast<std::uint32_t>(state.range(0));
  const auto mute = static_cast<std::uint32_t>(state.range(1));
  EpollServer server(static_cast<std::size_t>(state.range(2)));
  HttpOptions options;
  options.user_agent = "weir-bench";
  options.transfers_max = transfers;
  options.connections_max = 2 * transfers;
  options.dns_hosts = {{"*.test", "127.0.0.1"}};
  const auto log = Log::discard();
  auto client = HttpClient::create(options, *AddressRules::parse({"127.0.0.0/8"}), *log);
  WEIR_CHECK(client.has_value());
  const SystemClock clock;
  // Every transfer has a host of its own, as in a polite crawl.
  std::uint64_t pages_asked = 0;
  const auto start = [&](std::uint64_t host, const char* path, Now now) {
    const std::string origin = "http://h" + std::to_string(host) + ".test:" + std::to_string(server.port());
    (*client)->start({host, origin + path + std::to_string(++pages_asked), 0}, now);
  };
  for (std::uint32_t i = 0; i < transfers; ++i) start(i, i < mute ? "/mute" : "/page", clock.now());
  std::vector<HttpAnswer> answers;
  std::int64_t pages = 0;
  std::uint64_t turns = 0;
  while (state.KeepRunningBatch(static_cast<std::int64_t>(std::max<std::size_t>(answers.size(), 1)))) {
    do {
      answers.clear();
      const Now now = clock.now();
      (*client)->poll(std::chrono::seconds(1), now, answers);
      ++turns;
      for (const HttpAnswer& answer : answers) {
        if (answer.reason != frontier::Reason::kOk) return state.SkipWithError(answer.detail.c_str());
        start(answer.id, "/page", now);
      }
    } while (answers.empty());
    pages += static_cast<std::int64_t>(answers.size());
  }
  state.SetItemsProcessed(pages);
  state.counters["pages/turn"] = static_cast<double>(pages) / static_cast<double>(turns);
}

BENCHMARK(bm_keep_alive)
    ->ArgNames({"transfers", "mute", "bytes"})
    ->Args({1, 0, 25'900})
    ->Args({16, 0, 25'900})
    ->Args({64, 0, 25'900})
    ->Args({256, 0, 25'900})
    ->Args({512, 0, 25'900})
    ->Args({64, 48, 25'900})
    ->Args({256, 240, 25'900})
    ->Args({512, 448, 25'900})
    ->Args({16, 0, 1'000})
    ->Args({64, 0, 1'000})
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace weir::crawler

BENCHMARK_MAIN();
