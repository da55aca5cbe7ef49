// Bridge from RocksDB's info log to weir's. It is not only for reading: RocksDB's own log file aborts the
// process when the disk fills (facts 5). RocksDB's headers are visible here, so only store.cc includes this.
#pragma once

#include <rocksdb/env.h>

#include <memory>

#include "base/log.h"

namespace weir {

// `log` must outlive every store that was opened with the bridge. Thread-safe.
std::shared_ptr<rocksdb::Logger> bridge_to(Log& log);

}  // namespace weir
