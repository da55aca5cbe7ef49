// The lists are short on purpose: a name that is content anywhere does not belong in them.
#include "frontier/url/key_params.h"

#include <algorithm>
#include <array>

#include "frontier/url/url.h"
#include "frontier/url/url_key.h"

namespace weir::frontier {
namespace {

// Lower case; '*' at the end stands for any rest.
constexpr auto kTracking = std::to_array<std::string_view>(
    {"_ga",    "_gl",     "_hsenc",    "_hsmi",  "dclid",  "fbclid",    "gad_source", "gbraid", "gclid",
     "gclsrc", "igshid",  "li_fat_id", "mc_cid", "mc_eid", "mkt_tok",   "msclkid",    "mtm_*",  "pk_campaign",
     "pk_kwd", "srsltid", "ttclid",    "twclid", "utm_*",  "vero_conv", "vero_id",    "wbraid", "yclid"});
constexpr auto kSession =
    std::to_array<std::string_view>({"aspsessionid*", "cfid", "cftoken", "jsessionid", "oscsid", "phpsessid",
                                     "sessid", "session_id", "sessionid", "sid", "zenid"});

char lower(char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c); }

bool matches_lower(std::string_view pattern, std::string_view name) {
  const bool open = pattern.ends_with('*');
  if (open) pattern.remove_suffix(1);
  if (name.size() < pattern.size() || (!open && name.size() != pattern.size())) return false;
  return std::ranges::equal(pattern, name.substr(0, pattern.size()), {}, {}, lower);
}

bool matches_exactly(std::string_view pattern, std::string_view name) {
  if (!pattern.ends_with('*')) return pattern == name;
  return name.starts_with(pattern.substr(0, pattern.size() - 1));
}

// As it would stand in a key's query.
std::optional<std::string> key_spelling(const std::string& name) {
  constexpr std::string_view kFront = "http://a.test/?";
  const auto url = parse_url(std::string(kFront) + name);
  if (!url) return std::nullopt;
  const UrlKey key = canonical_key(*url);
  return std::string(key.text().substr(kFront.size()));
}

std::vector<std::string_view> split(std::string_view query) {
  std::vector<std::string_view> pieces;
  std::size_t begin = 0;
  while (begin <= query.size()) {
    const std::size_t end = std::min(query.find('&', begin), query.size());
    pieces.push_back(query.substr(begin, end - begin));
    begin = end + 1;
  }
  return pieces;
}

}  // namespace

Result<void> ParamNames::add(const std::string& name) {
  const std::size_t star = name.find('*');
  const bool star_inside = star != std::string::npos && star + 1 != name.size();
  const auto spelling = key_spelling(name);
  if (name.empty() || star_inside || name.find_first_of("&=#") != std::string::npos || !spelling) {
    return fail(ErrorCode::kUsage,
                "'" + name +
                    "' cannot be the name of a parameter: write it without '&', '=' and '#', "
                    "with a '*' at its end at most");
  }
  const auto place = std::ranges::lower_bound(patterns_, *spelling);
  if (place == patterns_.end() || *place != *spelling) patterns_.insert(place, *spelling);
  return {};
}

bool ParamNames::has(std::string_view name) const {
  return std::ranges::any_of(patterns_,
                             [&](const std::string& pattern) { return matches_exactly(pattern, name); });
}

bool is_tracking_param(std::string_view name) {
  return std::ranges::any_of(kTracking, [&](std::string_view pattern) { return matches_lower(pattern, name); });
}

bool is_session_param(std::string_view name) {
  return std::ranges::any_of(kSession, [&](std::string_view pattern) { return matches_lower(pattern, name); });
}

bool sort_query(KeyQuery& query) {
  if (!query.text) return false;
  std::vector<std::string_view> pieces = split(*query.text);
  if (std::ranges::is_sorted(pieces, {}, param_name)) return false;
  std::ranges::stable_sort(pieces, {}, param_name);
  std::string sorted;
  sorted.reserve(query.text->size());
  for (const std::string_view piece : pieces) {
    if (piece.data() != pieces.front().data()) sorted += '&';
    sorted += piece;
  }
  query.storage = std::move(sorted);
  query.text = query.storage;
  return true;
}

}  // namespace weir::frontier
