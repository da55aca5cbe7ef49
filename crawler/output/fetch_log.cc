// The fields' order is part of the format.
#include "crawler/output/fetch_log.h"

#include <fmt/core.h>

#include <algorithm>

#include "crawler/output/json.h"
#include "crawler/output/utc_time.h"

namespace weir::crawler {

void append_fetch_line(std::string& out, const FetchLine& line) {
  JsonObject object(out);
  std::string ts;
  append_utc_time(ts, line.ts);
  object.text("ts", ts).text("url", line.url).text_or_null("key", line.key);
  if (line.status == 0) {
    object.null("status");
  } else {
    object.number("status", line.status);
  }
  object.text("reason", line.reason).text_or_null("type", line.type).number("bytes", line.bytes);
  const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(line.elapsed).count();
  object.number("ms", static_cast<std::uint64_t>(std::max<std::int64_t>(elapsed, 0)));
  object.number("depth", line.depth).text_or_null("parent", line.parent);
  object.text_or_null("digest", line.digest == 0 ? std::string() : fmt::format("{:016x}", line.digest));
  object.text_or_null("redirect", line.redirect)
      .text_or_null("ip", line.ip)
      .text_or_null("robots", line.robots);
  if (!line.tag.empty()) object.text("tag", line.tag);
  if (line.attempt > 0) object.number("attempt", line.attempt);
  if (line.truncated) object.boolean("truncated", true);
  if (line.limited) object.boolean("limited", true);
  object.close();
  out += '\n';
}

Result<std::unique_ptr<FetchLog>> FetchLog::open(const std::string& path) {
  auto file = LineFile::open(path);
  if (!file) return std::unexpected(file.error());
  return std::unique_ptr<FetchLog>(new FetchLog(*std::move(file)));
}

void FetchLog::add(const FetchLine& line) {
  append_fetch_line(file_->buffer(), line);
  file_->line_added();
}

}  // namespace weir::crawler
