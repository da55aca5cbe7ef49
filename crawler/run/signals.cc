// signalfd for the signals, an eventfd for the end; poll waits for either without a timeout of its own because
// both are certain to come: the destructor writes the eventfd.
#include "crawler/run/signals.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <utility>

namespace weir::crawler {
namespace {

constexpr std::size_t kSignalStackBytes = 256 << 10;

sigset_t stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

}  // namespace

Result<std::unique_ptr<StopSignals>> StopSignals::listen(std::function<void(int)> on_stop) {
  std::unique_ptr<StopSignals> stop(new StopSignals());
  stop->on_stop_ = std::move(on_stop);
  std::signal(SIGPIPE, SIG_IGN);
  const sigset_t signals = stop_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  stop->signal_descriptor_ = ::signalfd(-1, &signals, SFD_CLOEXEC);
  stop->end_descriptor_ = ::eventfd(0, EFD_CLOEXEC);
  if (stop->signal_descriptor_ < 0 || stop->end_descriptor_ < 0) {
    return fail(ErrorCode::kRuntime, std::string("cannot listen for signals: ") + std::strerror(errno));
  }
  auto thread = WorkerThread::start("signals", kSignalStackBytes, [raw = stop.get()] { raw->read_signals(); });
  if (!thread) return std::unexpected(thread.error());
  stop->thread_ = *std::move(thread);
  return stop;
}

void StopSignals::read_signals() {
  int count = 0;
  while (true) {
    pollfd waits[2] = {{signal_descriptor_, POLLIN, 0}, {end_descriptor_, POLLIN, 0}};
    if (::poll(waits, 2, -1) < 0 && errno == EINTR) continue;
    if (waits[1].revents != 0) return;
    signalfd_siginfo info{};
    if (::read(signal_descriptor_, &info, sizeof info) == sizeof info) on_stop_(++count);
  }
}

StopSignals::~StopSignals() {
  if (thread_ != nullptr) {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(end_descriptor_, &one, sizeof one);
    thread_->join();
  }
  if (signal_descriptor_ >= 0) ::close(signal_descriptor_);
  if (end_descriptor_ >= 0) ::close(end_descriptor_);
  const sigset_t signals = stop_signals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace weir::crawler
