// zlib's file layer reads both forms through one call; lines are cut here.
#include "crawler/seeds/line_source.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/limits.h"

namespace weir::crawler {
namespace {

constexpr unsigned kChunkBytes = 256 << 10;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_utf16(std::string_view text) { return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"); }

std::unexpected<Error> unreadable(const std::string& name, std::string_view reason) {
  return fail(ErrorCode::kUsage, fmt::format("cannot read '{}': {}", name, reason));
}

// Copies until the end; false with errno on failure.
bool copy(int from, int to) {
  std::vector<char> chunk(kChunkBytes);
  while (true) {
    const ssize_t count = ::read(from, chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0;
    for (ssize_t done = 0; done < count;) {
      const ssize_t written = ::write(to, chunk.data() + done, static_cast<std::size_t>(count - done));
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      done += written;
    }
  }
}

}  // namespace

struct LineSource::Stream {
  explicit Stream(gzFile opened) : file(opened) {}
  ~Stream() { gzclose(file); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  gzFile file;
};

LineSource::LineSource(std::unique_ptr<Stream> stream, std::string name)
    : stream_(std::move(stream)), name_(std::move(name)), chunk_(kChunkBytes) {}
LineSource::LineSource(LineSource&&) noexcept = default;
LineSource::~LineSource() = default;

Result<LineSource> LineSource::adopt(int descriptor, std::string name) {
  struct stat status{};
  if (::fstat(descriptor, &status) == 0 && S_ISDIR(status.st_mode)) {
    ::close(descriptor);
    return unreadable(name, "it is a folder");
  }
  gzFile file = gzdopen(descriptor, "rb");
  if (file == nullptr) {
    ::close(descriptor);
    return unreadable(name, "out of memory");
  }
  gzbuffer(file, kChunkBytes);
  return LineSource(std::make_unique<Stream>(file), std::move(name));
}

Result<LineSource> LineSource::open(const std::string& path) {
  if (path == "-") return adopt(::dup(STDIN_FILENO), "standard input");
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return unreadable(path, std::strerror(errno));
  return adopt(descriptor, path);
}

Result<bool> LineSource::fill() {
  const int count = gzread(stream_->file, chunk_.data(), kChunkBytes);
  int code = Z_OK;
  const char* reason = gzerror(stream_->file, &code);
  // A cut gzip file reads as a short one; only the error code tells.
  if (count < 0 || (count == 0 && code != Z_OK && code != Z_STREAM_END)) {
    return unreadable(name_, code == Z_ERRNO ? std::strerror(errno) : reason);
  }
  begin_ = 0;
  end_ = static_cast<std::size_t>(count);
  return count > 0;
}

void LineSource::take(std::string_view piece, bool& too_long) {
  too_long = too_long || line_.size() + piece.size() > limits::kSeedLineBytesMax;
  if (too_long) {
    line_.clear();
  } else {
    line_.append(piece);
  }
}

Result<LineEvent> LineSource::next() {
  line_.clear();
  bool too_long = false;
  bool any = false;
  while (true) {
    if (begin_ == end_) {
      auto filled = fill();
      if (!filled) return std::unexpected(filled.error());
      if (!*filled) break;
    }
    any = true;
    const std::string_view rest(chunk_.data() + begin_, end_ - begin_);
    const std::size_t length = std::min(rest.find('\n'), rest.size());
    take(rest.substr(0, length), too_long);
    begin_ += std::min(length + 1, rest.size());
    if (length < rest.size()) break;
  }
  if (!any) return LineEvent::kEnd;
  ++number_;
  if (number_ == 1 && is_utf16(line_)) return unreadable(name_, "it is UTF-16; save it as UTF-8");
  if (number_ == 1 && line_.starts_with(kByteOrderMark)) line_.erase(0, kByteOrderMark.size());
  if (line_.ends_with('\r')) line_.pop_back();
  return too_long ? LineEvent::kTooLong : LineEvent::kLine;
}

Result<int> spool_standard_input() {
  std::error_code error;
  std::string path = (std::filesystem::temp_directory_path(error) / "weir-seeds-XXXXXX").string();
  const int spool = ::mkostemp(path.data(), O_CLOEXEC);
  if (spool < 0)
    return unreadable("standard input", fmt::format("no copy in '{}': {}", path, std::strerror(errno)));
  ::unlink(path.c_str());
  if (!copy(STDIN_FILENO, spool)) {
    const std::string reason = std::strerror(errno);
    ::close(spool);
    return unreadable("standard input", reason);
  }
  return spool;
}

}  // namespace weir::crawler
