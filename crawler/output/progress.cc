// The rate is over a window of a second or more, so that a live line that is rewritten often stays readable.
#include "crawler/output/progress.h"

#include <fmt/core.h>

#include <algorithm>

namespace weir::crawler {
namespace {

constexpr Duration kRateWindow = std::chrono::seconds(1);
constexpr std::string_view kClearToEnd = "\x1b[K";
constexpr std::uint64_t kMebi = 1 << 20;

}  // namespace

std::string format_progress(const ProgressSnapshot& snapshot, double pages_per_second) {
  return fmt::format("{} pages {:.1f}/s | {} queued | {} hosts | {} duplicates | {} failed | {} MiB",
                     snapshot.pages, pages_per_second, snapshot.queued, snapshot.hosts, snapshot.duplicates,
                     snapshot.failed, snapshot.memory_bytes / kMebi);
}

double ProgressLine::rate(std::uint64_t pages, MonoTime now) {
  const Duration passed = now - rate_since_;
  if (started_ && passed < kRateWindow) return rate_;
  if (started_) {
    const double seconds = std::chrono::duration<double>(passed).count();
    rate_ = static_cast<double>(pages - std::min(pages, pages_at_rate_since_)) / seconds;
  }
  rate_since_ = now;
  pages_at_rate_since_ = pages;
  return rate_;
}

void ProgressLine::show(const ProgressSnapshot& snapshot, Now now) {
  const bool first = !started_;
  if (!options_.terminal && !first && now.mono - shown_ < options_.interval) return;
  const double pages_per_second = rate(snapshot.pages, now.mono);
  started_ = true;
  shown_ = now.mono;
  std::string line = format_progress(snapshot, pages_per_second);
  if (!options_.terminal) return sink_(line + "\n");
  // A line as wide as the terminal would wrap, and then '\r' no longer reaches its start.
  line.resize(std::min(line.size(), std::max<std::size_t>(options_.width, 1) - 1));
  sink_(fmt::format("\r{}{}", line, kClearToEnd));
  line_open_ = true;
}

void ProgressLine::finish() {
  if (line_open_) sink_("\n");
  line_open_ = false;
}

}  // namespace weir::crawler
