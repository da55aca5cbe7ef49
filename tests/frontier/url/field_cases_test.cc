// What people met with other crawlers, as far as keys can answer for it. The number names the entry of the
// collection of field cases; what is missing from 1 to 38 is no question of keys (23 is one of scope).
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "frontier/url/key_rules.h"

namespace weir::frontier {
namespace {

struct Case {
  int number;
  std::string_view rule;  // the one lossy rule that is on; empty: none
  std::string_view a;
  std::string_view b;
};

std::string key_of(std::string_view rule, std::string_view input) {
  KeyRulesOptions options;
  if (!rule.empty()) options.rules.emplace_back(rule);
  const auto rules = KeyRules::compile(options);
  const auto url = parse_url(input);
  if (!rules || !url) return "bad row: " + std::string(input);
  return std::string(rules->key(*url).text());
}

TEST(FieldCases, OneKey) {
  constexpr Case kRows[] = {
      {1, "strip-www", "http://a.test/123", "http://www.a.test/123"},
      {8, "", "http://a.test/%c3%a9", "http://a.test/%C3%A9"},
      {10, "", "http://a.test/x%2Dy/%7Ez%2ew/?k=v", "http://a.test/x-y/~z.w/?k=v"},
      {11, "", "http://a%2Etest/", "http://a.test/"},
      {11, "", "http://%C3%BC.test/", "http://xn--tda.test/"},
      {13, "", "http://a.test/x/%2E%2e/y", "http://a.test/y"},
      {14, "", "http://a.test/./", "http://a.test/"},
      {14, "", "http://a.test/./././", "http://a.test/"},
      {17, "", "http://a.test", "http://a.test/"},
      {17, "", "http://a.test?x=1", "http://a.test/?x=1"},
      {20, "sort-query", "http://a.test/?u=1&v=2", "http://a.test/?v=2&u=1"},
      {22, "", "http://a.test/#/a", "http://a.test/#/b"},
      {22, "", "http://a.test/#!/a", "http://a.test/"},
      {22, "hashbang", "http://a.test/#/a", "http://a.test/#/b"},
      {25, "", "http://a.test/my list", "http://a.test/my%20list"},
      {26, "strip-session-ids", "http://a.test/x;jsessionid=E46.tp09v_2?p=v", "http://a.test/x?p=v"},
      {28, "", "http://a.test:80/", "http://a.test/"},
      {28, "ignore-scheme", "https://a.test/x", "http://a.test/x"},
      {32, "", "http://u:p@a.test/x", "http://a.test/x"},
      {34, "", "http://xn--e1afmkfd.\u0440\u0444/", "http://xn--e1afmkfd.xn--p1ai/"},
      {35, "", "http://\u200B192.0.2.7/", "http://192.0.2.7/"},
  };
  for (const Case& row : kRows) EXPECT_EQ(key_of(row.rule, row.a), key_of(row.rule, row.b)) << row.number;
}

TEST(FieldCases, TwoKeys) {
  constexpr Case kRows[] = {
      {1, "", "http://a.test/123", "http://www.a.test/123"},
      {2, "", "http://a.test/i.php?a", "http://a.test/i.php?a="},
      {2, "sort-query", "http://a.test/i.php?a", "http://a.test/i.php?a="},
      {4, "", "http://a.test/p%20%2376#x", "http://a.test/p%20"},
      {7, "", "http://a.test/x,y%27z", "http://a.test/x,y'z"},
      {7, "", "http://a.test/a%2Fb", "http://a.test/a/b"},
      {19, "", "http://a.test/p?", "http://a.test/p"},
      {19, "strip-tracking", "http://a.test/p?", "http://a.test/p"},
      {20, "", "http://a.test/?u=1&v=2", "http://a.test/?v=2&u=1"},
      {20, "sort-query", "http://a.test/?u=1&v=2", "http://a.test/?u=2&v=1"},
      {20, "sort-query", "http://a.test/?u=1&u=2", "http://a.test/?u=2&u=1"},
      {20, "", "http://a.test/?u=1&u=2", "http://a.test/?u=2&u=1"},
      {22, "hashbang", "http://a.test/#!/a", "http://a.test/#!/b"},
      {22, "hashbang", "http://a.test/#!/a", "http://a.test/"},
      {25, "", "http://a.test/my%20list", "http://a.test/my+list"},
      {26, "", "http://a.test/x;jsessionid=E46.tp09v_2?p=v", "http://a.test/x?p=v"},
      {28, "", "https://a.test:80/", "http://a.test/"},
      {28, "", "http://a.test:8080/x", "http://a.test/x"},
      {28, "ignore-scheme", "https://a.test:8080/x", "http://a.test/x"},
      {28, "ignore-scheme", "https://a.test:80/", "http://a.test/"},
      {29, "", "http://[2001:db8::1]:8081/x", "http://[2001:db8::1]/x"},
      {32, "", "http://a.test./x", "http://a.test/x"},  // no rule joins them
      {32, "strip-www", "http://a.test./x", "http://a.test/x"},
  };
  for (const Case& row : kRows) EXPECT_NE(key_of(row.rule, row.a), key_of(row.rule, row.b)) << row.number;
}

// Keys whose very text was the complaint. Under every rule at once the key is still a URL.
TEST(FieldCases, KeyTexts) {
  constexpr Case kRows[] = {
      {4, "", "http://a.test/p%20%2376#x", "http://a.test/p%20%2376"},
      {5, "", "http://a.test/sale%25", "http://a.test/sale%25"},
      {2, "", "http://a.test/i.php?/topic/5/", "http://a.test/i.php?/topic/5/"},
      {2, "sort-query", "http://a.test/i.php?/topic/5/", "http://a.test/i.php?/topic/5/"},
      {2, "strip-trailing-slash", "http://a.test/i.php?/topic/5/", "http://a.test/i.php?/topic/5/"},
      {13, "", "http://a.test/x/..bar", "http://a.test/x/..bar"},
      {26, "", "http://a.test/x;jsessionid=E46.tp09v_2?p=v", "http://a.test/x;jsessionid=E46.tp09v_2?p=v"},
      {28, "ignore-scheme", "http://a.test:8080/x", "http://a.test:8080/x"},
      {29, "", "http://[2001:db8::1]:8081/x", "http://[2001:db8::1]:8081/x"},
      {29, "strip-www", "http://[2001:db8::1]:8081/x", "http://[2001:db8::1]:8081/x"},
      {31, "", "http://a.test/s?f[0]=k&g=]1[", "http://a.test/s?f[0]=k&g=]1["},
      {31, "sort-query", "http://a.test/s?g=]1[&f[0]=k", "http://a.test/s?f[0]=k&g=]1["},
  };
  for (const Case& row : kRows) EXPECT_EQ(key_of(row.rule, row.a), row.b) << row.number;
}

struct Link {
  int number;
  std::string_view base;
  std::string_view raw;
  std::optional<std::string_view> key;  // nullopt: no URL, and no more than that
};

TEST(FieldCases, KeysOfLinks) {
  const std::string long_label = "http://" + std::string(300, 'a') + "/";
  const Link rows[] = {
      {14, "http://a.test/", "/./", "http://a.test/"},
      {14, "http://a.test/./", "/././", "http://a.test/"},
      {16, "https://a.test/d/", "//b.test/p1", "https://b.test/p1"},
      {25, "http://a.test/", "/my list", "http://a.test/my%20list"},
      {37, "http://a.test/", "http://.a.test/", "http://.a.test/"},
      {37, "http://a.test/", "http://a..test/", "http://a..test/"},
      {37, "http://a.test/", long_label, long_label},
      {38, "http://a.test/d/p?x=1#f", "", "http://a.test/d/p?x=1"},
      {38, "localhost:80", "", std::nullopt},
  };
  for (const Link& row : rows) {
    const auto base = parse_url(row.base);
    ASSERT_TRUE(base) << row.number;
    const auto url = parse_url(row.raw, &*base);
    ASSERT_EQ(url.has_value(), row.key.has_value()) << row.number;
    EXPECT_EQ(url ? std::string(KeyRules().key(*url).text()) : "", row.key.value_or("")) << row.number;
  }
}

}  // namespace
}  // namespace weir::frontier
