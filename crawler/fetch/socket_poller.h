// SocketPoller: waits on the sockets of one client, libcurl's and c-ares' alike, with epoll: a turn costs what
// happened, not how many transfers are waiting. A socket that nobody wants stays registered until it fires,
// so that a connection used again and again costs no system call. Owned by one thread; wake() by any.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/clock.h"
#include "base/error.h"

namespace weir::crawler {

enum class SocketOwner : std::uint8_t { kHttp, kDns };

struct SocketEvent {
  int fd = -1;
  SocketOwner owner = SocketOwner::kHttp;
  bool readable = false;
  bool writable = false;
  bool failed = false;
};

class SocketPoller {
 public:
  static Result<std::unique_ptr<SocketPoller>> create();
  ~SocketPoller();
  SocketPoller(const SocketPoller&) = delete;
  SocketPoller& operator=(const SocketPoller&) = delete;

  void want(int fd, SocketOwner owner, bool readable, bool writable);
  // Must be told before `fd` is closed: the number may come back as another socket.
  void closing(int fd);

  // What happened to wanted sockets; good until the next call. Ends early on wake().
  std::span<const SocketEvent> wait(Duration timeout);
  void wake();

 private:
  struct Entry {
    std::uint32_t wanted = 0;
    std::uint32_t registered = 0;
    SocketOwner owner = SocketOwner::kHttp;
  };

  SocketPoller(int epoll, int wake_event) : epoll_(epoll), wake_event_(wake_event) {}

  void apply(int fd, Entry& entry, std::uint32_t events) const;

  int epoll_;
  int wake_event_;
  std::vector<Entry> entries_;  // by descriptor: its length is bounded by RLIMIT_NOFILE
  std::vector<SocketEvent> events_;
};

}  // namespace weir::crawler
