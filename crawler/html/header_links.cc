// The Link field is read as RFC 8288, appendix B.2, says: leniently, entry by entry.
#include "crawler/html/header_links.h"

#include <algorithm>
#include <string>

#include "crawler/html/ascii.h"
#include "crawler/html/link_collector.h"
#include "crawler/html/refresh.h"

namespace weir::crawler {
namespace {

constexpr std::string_view kBlank = " \t";

void skip(std::string_view& text, std::string_view characters) {
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(characters)));
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

std::string_view take_until(std::string_view& text, std::string_view ends) {
  const std::string_view taken = text.substr(0, text.find_first_of(ends));
  text.remove_prefix(taken.size());
  return taken;
}

// Behind the opening quote.
std::string take_quoted(std::string_view& text) {
  std::string value;
  while (!text.empty() && !take(text, '"')) {
    if (text[0] == '\\' && text.size() > 1) text.remove_prefix(1);
    value.push_back(text[0]);
    text.remove_prefix(1);
  }
  return value;
}

// The parameters of one entry up to its comma; the first rel counts.
std::string take_rel(std::string_view& text) {
  std::string rel;
  bool found = false;
  while (true) {
    skip(text, kBlank);
    if (!take(text, ';')) break;
    skip(text, kBlank);
    const std::string_view name = trim_ascii_space(take_until(text, "=;,"));
    std::string value;
    if (take(text, '=')) {
      skip(text, kBlank);
      value = take(text, '"') ? take_quoted(text) : std::string(trim_ascii_space(take_until(text, ";,")));
    }
    if (!found && ascii_equal_ignore_case(name, "rel")) {
      found = true;
      rel = std::move(value);
    }
  }
  return rel;
}

void read_link_field(std::string_view text, bool requisites, Extraction& out) {
  while (true) {
    skip(text, " \t,");
    if (text.empty()) return;
    if (!take(text, '<')) {
      take_until(text, ",");
      continue;
    }
    const std::string_view target = take_until(text, ">");
    if (!take(text, '>')) return;
    const std::string rel = take_rel(text);
    take_until(text, ",");
    const LinkKind kind = kind_of_rel(rel);
    if (kind == LinkKind::kRequisite && !requisites) continue;
    out.add(
        trim_ascii_space(target), rel,
        {.kind = kind, .nofollow = has_word_ignore_case(rel, "nofollow"), .tag = "http", .attribute = "link"});
  }
}

}  // namespace

void read_header_links(const HeaderFields& fields, bool requisites, Extraction& out) {
  out.clear();
  read_link_field(fields.link, requisites, out);
  if (!fields.refresh.empty()) {
    const auto refresh = parse_refresh(fields.refresh);
    if (refresh) out.add(refresh->url, {}, {.tag = "http", .attribute = "refresh"});
  }
  if (!fields.content_location.empty())
    out.add(fields.content_location, {}, {.tag = "http", .attribute = "content-location"});
}

}  // namespace weir::crawler
