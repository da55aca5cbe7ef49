// MIME types by the MIME Sniffing Standard (https://mimesniff.spec.whatwg.org, sections 4.4, 5 and 7.1).
#include "crawler/html/media_type.h"

#include <algorithm>
#include <array>

#include "crawler/html/ascii.h"

namespace weir::crawler {
namespace {

constexpr std::size_t kSniffedBytes = 1445;  // the standard's resource header
constexpr std::string_view kHttpSpaces = " \t\n\r";

bool is_token(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return is_ascii_alnum(c) || kMarks.find(c) != std::string_view::npos;
  });
}

// "HTTP quoted-string token code points"; bytes above 0x7F are code points of the header's Latin-1.
bool is_quotable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == '\t' || (byte >= 0x20 && byte != 0x7F);
  });
}

std::string_view trim_end(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kHttpSpaces) + 1);
}

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kHttpSpaces);
  return first == std::string_view::npos ? std::string_view{} : trim_end(text.substr(first));
}

// `rest` starts after the opening quote; what follows the closing one up to ';' is nothing.
std::string take_quoted(std::string_view& rest) {
  std::string value;
  std::size_t at = 0;
  for (; at < rest.size() && rest[at] != '"'; ++at) {
    if (rest[at] == '\\' && at + 1 < rest.size()) ++at;
    value += rest[at];
  }
  rest.remove_prefix(std::min(rest.size(), rest.find(';', at)));
  return value;
}

struct Parameter {
  std::string_view name;
  std::string value;
  bool usable = false;
};

// `rest` starts after ';'.
Parameter take_parameter(std::string_view& rest) {
  Parameter parameter;
  rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(kHttpSpaces)));
  const std::size_t name_end = std::min(rest.size(), rest.find_first_of(";="));
  parameter.name = rest.substr(0, name_end);
  rest.remove_prefix(name_end);
  if (rest.empty() || rest.front() == ';') return parameter;
  rest.remove_prefix(1);
  bool given = true;  // an empty quoted string is a value, an empty token is none
  if (rest.starts_with('"')) {
    rest.remove_prefix(1);
    parameter.value = take_quoted(rest);
  } else {
    const std::size_t end = std::min(rest.size(), rest.find(';'));
    parameter.value = trim_end(rest.substr(0, end));
    rest.remove_prefix(end);
    given = !parameter.value.empty();
  }
  parameter.usable = given && is_token(parameter.name) && is_quotable(parameter.value);
  return parameter;
}

// Patterns of 7.1; each must be followed by a space or '>' to count.
constexpr std::array<std::string_view, 16> kTagPatterns = {
    "<!DOCTYPE HTML", "<HTML", "<HEAD",  "<SCRIPT", "<IFRAME", "<H1",   "<DIV", "<FONT",
    "<TABLE",         "<A",    "<STYLE", "<TITLE",  "<B",      "<BODY", "<BR",  "<P"};

}  // namespace

bool MediaType::is_html() const { return essence == "text/html" || essence == "application/xhtml+xml"; }

bool MediaType::is_xml() const {
  return essence == "text/xml" || essence == "application/xml" || essence.ends_with("+xml");
}

MediaType parse_media_type(std::string_view header) {
  MediaType media;
  std::string_view rest = trim(header);
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos || !is_token(rest.substr(0, slash))) return media;
  const std::size_t end = std::min(rest.size(), rest.find(';', slash));
  if (!is_token(trim_end(rest.substr(slash + 1, end - slash - 1)))) return media;
  media.essence = ascii_lower_copy(trim_end(rest.substr(0, end)));
  rest.remove_prefix(end);
  bool charset_seen = false;  // the first one counts
  while (!rest.empty()) {
    rest.remove_prefix(1);
    Parameter parameter = take_parameter(rest);
    if (!parameter.usable || charset_seen || !ascii_equal_ignore_case(parameter.name, "charset")) continue;
    charset_seen = true;
    media.charset = std::move(parameter.value);
  }
  return media;
}

bool looks_like_html(std::string_view body) {
  std::string_view head = body.substr(0, kSniffedBytes);
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  head.remove_prefix(std::min(head.size(), head.find_first_not_of(kAsciiSpaces)));
  if (head.starts_with("<!--")) return true;
  return std::ranges::any_of(kTagPatterns, [&](std::string_view pattern) {
    if (head.size() <= pattern.size() || !ascii_starts_with_ignore_case(head, pattern)) return false;
    const char after = head[pattern.size()];
    return after == ' ' || after == '>';
  });
}

bool looks_binary(std::string_view body) {
  if (body.starts_with("\xFE\xFF") || body.starts_with("\xFF\xFE")) return false;  // UTF-16 text
  return std::ranges::any_of(body.substr(0, kSniffedBytes), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte <= 0x08 || byte == 0x0B || (byte >= 0x0E && byte <= 0x1A) || (byte >= 0x1C && byte <= 0x1F);
  });
}

}  // namespace weir::crawler
