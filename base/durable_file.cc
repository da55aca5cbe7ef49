// POSIX calls behind DurableFile; every one that can fail is checked and named.
#include "base/durable_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace weir {
namespace {

constexpr std::size_t kBufferBytes = 1 << 20;

std::unexpected<Error> system_error(const char* what, const std::string& path) {
  const int number = errno;
  const bool full = number == ENOSPC || number == EDQUOT;
  return fail(full ? ErrorCode::kRetry : ErrorCode::kState,
              std::string("cannot ") + what + " '" + path + "': " + std::strerror(number));
}

Result<void> write_all(int descriptor, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_error("write", path);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

}  // namespace

FileWriter::FileWriter(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {
  buffer_.reserve(kBufferBytes);
}

FileWriter::FileWriter(FileWriter&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      path_(std::move(other.path_)),
      buffer_(std::move(other.buffer_)),
      failed_(other.failed_) {}

FileWriter::~FileWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<FileWriter> FileWriter::create(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);
  if (descriptor < 0) return system_error("create", path);
  return FileWriter(descriptor, path);
}

Result<void> FileWriter::append(std::string_view bytes) {
  if (failed_) return fail(ErrorCode::kState, "'" + path_ + "' is incomplete after a failed write");
  if (buffer_.size() + bytes.size() > kBufferBytes) {
    if (auto flushed = flush(); !flushed) return flushed;
    if (bytes.size() >= kBufferBytes) {
      auto written = write_all(descriptor_, bytes, path_);
      failed_ = !written;
      return written;
    }
  }
  buffer_.append(bytes);
  return {};
}

Result<void> FileWriter::flush() {
  auto written = write_all(descriptor_, buffer_, path_);
  buffer_.clear();
  failed_ = !written;
  return written;
}

Result<void> FileWriter::sync_and_close() {
  if (failed_) return fail(ErrorCode::kState, "'" + path_ + "' is incomplete after a failed write");
  if (auto flushed = flush(); !flushed) return flushed;
  if (::fsync(descriptor_) != 0) return system_error("sync", path_);
  if (::close(std::exchange(descriptor_, -1)) != 0) return system_error("close", path_);
  return {};
}

Result<void> sync_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return system_error("open folder", folder);
  const int synced = ::fsync(descriptor);
  const auto failure = system_error("sync folder", folder);
  ::close(descriptor);
  if (synced != 0) return failure;
  return {};
}

namespace {

Result<void> write_whole(const std::string& path, const std::function<Result<void>(FileWriter&)>& write) {
  auto writer = FileWriter::create(path);
  if (!writer) return std::unexpected(writer.error());
  if (auto written = write(*writer); !written) return written;
  return writer->sync_and_close();
}

// A second name for the present file rather than a rename, so that `path` is never missing in between.
Result<void> keep_previous(const std::string& path, const std::string& previous) {
  if (::access(path.c_str(), F_OK) != 0) return {};
  if (::unlink(previous.c_str()) != 0 && errno != ENOENT) return system_error("remove", previous);
  if (::link(path.c_str(), previous.c_str()) != 0) return system_error("keep the previous", path);
  return {};
}

Result<void> publish(const std::string& temporary, const std::string& path, const ReplaceOptions& options) {
  if (options.before_publish) {
    if (auto ready = options.before_publish(); !ready) return ready;
  }
  if (!options.previous.empty()) {
    if (auto kept = keep_previous(path, options.previous); !kept) return kept;
  }
  if (std::rename(temporary.c_str(), path.c_str()) != 0) return system_error("publish", path);
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return sync_folder(folder.empty() ? "." : folder);
}

}  // namespace

Result<void> replace_file(const std::string& path, const std::function<Result<void>(FileWriter&)>& write,
                          const ReplaceOptions& options) {
  const std::string temporary = path + ".tmp";
  auto replaced = write_whole(temporary, write);
  if (replaced) replaced = publish(temporary, path, options);
  // On a full disk the half-written file would hold the very space that is missing.
  if (!replaced) ::unlink(temporary.c_str());
  return replaced;
}

Result<std::string> read_file(const std::string& path, std::uint64_t bytes_max) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return system_error("open", path);
  std::string content;
  char chunk[1 << 16];
  ssize_t count = 0;
  do {
    count = ::read(descriptor, chunk, sizeof chunk);
    if (count > 0) content.append(chunk, static_cast<std::size_t>(count));
  } while ((count > 0 && content.size() <= bytes_max) || (count < 0 && errno == EINTR));
  const auto failure = system_error("read", path);
  ::close(descriptor);
  if (count < 0) return failure;
  if (content.size() > bytes_max) {
    return fail(ErrorCode::kSkip, "'" + path + "' is larger than " + std::to_string(bytes_max) + " bytes");
  }
  return content;
}

}  // namespace weir
