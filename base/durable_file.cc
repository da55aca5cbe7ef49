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
      buffer_(std::move(other.buffer_)) {}

FileWriter::~FileWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<FileWriter> FileWriter::create(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);
  if (descriptor < 0) return system_error("create", path);
  return FileWriter(descriptor, path);
}

Result<void> FileWriter::append(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBufferBytes) {
    if (auto flushed = flush(); !flushed) return flushed;
    if (bytes.size() >= kBufferBytes) return write_all(descriptor_, bytes, path_);
  }
  buffer_.append(bytes);
  return {};
}

Result<void> FileWriter::flush() {
  auto written = write_all(descriptor_, buffer_, path_);
  if (written) buffer_.clear();
  return written;
}

Result<void> FileWriter::sync_and_close() {
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

Result<void> replace_file(const std::string& path, const std::function<Result<void>(FileWriter&)>& write,
                          const ReplaceOptions& options) {
  const std::string temporary = path + ".tmp";
  auto writer = FileWriter::create(temporary);
  if (!writer) return std::unexpected(writer.error());
  if (auto written = write(*writer); !written) return written;
  if (auto synced = writer->sync_and_close(); !synced) return synced;
  if (options.before_publish) {
    if (auto ready = options.before_publish(); !ready) return ready;
  }
  if (!options.previous.empty() && std::filesystem::exists(path) &&
      std::rename(path.c_str(), options.previous.c_str()) != 0) {
    return system_error("keep the previous", path);
  }
  if (std::rename(temporary.c_str(), path.c_str()) != 0) return system_error("publish", path);
  return sync_folder(std::filesystem::path(path).parent_path().string());
}

Result<std::string> read_file(const std::string& path, std::uint64_t bytes_max) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return system_error("open", path);
  std::string content;
  char chunk[1 << 16];
  ssize_t count = 0;
  while ((count = ::read(descriptor, chunk, sizeof chunk)) > 0 && content.size() <= bytes_max) {
    content.append(chunk, static_cast<std::size_t>(count));
  }
  const auto failure = system_error("read", path);
  ::close(descriptor);
  if (count < 0) return failure;
  if (content.size() > bytes_max) {
    return fail(ErrorCode::kSkip, "'" + path + "' is larger than " + std::to_string(bytes_max) + " bytes");
  }
  return content;
}

}  // namespace weir
