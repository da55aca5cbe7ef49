// Level-triggered epoll, an eventfd for wake(), and the lazy removal described in the header.
#include "crawler/fetch/socket_poller.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/check.h"

namespace weir::crawler {
namespace {

constexpr int kEventsPerWait = 256;

}  // namespace

Result<std::unique_ptr<SocketPoller>> SocketPoller::create() {
  const int epoll = ::epoll_create1(EPOLL_CLOEXEC);
  const int wake_event = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  std::unique_ptr<SocketPoller> poller(new SocketPoller(epoll, wake_event));
  epoll_event event{.events = EPOLLIN, .data = {.fd = wake_event}};
  if (epoll < 0 || wake_event < 0 || ::epoll_ctl(epoll, EPOLL_CTL_ADD, wake_event, &event) != 0) {
    return fail(ErrorCode::kRuntime, "cannot set up epoll: too few file descriptors? (ulimit -n)");
  }
  return poller;
}

SocketPoller::~SocketPoller() {
  if (wake_event_ >= 0) ::close(wake_event_);
  if (epoll_ >= 0) ::close(epoll_);
}

void SocketPoller::apply(int fd, Entry& entry, std::uint32_t events) const {
  epoll_event event{.events = events, .data = {.fd = fd}};
  const int action = events == 0 ? EPOLL_CTL_DEL : entry.registered == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
  const bool applied = ::epoll_ctl(epoll_, action, fd, &event) == 0;
  // Without a watch a transfer would end at its deadline; there is no better answer to a full kernel table.
  entry.registered = applied ? events : 0;
}

void SocketPoller::want(int fd, SocketOwner owner, bool readable, bool writable) {
  WEIR_CHECK(fd >= 0);
  const auto at = static_cast<std::size_t>(fd);
  if (at >= entries_.size()) entries_.resize(at + 1);
  Entry& entry = entries_[at];
  entry.owner = owner;
  entry.wanted = (readable ? EPOLLIN : 0u) | (writable ? EPOLLOUT : 0u);
  if (entry.wanted != 0 && entry.wanted != entry.registered) apply(fd, entry, entry.wanted);
}

void SocketPoller::closing(int fd) {
  const auto at = static_cast<std::size_t>(fd);
  if (at >= entries_.size()) return;
  // Closing ends the registration by itself, unless a child process holds a copy.
  if (entries_[at].registered != 0) apply(fd, entries_[at], 0);
  entries_[at] = {};
}

std::span<const SocketEvent> SocketPoller::wait(Duration timeout) {
  epoll_event ready[kEventsPerWait];
  const auto milliseconds =
      std::chrono::ceil<std::chrono::milliseconds>(std::max(timeout, Duration{0})).count();
  const auto wait_max =
      std::min<std::int64_t>(milliseconds, std::chrono::milliseconds(std::chrono::hours(1)).count());
  const int count = ::epoll_wait(epoll_, ready, kEventsPerWait, static_cast<int>(wait_max));
  events_.clear();
  for (int i = 0; i < count; ++i) {
    const int fd = ready[i].data.fd;
    const std::uint32_t events = ready[i].events;
    if (fd == wake_event_) {
      std::uint64_t times = 0;
      [[maybe_unused]] const ssize_t got = ::read(wake_event_, &times, sizeof times);
      continue;
    }
    Entry& entry = entries_[static_cast<std::size_t>(fd)];
    if (entry.wanted == 0) {
      apply(fd, entry, 0);
      continue;
    }
    events_.push_back({fd, entry.owner, (events & EPOLLIN) != 0, (events & EPOLLOUT) != 0,
                       (events & (EPOLLERR | EPOLLHUP)) != 0});
  }
  return events_;
}

void SocketPoller::wake() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(wake_event_, &one, sizeof one);
}

}  // namespace weir::crawler
