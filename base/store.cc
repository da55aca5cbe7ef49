// RocksDB's options and handles. Choices with their reasons stand at the options.
#include "base/store.h"

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/file_system.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>

#include <filesystem>
#include <system_error>

#include "base/check.h"
#include "base/store_log.h"

namespace weir {
namespace {

constexpr int kFilterBitsPerKey = 10;
constexpr std::size_t kBlockBytes = 16 << 10;
constexpr std::uint64_t kSyncAheadBytes = 1 << 20;  // spreads write-back, so that a sync has little to wait for
constexpr int kBackgroundJobs = 2;

rocksdb::Slice slice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
std::string_view view(const rocksdb::Slice& bytes) { return {bytes.data(), bytes.size()}; }

std::unexpected<Error> store_error(const char* what, const std::string& path, const rocksdb::Status& status) {
  const bool full = status.IsNoSpace() || status.subcode() == rocksdb::Status::kNoSpace;
  return fail(full ? ErrorCode::kRetry : ErrorCode::kState,
              std::string("cannot ") + what + " the store '" + path + "': " + status.ToString() +
                  (full ? "; free disk space and it goes on" : ""));
}

rocksdb::DBOptions database_options(const StoreOptions& options, Log& log) {
  rocksdb::DBOptions result;
  result.create_if_missing = true;
  result.create_missing_column_families = true;
  result.info_log = bridge_to(log);
  result.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  result.db_write_buffer_size = options.memtables_bytes_max;
  result.max_total_wal_size = options.log_bytes_max;
  result.max_open_files = options.open_files_max;
  result.max_background_jobs = kBackgroundJobs;
  result.wal_bytes_per_sync = kSyncAheadBytes;
  result.bytes_per_sync = kSyncAheadBytes;
  result.stats_dump_period_sec = 0;
  result.skip_stats_update_on_db_open = true;  // a reopen must not read every table's properties
  return result;
}

rocksdb::ColumnFamilyOptions family_options(const StoreFamily& family,
                                            const std::shared_ptr<rocksdb::Cache>& cache) {
  rocksdb::BlockBasedTableOptions table;
  table.block_size = kBlockBytes;
  table.block_cache = cache;
  table.cache_index_and_filter_blocks = true;  // else memory grows with the number of files
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  table.format_version = 5;
  if (family.point_lookups) table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(kFilterBitsPerKey));
  rocksdb::ColumnFamilyOptions result;
  result.write_buffer_size = family.memtable_bytes;
  result.compression = rocksdb::kLZ4Compression;
  result.level_compaction_dynamic_level_bytes = true;
  result.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return result;
}

}  // namespace

struct Store::Impl {
  std::string path;
  std::unique_ptr<rocksdb::Env> env;  // only with a file system of the caller's
  std::unique_ptr<rocksdb::DB> database;
  std::vector<rocksdb::ColumnFamilyHandle*> families;  // owned by the database, released in close()

  Result<void> close() {
    if (!database) return {};
    for (auto* family : families) database->DestroyColumnFamilyHandle(family);
    families.clear();
    const auto status = database->Close();
    database.reset();
    if (!status.ok()) return store_error("close", path, status);
    return {};
  }
};

struct StoreBatch::Impl {
  const std::vector<rocksdb::ColumnFamilyHandle*>* families;
  rocksdb::WriteBatch writes;
};

struct StoreCursor::Impl {
  std::string path;
  std::string end;
  rocksdb::Slice end_slice;  // borrowed by the iterator for its whole life
  std::unique_ptr<rocksdb::Iterator> iterator;
};

