// RocksDB hands printf formats and a va_list, so this is the one place that formats the C way.
#include "base/store_log.h"

#include <cstdarg>
#include <cstdio>
#include <string_view>

namespace weir {
namespace {

constexpr std::size_t kLineBytesMax = 1024;

class LogBridge final : public rocksdb::Logger {
 public:
  explicit LogBridge(Log& log) : rocksdb::Logger(rocksdb::InfoLogLevel::WARN_LEVEL), log_(log) {}

  using rocksdb::Logger::Logv;
  void Logv(const char* format, va_list arguments) override { write(LogLevel::kWarn, format, arguments); }

  void Logv(rocksdb::InfoLogLevel level, const char* format, va_list arguments) override {
    if (level < GetInfoLogLevel()) return;
    write(level >= rocksdb::InfoLogLevel::ERROR_LEVEL ? LogLevel::kError : LogLevel::kWarn, format, arguments);
  }

 private:
  void write(LogLevel level, const char* format, va_list arguments) {
    if (!log_.enabled(level)) return;
    char line[kLineBytesMax];
    const int length = std::vsnprintf(line, sizeof line, format, arguments);
    if (length < 0) return;
    const auto kept = std::min(static_cast<std::size_t>(length), sizeof line - 1);
    log_.write(level, "store: " + std::string(line, kept));
  }

  Log& log_;
};

}  // namespace

std::shared_ptr<rocksdb::Logger> bridge_to(Log& log) { return std::make_shared<LogBridge>(log); }

}  // namespace weir
