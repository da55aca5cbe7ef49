// One buffer, one write; what a short write leaves behind is taken back.
#include "crawler/output/line_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace weir::crawler {
namespace {

constexpr std::size_t kBufferBytesMax = 256 << 10;

// How much of `bytes` went out; less than all only when the file cannot be written.
std::size_t write_all(int descriptor, std::string_view bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

// Held while bytes go out and while the end of the file is judged: an opener must not take the half-done write
// of a running writer for a torn line.
class FileLock {
 public:
  explicit FileLock(int descriptor) : descriptor_(descriptor) { ::flock(descriptor_, LOCK_EX); }
  ~FileLock() { ::flock(descriptor_, LOCK_UN); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  const int descriptor_;
};

off_t size_of(int descriptor) {
  struct stat status{};
  const bool regular = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
  return regular ? status.st_size : 0;
}

bool ends_inside_a_line(int descriptor) {
  char last = '\n';
  const off_t size = size_of(descriptor);
  return size > 0 && ::pread(descriptor, &last, 1, size - 1) == 1 && last != '\n';
}

// Removes the last `bytes`: the beginning of a line whose end found no space. The lock must be held.
void take_back(int descriptor, std::size_t bytes) {
  const off_t size = size_of(descriptor);
  const auto cut = static_cast<off_t>(bytes);
  if (cut == 0 || size < cut) return;
  // When even this fails the next opener ends the torn line; readers of JSONL skip what does not parse.
  const int ignored = ::ftruncate(descriptor, size - cut);
  static_cast<void>(ignored);
}

}  // namespace

Result<std::unique_ptr<LineFile>> LineFile::open(const std::string& path) {
  std::error_code error;
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  const int descriptor = ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) {
    const std::string reason = std::strerror(errno);
    return fail(ErrorCode::kUsage,
                fmt::format("cannot write '{}': {}; choose another folder with --out", path, reason));
  }
  auto file = std::unique_ptr<LineFile>(new LineFile(descriptor));
  const FileLock lock(descriptor);
  if (ends_inside_a_line(descriptor) && write_all(descriptor, "\n") == 0) {
    return fail(ErrorCode::kRuntime, fmt::format("cannot write '{}': the disk is full", path));
  }
  return file;
}

LineFile::~LineFile() {
  flush();
  ::close(descriptor_);
}

void LineFile::line_added() {
  ++lines_buffered_;
  if (buffer_.size() >= kBufferBytesMax) flush();
}

void LineFile::flush() {
  if (buffer_.empty()) return;
  const FileLock lock(descriptor_);
  const std::size_t written = write_all(descriptor_, buffer_);
  if (written < buffer_.size()) {
    const std::string_view out = std::string_view(buffer_).substr(0, written);
    const std::size_t whole = out.rfind('\n') + 1;  // npos + 1 is 0
    take_back(descriptor_, written - whole);
    lines_lost_ += lines_buffered_ - static_cast<std::uint64_t>(std::count(out.begin(), out.end(), '\n'));
  }
  buffer_.clear();
  lines_buffered_ = 0;
}

}  // namespace weir::crawler
