// Request heads: as much of RFC 9112 as crawlers use. Field names without regard to case, the rest as it came.
#include <algorithm>

#include "tests/web/server.h"

namespace weir::testweb {
namespace {

bool same_letters(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return (x | 0x20) == (y | 0x20); });
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

std::string_view take_line(std::string_view& text) {
  const auto end = text.find("\r\n");
  const std::string_view line = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 2);
  return line;
}

void read_field(std::string_view line, Request& request) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = trim(line.substr(colon + 1));
  if (same_letters(name, "host")) request.host = value.substr(0, value.rfind(':'));
  if (same_letters(name, "accept-encoding"))
    request.accepts_gzip = value.find("gzip") != std::string_view::npos;
  if (!same_letters(name, "connection")) return;
  if (same_letters(value, "close")) request.keep_alive = false;
  if (same_letters(value, "keep-alive")) request.keep_alive = true;
}

}  // namespace

std::optional<Request> parse_request(std::string_view head) {
  const std::string_view line = take_line(head);
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return std::nullopt;
  const std::string_view version = line.substr(last + 1);
  Request request;
  request.method = line.substr(0, first);
  request.target = line.substr(first + 1, last - first - 1);
  request.keep_alive = request.chunked_allowed = version == "HTTP/1.1";
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return std::nullopt;
  while (!head.empty()) read_field(take_line(head), request);
  return request;
}

}  // namespace weir::testweb