StoreBatch::StoreBatch(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
StoreBatch::StoreBatch(StoreBatch&&) noexcept = default;
StoreBatch& StoreBatch::operator=(StoreBatch&&) noexcept = default;
StoreBatch::~StoreBatch() = default;

// A WriteBatch in memory refuses only batches of 4 GiB and more.
void StoreBatch::put(std::size_t family, std::string_view key, std::string_view value) {
  WEIR_CHECK(impl_->writes.Put((*impl_->families)[family], slice(key), slice(value)).ok());
}
void StoreBatch::remove_single(std::size_t family, std::string_view key) {
  WEIR_CHECK(impl_->writes.SingleDelete((*impl_->families)[family], slice(key)).ok());
}
void StoreBatch::remove_range(std::size_t family, std::string_view from, std::string_view to) {
  WEIR_CHECK(impl_->writes.DeleteRange((*impl_->families)[family], slice(from), slice(to)).ok());
}
void StoreBatch::clear() { impl_->writes.Clear(); }
bool StoreBatch::empty() const { return impl_->writes.Count() == 0; }

StoreCursor::StoreCursor(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
StoreCursor::StoreCursor(StoreCursor&&) noexcept = default;
StoreCursor::~StoreCursor() = default;
void StoreCursor::seek(std::string_view key) { impl_->iterator->Seek(slice(key)); }
bool StoreCursor::valid() const { return impl_->iterator->Valid(); }
void StoreCursor::next() { impl_->iterator->Next(); }
std::string_view StoreCursor::key() const { return view(impl_->iterator->key()); }
std::string_view StoreCursor::value() const { return view(impl_->iterator->value()); }
Result<void> StoreCursor::status() const {
  const auto status = impl_->iterator->status();
  if (!status.ok()) return store_error("read", impl_->path, status);
  return {};
}

Store::Store(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Store::~Store() {
  [[maybe_unused]] const auto closed = impl_->close();  // a caller that cares closes by itself
}

Result<std::unique_ptr<Store>> Store::open(const StoreOptions& options, StoreAccess access, Log& log) {
  auto impl = std::make_unique<Impl>();
  impl->path = options.path;
  auto database_settings = database_options(options, log);
  if (options.file_system) {
    impl->env = rocksdb::NewCompositeEnv(options.file_system);
    database_settings.env = impl->env.get();
  }
  const auto cache = rocksdb::NewLRUCache(options.cache_bytes);
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  families.emplace_back(rocksdb::kDefaultColumnFamilyName, family_options({}, cache));
  for (const auto& family : options.families) families.emplace_back(family.name, family_options(family, cache));

  // RocksDB would make it too, but calls its absence an error in the log first.
  std::error_code ignored;
  if (access == StoreAccess::kReadWrite) std::filesystem::create_directories(options.path, ignored);
  rocksdb::DB* database = nullptr;
  const auto status =
      access == StoreAccess::kReadWrite
          ? rocksdb::DB::Open(database_settings, options.path, families, &impl->families, &database)
          : rocksdb::DB::OpenForReadOnly(database_settings, options.path, families, &impl->families, &database);
  if (!status.ok()) return store_error("open", options.path, status);
  impl->database.reset(database);
  database->DestroyColumnFamilyHandle(impl->families.front());  // RocksDB's obligatory "default", unused
  impl->families.erase(impl->families.begin());
  return std::unique_ptr<Store>(new Store(std::move(impl)));
}

StoreBatch Store::batch() const {
  auto impl = std::make_unique<StoreBatch::Impl>();
  impl->families = &impl_->families;
  return StoreBatch(std::move(impl));
}

Result<void> Store::write(StoreBatch& batch, bool sync) {
  rocksdb::WriteOptions options;
  options.sync = sync;
  const auto status = impl_->database->Write(options, &batch.impl_->writes);
  if (!status.ok()) return store_error("write to", impl_->path, status);
  return {};
}

Result<void> Store::sync() {
  const auto status = impl_->database->SyncWAL();
  if (!status.ok()) return store_error("sync", impl_->path, status);
  return {};
}

Result<std::optional<std::string>> Store::get(std::size_t family, std::string_view key) const {
  std::string value;
  const auto status = impl_->database->Get(rocksdb::ReadOptions(), impl_->families[family], slice(key), &value);
  if (status.IsNotFound()) return std::optional<std::string>();
  if (!status.ok()) return store_error("read", impl_->path, status);
  return std::optional<std::string>(std::move(value));
}

StoreCursor Store::scan(std::size_t family, std::string_view from, std::string_view to) const {
  auto impl = std::make_unique<StoreCursor::Impl>();
  impl->path = impl_->path;
  impl->end = to;
  impl->end_slice = slice(impl->end);
  rocksdb::ReadOptions options;
  if (!to.empty()) options.iterate_upper_bound = &impl->end_slice;
  impl->iterator.reset(impl_->database->NewIterator(options, impl_->families[family]));
  impl->iterator->Seek(slice(from));
  return StoreCursor(std::move(impl));
}

Result<std::optional<std::string>> Store::last_key(std::size_t family) const {
  const std::unique_ptr<rocksdb::Iterator> iterator(
      impl_->database->NewIterator(rocksdb::ReadOptions(), impl_->families[family]));
  iterator->SeekToLast();
  if (iterator->Valid()) return std::optional<std::string>(view(iterator->key()));
  if (!iterator->status().ok()) return store_error("read", impl_->path, iterator->status());
  return std::optional<std::string>();
}

Result<void> Store::close() { return impl_->close(); }

}  // namespace weir
