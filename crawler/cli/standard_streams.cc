// Plain write(2): no library buffer hides a failed write.
#include "crawler/cli/standard_streams.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>

namespace weir::crawler {
namespace {

constexpr std::size_t kBufferBytesMax = 64 << 10;

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

StandardStreams::~StandardStreams() { static_cast<void>(flush()); }

void StandardStreams::out(std::string_view text) {
  buffer_.append(text);
  if (buffer_.size() >= kBufferBytesMax) static_cast<void>(flush());
}

void StandardStreams::error(std::string_view text) {
  static_cast<void>(flush());
  static_cast<void>(write_all(STDERR_FILENO, text));  // there is nowhere left to complain
}

bool StandardStreams::flush() {
  failed_ = failed_ || !write_all(STDOUT_FILENO, buffer_);
  buffer_.clear();
  return !failed_;
}

Terminal error_terminal() {
  Terminal terminal;
  terminal.live = ::isatty(STDERR_FILENO) == 1;
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) terminal.columns = size.ws_col;
  return terminal;
}

}  // namespace weir::crawler
