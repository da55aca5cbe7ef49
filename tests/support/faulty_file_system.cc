// Every byte RocksDB writes passes through TrackedFile::Append.
#include "tests/support/faulty_file_system.h"

#include <filesystem>
#include <system_error>

namespace weir::test {

using rocksdb::FileOptions;
using rocksdb::FSWritableFile;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

class TrackedFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  TrackedFile(std::unique_ptr<FSWritableFile> file, FaultyFileSystem& system, std::string path)
      : rocksdb::FSWritableFileOwnerWrapper(std::move(file)), system_(system), path_(std::move(path)) {}

  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options, IODebugContext* debug) override {
    if (!system_.take_space(data.size())) return full();
    auto status = FSWritableFileOwnerWrapper::Append(data, options, debug);
    if (status.ok()) system_.wrote(path_, data.size());
    return status;
  }
  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& /*info*/, IODebugContext* debug) override {
    return Append(data, options, debug);
  }
  IOStatus Allocate(std::uint64_t, std::uint64_t, const IOOptions&, IODebugContext*) override {
    return IOStatus::OK();  // so that the length of a file is what was written
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    auto status = FSWritableFileOwnerWrapper::Sync(options, debug);
    if (status.ok()) system_.synced(path_);
    return status;
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    auto status = FSWritableFileOwnerWrapper::Fsync(options, debug);
    if (status.ok()) system_.synced(path_);
    return status;
  }

 private:
  static IOStatus full() { return IOStatus::NoSpace("the test's disk is full"); }

  FaultyFileSystem& system_;
  const std::string path_;
};

bool FaultyFileSystem::take_space(std::size_t bytes) {
  if (space_ == kUnlimited) return true;
  return space_.fetch_sub(static_cast<std::int64_t>(bytes)) >= static_cast<std::int64_t>(bytes);
}

void FaultyFileSystem::wrote(const std::string& path, std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  lengths_[path].written += bytes;
}

void FaultyFileSystem::synced(const std::string& path) {
  const std::scoped_lock lock(mutex_);
  Length& length = lengths_[path];
  length.synced = length.written;
}

void FaultyFileSystem::track(const std::string& path, std::unique_ptr<FSWritableFile>* file) {
  *file = std::make_unique<TrackedFile>(std::move(*file), *this, path);
}

void FaultyFileSystem::cut_power() {
  const std::scoped_lock lock(mutex_);
  for (auto& [path, length] : lengths_) {
    std::error_code error;
    if (std::filesystem::exists(path, error)) std::filesystem::resize_file(path, length.synced, error);
    length.written = length.synced;
  }
}

std::uint64_t FaultyFileSystem::bytes_unsynced() const {
  const std::scoped_lock lock(mutex_);
  std::uint64_t sum = 0;
  for (const auto& [path, length] : lengths_) sum += length.written - length.synced;
  return sum;
}

IOStatus FaultyFileSystem::NewWritableFile(const std::string& path, const FileOptions& options,
                                           std::unique_ptr<FSWritableFile>* result, IODebugContext* debug) {
  auto status = FileSystemWrapper::NewWritableFile(path, options, result, debug);
  if (!status.ok()) return status;
  {
    const std::scoped_lock lock(mutex_);
    lengths_[path] = {};
  }
  track(path, result);
  return status;
}

IOStatus FaultyFileSystem::ReopenWritableFile(const std::string& path, const FileOptions& options,
                                              std::unique_ptr<FSWritableFile>* result, IODebugContext* debug) {
  auto status = FileSystemWrapper::ReopenWritableFile(path, options, result, debug);
  if (status.ok()) track(path, result);
  return status;
}

IOStatus FaultyFileSystem::ReuseWritableFile(const std::string& path, const std::string& old_path,
                                             const FileOptions& options,
                                             std::unique_ptr<FSWritableFile>* result, IODebugContext* debug) {
  // Overwriting in place would need a finer model than lengths; a fresh file is what a log without recycling
  // is.
  auto removed = DeleteFile(old_path, options.io_options, debug);
  return removed.ok() ? NewWritableFile(path, options, result, debug) : removed;
}

IOStatus FaultyFileSystem::RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                                      IODebugContext* debug) {
  auto status = FileSystemWrapper::RenameFile(from, to, options, debug);
  const std::scoped_lock lock(mutex_);
  if (auto node = lengths_.extract(from); status.ok() && !node.empty()) lengths_[to] = node.mapped();
  return status;
}

IOStatus FaultyFileSystem::DeleteFile(const std::string& path, const IOOptions& options,
                                      IODebugContext* debug) {
  auto status = FileSystemWrapper::DeleteFile(path, options, debug);
  const std::scoped_lock lock(mutex_);
  if (status.ok()) lengths_.erase(path);
  return status;
}

}  // namespace weir::test
