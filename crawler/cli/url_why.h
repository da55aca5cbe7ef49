// Why two URLs are one page or two: for `weir url same --why`. Tries the key rules that are off, so that the
// answer names what would have to be switched on. Pure; a few dozen keys are made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontier/url/key_rules.h"

namespace weir::crawler {

struct UrlComparison {
  std::string key_a;
  std::string key_b;
  std::vector<std::string_view> rules_a;  // that changed the key of the first
  std::vector<std::string_view> rules_b;
  bool same = false;
  // Only where they differ:
  std::string_view differs;  // "scheme", "host", "port", "path", "query", "order of query", "fragment"
  std::vector<std::string_view> alone;     // each of these, switched on besides, would merge them
  std::vector<std::string_view> together;  // none alone would, all of these would
  bool split_by_hashbang = false;          // they would be one without that rule
};

UrlComparison compare_urls(const frontier::Url& a, const frontier::Url& b,
                           const frontier::KeyRulesOptions& options);

// "merged by: ..." or "first difference: ..." and what would merge them; one text a line.
std::vector<std::string> describe_comparison(const UrlComparison& comparison);

}  // namespace weir::crawler
