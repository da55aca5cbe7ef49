// Store: RAII over RocksDB with column families ("families" here), the only file pair besides store_log that
// includes its headers. Values in and out are strings; every failure is an Error that says whether the disk was
// full (kRetry) or the state is unusable (kState). Not here: any knowledge of what is stored.
//
// Threads: one owner calls; RocksDB flushes and compacts on threads of its own. Costs: get and scan read blocks
// through one shared cache; write appends to the log (safe against kill -9), sync makes it safe against power
// loss. After a failed write the store stays broken until it is closed and opened again (facts 5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/log.h"

namespace rocksdb {
class FileSystem;
}

namespace weir {

struct StoreFamily {
  std::string name;
  std::size_t memtable_bytes = 4 << 20;
  bool point_lookups = false;  // keeps a Bloom filter per file: most gets miss
};

struct StoreOptions {
  std::string path;
  std::vector<StoreFamily> families;  // addressed by their index
  std::size_t memtables_bytes_max = 64 << 20;
  std::size_t cache_bytes = 24 << 20;
  std::uint64_t log_bytes_max = 64 << 20;  // what a reopen may have to replay
  int open_files_max = 256;
  std::shared_ptr<rocksdb::FileSystem> file_system;  // null: the system's; tests put faults here
};

class Store;

// Writes that become durable together. Made by Store::batch(); dies with its store.
class StoreBatch {
 public:
  StoreBatch(StoreBatch&&) noexcept;
  StoreBatch& operator=(StoreBatch&&) noexcept;
  ~StoreBatch();

  void put(std::size_t family, std::string_view key, std::string_view value);
  // Only for keys that were put exactly once since they were last removed (rocksdb's rule).
  void remove_single(std::size_t family, std::string_view key);
  void remove_range(std::size_t family, std::string_view from, std::string_view to);  // [from, to)
  void clear();
  bool empty() const;

 private:
  friend class Store;
  struct Impl;
  explicit StoreBatch(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// A forward walk over [from, to) of one family; to is empty for the family's end. key() and value() are valid
// until next() or seek(). Reads a consistent view of the moment it was made.
class StoreCursor {
 public:
  StoreCursor(StoreCursor&&) noexcept;
  ~StoreCursor();

  void seek(std::string_view key);
  bool valid() const;
  void next();
  std::string_view key() const;
  std::string_view value() const;
  Result<void> status() const;  // why valid() is false; success at the end of the range

 private:
  friend class Store;
  struct Impl;
  explicit StoreCursor(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

enum class StoreAccess : std::uint8_t { kReadWrite, kReadOnly };

class Store {
 public:
  // Creates what is missing (kReadWrite). kReadOnly takes no lock and sees the moment of opening.
  static Result<std::unique_ptr<Store>> open(const StoreOptions& options, StoreAccess access, Log& log);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  StoreBatch batch() const;
  Result<void> write(StoreBatch& batch, bool sync);
  Result<void> sync();  // everything written so far survives power loss
  Result<std::optional<std::string>> get(std::size_t family, std::string_view key) const;
  StoreCursor scan(std::size_t family, std::string_view from, std::string_view to) const;
  Result<std::optional<std::string>> last_key(std::size_t family) const;
  Result<void> close();

 private:
  struct Impl;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace weir
