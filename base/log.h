// The log: one object, handed to whoever speaks. Behind it stands spdlog (included in log.cc alone).
// Every method is thread-safe and never fails: on a full disk lines are lost, and counted.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace weir {

enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarn, kError };

struct LogOptions {
  LogLevel level = LogLevel::kInfo;
  std::string file;                         // empty: standard error
  std::uint64_t file_bytes_max = 64 << 20;  // rotates at this size
  std::uint32_t files_kept = 3;
};

class Log {
 public:
  static Result<std::unique_ptr<Log>> open(const LogOptions& options);
  static std::unique_ptr<Log> discard();  // for tests and verbs that are silent
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  bool enabled(LogLevel level) const;
  // Control characters in `text` are escaped, so one call is one line.
  void write(LogLevel level, std::string_view text);
  void flush();
  // Failures to write so far (disk full, file gone); each lost at least one line.
  std::uint64_t write_failures() const;

  template <typename... Args>
  void debug(fmt::format_string<Args...> format, Args&&... args) {
    if (enabled(LogLevel::kDebug)) write(LogLevel::kDebug, fmt::format(format, std::forward<Args>(args)...));
  }
  template <typename... Args>
  void info(fmt::format_string<Args...> format, Args&&... args) {
    if (enabled(LogLevel::kInfo)) write(LogLevel::kInfo, fmt::format(format, std::forward<Args>(args)...));
  }
  template <typename... Args>
  void warn(fmt::format_string<Args...> format, Args&&... args) {
    if (enabled(LogLevel::kWarn)) write(LogLevel::kWarn, fmt::format(format, std::forward<Args>(args)...));
  }
  template <typename... Args>
  void error(fmt::format_string<Args...> format, Args&&... args) {
    if (enabled(LogLevel::kError)) write(LogLevel::kError, fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  struct Impl;
  explicit Log(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace weir
