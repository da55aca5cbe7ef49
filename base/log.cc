// spdlog's one home: sinks, rotation and the escaping that keeps one event on one line.
#include "base/log.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/null_sink.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <atomic>

namespace weir {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

spdlog::level::level_enum to_spdlog(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return spdlog::level::debug;
    case LogLevel::kInfo: return spdlog::level::info;
    case LogLevel::kWarn: return spdlog::level::warn;
    case LogLevel::kError: return spdlog::level::err;
  }
  return spdlog::level::err;
}

std::string escaped(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7f) {
      line.push_back(c);
    } else {
      line.append("\\x").append(1, kHexDigits[byte >> 4]).append(1, kHexDigits[byte & 15]);
    }
  }
  return line;
}

spdlog::sink_ptr make_sink(const LogOptions& options) {
  if (options.file.empty()) return std::make_shared<spdlog::sinks::stderr_sink_mt>();
  return std::make_shared<spdlog::sinks::rotating_file_sink_mt>(options.file, options.file_bytes_max,
                                                                options.files_kept);
}

}  // namespace

struct Log::Impl {
  explicit Impl(spdlog::sink_ptr sink) : logger("weir", std::move(sink)) {
    logger.set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %l %v");
    // A log that cannot be written must not end a crawl.
    logger.set_error_handler([this](const std::string&) { ++write_failures; });
  }
  std::atomic<std::uint64_t> write_failures{0};
  spdlog::logger logger;
};

Log::Log(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Log::~Log() = default;

Result<std::unique_ptr<Log>> Log::open(const LogOptions& options) {
  try {
    auto impl = std::make_unique<Impl>(make_sink(options));
    impl->logger.set_level(to_spdlog(options.level));
    impl->logger.flush_on(spdlog::level::warn);
    return std::unique_ptr<Log>(new Log(std::move(impl)));
  } catch (const spdlog::spdlog_ex& error) {
    return fail(ErrorCode::kUsage, "log.file: cannot open '" + options.file + "': " + error.what());
  }
}

std::unique_ptr<Log> Log::discard() {
  auto impl = std::make_unique<Impl>(std::make_shared<spdlog::sinks::null_sink_mt>());
  impl->logger.set_level(spdlog::level::off);
  return std::unique_ptr<Log>(new Log(std::move(impl)));
}

bool Log::enabled(LogLevel level) const { return impl_->logger.should_log(to_spdlog(level)); }

void Log::write(LogLevel level, std::string_view text) { impl_->logger.log(to_spdlog(level), escaped(text)); }

void Log::flush() { impl_->logger.flush(); }

std::uint64_t Log::write_failures() const { return impl_->write_failures; }

}  // namespace weir
