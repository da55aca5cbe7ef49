// Field capture with obsolete line folding (RFC 9112 5.2) put back together.
#include "crawler/fetch/response_head.h"

#include <algorithm>
#include <optional>

#include "base/limits.h"
#include "crawler/fetch/retry_after.h"

namespace weir::crawler {
namespace {

constexpr std::string_view kBlank = " \t\r\n";
constexpr std::string_view kContentType = "content-type";
constexpr std::string_view kLocation = "location";
constexpr std::string_view kRetryAfter = "retry-after";
constexpr std::string_view kLink = "link";
constexpr std::string_view kRefresh = "refresh";
constexpr std::string_view kContentLocation = "content-location";
constexpr std::string_view kWanted[] = {kContentType, kLocation, kRetryAfter,
                                        kLink,        kRefresh,  kContentLocation};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

bool same_name(std::string_view name, std::string_view lower) {
  return std::ranges::equal(name, lower, {},
                            [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
}

std::string_view wanted_name(std::string_view name) {
  const auto* found =
      std::ranges::find_if(kWanted, [name](std::string_view one) { return same_name(name, one); });
  return found == std::end(kWanted) ? std::string_view() : *found;
}

}  // namespace

void ResponseHead::clear() {
  content_type_.clear();
  location_.clear();
  retry_after_.clear();
  link_.clear();
  refresh_.clear();
  content_location_.clear();
  field_name_.clear();
  field_value_.clear();
  has_location_ = interim_ = complete_ = false;
  bytes_ = 0;
}

void ResponseHead::begin_answer(std::string_view status_line) {
  const std::size_t bytes = bytes_;
  clear();
  bytes_ = bytes;
  const std::size_t space = status_line.find(' ');
  interim_ = space != std::string_view::npos && status_line.substr(space + 1).starts_with('1');
}

void ResponseHead::end_field(WallTime now) {
  if (field_name_ == kContentType) {
    content_type_ = field_value_;
  } else if (field_name_ == kLocation && !has_location_) {
    location_ = field_value_;
    has_location_ = true;
  } else if (field_name_ == kRetryAfter) {
    const auto before = parse_retry_after(retry_after_, now);
    const auto after = parse_retry_after(field_value_, now);
    if (retry_after_.empty() || (after && (!before || *after > *before))) retry_after_ = field_value_;
  } else if (field_name_ == kLink) {
    link_.append(link_.empty() ? "" : ", ").append(field_value_);
  } else if (field_name_ == kRefresh && refresh_.empty()) {
    refresh_ = field_value_;
  } else if (field_name_ == kContentLocation && content_location_.empty()) {
    content_location_ = field_value_;
  }
  field_name_.clear();
}

bool ResponseHead::add_line(std::string_view line, WallTime now) {
  bytes_ += line.size();
  if (bytes_ > limits::kHeaderBytesMax) return false;
  if (complete_) return true;  // a trailer
  if (!field_name_.empty() && (line.starts_with(' ') || line.starts_with('\t'))) {
    field_value_.append(1, ' ').append(trimmed(line));
    return true;
  }
  end_field(now);
  if (line.starts_with("HTTP/")) {
    begin_answer(line);
  } else if (trimmed(line).empty()) {
    complete_ = !interim_;
  } else if (const std::size_t colon = line.find(':'); colon != std::string_view::npos) {
    field_name_ = wanted_name(line.substr(0, colon));
    if (!field_name_.empty()) field_value_ = trimmed(line.substr(colon + 1));
  }
  return true;
}

}  // namespace weir::crawler
