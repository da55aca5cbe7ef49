// Rules are tried besides those that are on: each alone, then all, from which the idle ones are taken out.
#include "crawler/cli/url_why.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/check.h"

namespace weir::crawler {
namespace {

using frontier::KeyRule;
using frontier::KeyRules;
using frontier::KeyRulesOptions;
using frontier::Url;
using Names = std::vector<std::string_view>;

constexpr std::string_view kHashbangName = "hashbang";

bool same_under(const KeyRulesOptions& base, const Names& besides, const Url& a, const Url& b) {
  KeyRulesOptions options = base;
  options.rules.insert(options.rules.end(), besides.begin(), besides.end());
  const auto rules = KeyRules::compile(options);
  WEIR_CHECK(rules.has_value());  // `base` has been compiled, the names are the rules' own
  return rules->key(a) == rules->key(b);
}

// The rules that merge: all but hashbang, which splits.
Names merging_rules_off(const KeyRulesOptions& options) {
  Names names;
  for (const std::string_view name : frontier::key_rule_names()) {
    const bool on = std::ranges::find(options.rules, name) != options.rules.end();
    if (!on && name != kHashbangName) names.push_back(name);
  }
  return names;
}

Names pieces_of(std::string_view query) {
  Names pieces;
  for (std::size_t begin = 0; begin <= query.size();) {
    const std::size_t end = std::min(query.find('&', begin), query.size());
    pieces.push_back(query.substr(begin, end - begin));
    begin = end + 1;
  }
  std::ranges::sort(pieces);
  return pieces;
}

std::string_view first_difference(const Url& a, const Url& b) {
  if (a.scheme() != b.scheme()) return "scheme";
  if (a.hostname() != b.hostname()) return "host";
  if (a.port() != b.port()) return "port";
  if (a.path() != b.path()) return "path";
  if (a.has_query() != b.has_query()) return "query";
  if (a.query() == b.query()) return "fragment";
  return pieces_of(a.query()) == pieces_of(b.query()) ? "order of query" : "query";
}

void look_for_merging_rules(const Url& a, const Url& b, const KeyRulesOptions& options, UrlComparison& out) {
  Names candidates = merging_rules_off(options);
  for (const std::string_view name : candidates) {
    if (same_under(options, {name}, a, b)) out.alone.push_back(name);
  }
  if (!out.alone.empty() || !same_under(options, candidates, a, b)) return;
  for (std::size_t i = candidates.size(); i-- > 0;) {
    Names fewer = candidates;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (same_under(options, fewer, a, b)) candidates = std::move(fewer);
  }
  out.together = std::move(candidates);
}

bool split_by_hashbang(const Url& a, const Url& b, const KeyRulesOptions& options) {
  KeyRulesOptions without = options;
  return std::erase(without.rules, kHashbangName) > 0 && same_under(without, {}, a, b);
}

std::string joined(const Names& names, std::string_view separator) {
  std::string text;
  for (const std::string_view name : names) text.append(text.empty() ? "" : separator).append(name);
  return text;
}

}  // namespace

UrlComparison compare_urls(const Url& a, const Url& b, const KeyRulesOptions& options) {
  const auto rules = KeyRules::compile(options);
  WEIR_CHECK(rules.has_value());  // the loader has compiled them once
  UrlComparison out;
  out.key_a = rules->key(a).text();
  out.key_b = rules->key(b).text();
  out.rules_a = rules->applied(a);
  out.rules_b = rules->applied(b);
  out.same = out.key_a == out.key_b;
  if (out.same) return out;
  const auto key_a = frontier::parse_url(out.key_a);
  const auto key_b = frontier::parse_url(out.key_b);
  WEIR_CHECK(key_a && key_b);  // the key of a key is the key
  out.differs = first_difference(*key_a, *key_b);
  out.split_by_hashbang = split_by_hashbang(a, b, options);
  look_for_merging_rules(a, b, options, out);
  return out;
}

std::vector<std::string> describe_comparison(const UrlComparison& comparison) {
  if (comparison.same) {
    Names names = comparison.rules_a;
    for (const std::string_view name : comparison.rules_b) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    return {names.empty() ? "merged by: parsing alone" : fmt::format("merged by: {}", joined(names, ", "))};
  }
  std::vector<std::string> lines = {fmt::format("first difference: {}", comparison.differs)};
  if (comparison.split_by_hashbang) lines.emplace_back("split by: hashbang");
  if (!comparison.alone.empty()) {
    lines.push_back(fmt::format("would be merged by: {}", joined(comparison.alone, ", or ")));
  } else if (!comparison.together.empty()) {
    lines.push_back(fmt::format("would be merged by: {} together", joined(comparison.together, " and ")));
  } else if (!comparison.split_by_hashbang) {
    lines.emplace_back("would be merged by: no rule");
  }
  return lines;
}

}  // namespace weir::crawler
