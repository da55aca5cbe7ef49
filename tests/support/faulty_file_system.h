// FaultyFileSystem: the file system a test gives to RocksDB. It can run out of space at any byte, and it knows
// of every file how much of it was synced, so that a power cut can be played: cut_power() cuts each file back
// to that length. Names are taken to survive (creations, renames and removals are durable at once), which is
// the harder case for a wrong order of publishing. Thread-safe.
#pragma once

#include <rocksdb/file_system.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace weir::test {

class FaultyFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  static constexpr std::int64_t kUnlimited = INT64_MAX;

  FaultyFileSystem() : rocksdb::FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "weir-faulty"; }

  void set_space(std::int64_t bytes) { space_ = bytes; }
  // Only when nothing writes any more.
  void cut_power();
  std::uint64_t bytes_unsynced() const;

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* result,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus ReopenWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                       std::unique_ptr<rocksdb::FSWritableFile>* result,
                                       rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus ReuseWritableFile(const std::string& path, const std::string& old_path,
                                      const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSWritableFile>* result,
                                      rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options, rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus DeleteFile(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override;

 private:
  friend class TrackedFile;
  struct Length {
    std::uint64_t written = 0;
    std::uint64_t synced = 0;
  };
  bool take_space(std::size_t bytes);  // false: the disk is full
  void wrote(const std::string& path, std::size_t bytes);
  void synced(const std::string& path);
  void track(const std::string& path, std::unique_ptr<rocksdb::FSWritableFile>* file);

  std::atomic<std::int64_t> space_ = kUnlimited;
  mutable std::mutex mutex_;
  std::map<std::string, Length> lengths_;
};

}  // namespace weir::test
