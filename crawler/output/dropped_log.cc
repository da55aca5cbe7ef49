// The fields' order and the names of the reasons are part of the format.
#include "crawler/output/dropped_log.h"

#include "crawler/output/json.h"
#include "crawler/output/utc_time.h"

namespace weir::crawler {

std::string_view drop_reason_name(DropReason reason) {
  switch (reason) {
    case DropReason::kOutOfScope: return "out_of_scope";
    case DropReason::kRedirectOutOfScope: return "redirect_out_of_scope";
    case DropReason::kNotHttp: return "not_http";
    case DropReason::kInvalidUrl: return "invalid_url";
    case DropReason::kNofollow: return "nofollow";
  }
  return "unknown";
}

void append_dropped_line(std::string& out, const DroppedLine& line, WallTime ts) {
  JsonObject object(out);
  std::string time;
  append_utc_time(time, ts);
  object.text("ts", time).text("url", line.url).text_or_null("parent", line.parent);
  object.text("reason", drop_reason_name(line.reason)).text_or_null("rule", line.rule);
  object.number("depth", line.depth);
  if (!line.tag.empty()) object.text("tag", line.tag);
  object.close();
  out += '\n';
}

Result<std::unique_ptr<DroppedLog>> DroppedLog::open(const std::string& path) {
  auto file = LineFile::open(path);
  if (!file) return std::unexpected(file.error());
  return std::unique_ptr<DroppedLog>(new DroppedLog(*std::move(file)));
}

void DroppedLog::add(const DroppedLine& line) {
  append_dropped_line(file_->buffer(), line, now_);
  file_->line_added();
}

}  // namespace weir::crawler
