// The lossy rules of URL identity, one table a rule, and the law that holds for all of them together: the key
// of a key is the key, under every one of the 512 sets of rules.
#include "frontier/url/key_rules.h"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "tests/support/corpora.h"
#include "tests/support/gzip_lines.h"

namespace weir::frontier {
namespace {

using test::gzip_lines;

KeyRules rules_of(std::vector<std::string> names, std::vector<StripParams> strip = {}) {
  auto rules = KeyRules::compile({std::move(names), std::move(strip)});
  EXPECT_TRUE(rules) << rules.error().message();
  return rules ? *std::move(rules) : KeyRules();
}

std::string key_of(const KeyRules& rules, std::string_view input) {
  const auto url = parse_url(input);
  return url ? std::string(rules.key(*url).text()) : "invalid: " + std::string(input);
}

struct Row {
  std::string_view input;
  std::string_view key;
};

void expect_keys(const KeyRules& rules, std::span<const Row> rows) {
  for (const Row& row : rows) {
    EXPECT_EQ(key_of(rules, row.input), row.key) << row.input;
    EXPECT_EQ(key_of(rules, row.key), row.key) << "the key of a key";
  }
}

TEST(KeyRules, WithoutRulesTheKeyIsTheAlwaysOnOne) {
  const KeyRules none;
  EXPECT_FALSE(none.lossy());
  EXPECT_EQ(none.text(), kNoKeyRules);
  for (const std::string_view input : {"https://www.a.test/A/index.html?b&a&utm_x=1#!x", "foo:%7e"})
    EXPECT_EQ(none.key(*parse_url(input)), canonical_key(*parse_url(input)));
}

TEST(KeyRules, IgnoreSchemeMergesOnlyWhereNoPortIsNamed) {
  constexpr Row kRows[] = {
      {"https://a.test/x", "http://a.test/x"},
      {"http://a.test/x", "http://a.test/x"},
      {"https://a.test:443/x", "http://a.test/x"},
      {"https://a.test:80/", "https://a.test:80/"},  // 28: a port is never lost
      {"http://a.test:443/", "http://a.test:443/"},
      {"https://a.test:8443/x", "https://a.test:8443/x"},
      {"https://[::1]/", "http://[::1]/"},
      {"wss://a.test/", "wss://a.test/"},
  };
  expect_keys(rules_of({"ignore-scheme"}), kRows);
}

TEST(KeyRules, StripWwwLeavesTwoLabels) {
  constexpr Row kRows[] = {
      {"http://www.a.test/", "http://a.test/"},
      {"http://www.www.a.test/", "http://a.test/"},
      {"http://www.com/", "http://www.com/"},
      {"http://www.com./", "http://www.com./"},
      {"http://www.a.test./", "http://a.test./"},
      {"http://www.www.com/", "http://www.com/"},
      {"http://www..a.test/", "http://www..a.test/"},
      {"http://wwww.a.test/", "http://wwww.a.test/"},
      {"http://www.a.test:8080/", "http://a.test:8080/"},
      {"http://127.0.0.1/", "http://127.0.0.1/"},
      {"http://[::1]/", "http://[::1]/"},
      {"http://www.\u0440\u0444.test/", "http://xn--p1ai.test/"},
  };
  expect_keys(rules_of({"strip-www"}), kRows);
}

TEST(KeyRules, StripSessionIdsFromPathAndQuery) {
  constexpr Row kRows[] = {
      {"http://a.test/x;jsessionid=E46.tp09v_2?p=v", "http://a.test/x?p=v"},  // 26
      {"http://a.test/x;JSESSIONID=1/y;a=1;sid=2;b=3", "http://a.test/x/y;a=1;b=3"},
      {"http://a.test/x;jsessionid", "http://a.test/x;jsessionid"},  // no value: a word of the page
      {"http://a.test/x%3Bjsessionid=1", "http://a.test/x%3Bjsessionid=1"},
      {"http://a.test/;jsessionid=1", "http://a.test/"},
      {"http://a.test/.;jsessionid=1/x", "http://a.test/.;jsessionid=1/x"},  // would be a dot segment
      {"http://a.test/x/..;sid=1;sid=2", "http://a.test/x/..;sid=1;sid=2"},
      {"http://a.test/x/..;sid=1;a=2", "http://a.test/x/..;a=2"},
      {"http://a.test/?PHPSESSID=1&a=2", "http://a.test/?a=2"},
      {"http://a.test/?a=2&phpsessid=1&b", "http://a.test/?a=2&b"},
      {"http://a.test/?ASPSESSIONIDQQBACRDT=X", "http://a.test/"},
      {"http://a.test/?%73id=1", "http://a.test/"},  // by the key's spelling
      {"http://a.test/?side=1&q=sid", "http://a.test/?side=1&q=sid"},
      {"http://a.test/?", "http://a.test/?"},  // nothing was taken out of it
      {"http://a.test/?sid=1&", "http://a.test/"},
      {"http://a.test/?&sid=1&&a", "http://a.test/?&&a"},
  };
  expect_keys(rules_of({"strip-session-ids"}), kRows);
}

TEST(KeyRules, StripTracking) {
  constexpr Row kRows[] = {
      {"http://a.test/?utm_source=x&id=1&utm_medium=y", "http://a.test/?id=1"},
      {"http://a.test/?gclid=1", "http://a.test/"},
      {"http://a.test/?UTM_Source=1&FBCLID=2", "http://a.test/"},
      {"http://a.test/?utm%5fid=1&msclkid", "http://a.test/"},
      {"http://a.test/?xutm_source=1&gclid2=1&utm=1", "http://a.test/?xutm_source=1&gclid2=1&utm=1"},
      {"http://a.test/?a=1&&utm_x=1&b", "http://a.test/?a=1&&b"},
      {"http://a.test/?a=utm_x=1", "http://a.test/?a=utm_x=1"},
      {"http://a.test/utm_source=1", "http://a.test/utm_source=1"},
  };
  expect_keys(rules_of({"strip-tracking"}), kRows);
}

TEST(KeyRules, SortQueryByNameOnly) {
  constexpr Row kRows[] = {
      {"http://a.test/?v=2&u=1", "http://a.test/?u=1&v=2"},  // 20
      {"http://a.test/?u=2&v=1", "http://a.test/?u=2&v=1"},  // 20
      {"http://a.test/?u=2&u=1", "http://a.test/?u=2&u=1"},  // 20: the order of equal names has a meaning
      {"http://a.test/?b&a=1&a&a=", "http://a.test/?a=1&a&a=&b"},
      {"http://a.test/?b&&a", "http://a.test/?&a&b"},
      {"http://a.test/?a=2&%61=1", "http://a.test/?a=2&a=1"},
      {"http://a.test/?", "http://a.test/?"},
      {"http://a.test/?%&%4", "http://a.test/?%&%4"},
  };
  expect_keys(rules_of({"sort-query"}), kRows);
}

TEST(KeyRules, LowercasePathLeavesEscapesAndQuery) {
  constexpr Row kRows[] = {
      {"http://a.test/Ab/C?D=E", "http://a.test/ab/c?D=E"},
      {"http://a.test/%c3%89%4A", "http://a.test/%C3%89j"},
      {"http://a.test/%ZZ%4", "http://a.test/%25zz%254"},
      {"http://a.test/%%34A", "http://a.test/%254a"},
  };
  expect_keys(rules_of({"lowercase-path"}), kRows);
}

TEST(KeyRules, StripIndexOnlyWhereNoQueryFollows) {
  constexpr Row kRows[] = {
      {"http://a.test/index.html", "http://a.test/"},
      {"http://a.test/x/Default.aspx", "http://a.test/x/"},
      {"http://a.test/x/INDEX.PHP#f", "http://a.test/x/"},
      {"http://a.test/index.php?page=2", "http://a.test/index.php?page=2"},
      {"http://a.test/index.php?", "http://a.test/index.php?"},
      {"http://a.test/index.html/", "http://a.test/index.html/"},
      {"http://a.test/myindex.html", "http://a.test/myindex.html"},
      {"http://a.test/index.html;a", "http://a.test/index.html;a"},
      {"http://a.test/index", "http://a.test/index"},
  };
  expect_keys(rules_of({"strip-index"}), kRows);
}

TEST(KeyRules, StripTrailingSlashNeverTouchesTheRoot) {
  constexpr Row kRows[] = {
      {"http://a.test/", "http://a.test/"},        {"http://a.test/x/", "http://a.test/x"},
      {"http://a.test/x/?q", "http://a.test/x?q"}, {"http://a.test/x?q=/", "http://a.test/x?q=/"},
      {"http://a.test/x//", "http://a.test/x//"},  // a doubled slash is another resource
      {"http://a.test//", "http://a.test//"},
  };
  expect_keys(rules_of({"strip-trailing-slash"}), kRows);
}

TEST(KeyRules, HashbangFragmentsStayInTheKey) {
  constexpr Row kRows[] = {
      {"http://a.test/#!/a", "http://a.test/#!/a"},  // 22
      {"http://a.test/#/a", "http://a.test/"},       // 22
      {"http://a.test/#!", "http://a.test/#!"},
      {"http://a.test/#%21a", "http://a.test/"},
      {"http://a.test/?x#!%7e%c3", "http://a.test/?x#!~%C3"},
      {"http://a.test/#!%%34%31", "http://a.test/#!%%341"},
  };
  expect_keys(rules_of({"hashbang"}), kRows);
}

TEST(KeyRules, QueueFormKeepsWhatTheKeyNeeds) {
  const Url url = *parse_url("http://u:p@a.test:81/x?q#!/a");
  bool dropped = false;
  EXPECT_EQ(KeyRules().queue_form(url, &dropped).href(), "http://a.test:81/x?q");
  EXPECT_TRUE(dropped);
  const KeyRules hashbang = rules_of({"hashbang"});
  const Url form = hashbang.queue_form(url, &dropped);
  EXPECT_TRUE(dropped);
  EXPECT_EQ(form.href(), "http://a.test:81/x?q#!/a");
  EXPECT_EQ(form.fragment(), "!/a");
  EXPECT_EQ(form.query(), "q");
  EXPECT_EQ(form.host(), "a.test:81");
  EXPECT_EQ(origin(form), "http://a.test:81");
  EXPECT_EQ(hashbang.queue_form(*parse_url("http://a.test/#a")).href(), "http://a.test/");
}

TEST(KeyRules, StripParamsOfOneHostOfHostsBelowAndOfAll) {
  const KeyRules rules = rules_of({}, {{"A.test", {"sid", "x_*"}}, {"*.b.test", {"p"}}, {"", {"caf\u00e9"}}});
  constexpr Row kRows[] = {
      {"http://a.test/?sid=1&x_y=2&z", "http://a.test/?z"},
      {"http://a.test:8080/?sid=1", "http://a.test:8080/"},
      {"http://a.test/?SID=1", "http://a.test/?SID=1"},  // listed names are exact
      {"http://c.a.test/?sid=1", "http://c.a.test/?sid=1"},
      {"http://x.b.test/?p=1&q", "http://x.b.test/?q"},
      {"http://b.test/?p=1", "http://b.test/?p=1"},
      {"http://xb.test/?p=1", "http://xb.test/?p=1"},
      {"http://c.test/?caf%c3%a9=1", "http://c.test/"},
  };
  expect_keys(rules, kRows);
  EXPECT_TRUE(rules.lossy());
}

// Else the first pass would leave the parameter and the second take it out.
TEST(KeyRules, StripParamsMeetAHostWithoutItsWww) {
  constexpr Row kRows[] = {{"http://www.a.test/?sid=1", "http://a.test/"},
                           {"http://a.test/?sid=1", "http://a.test/"}};
  expect_keys(rules_of({"strip-www"}, {{"www.a.test", {"sid"}}}), kRows);
  expect_keys(rules_of({"strip-www"}, {{"a.test", {"sid"}}}), kRows);
}

TEST(KeyRules, RulesWorkTogether) {
  constexpr Row kRows[] = {
      {"https://www.a.test/X/Index.html?utm_x=1", "http://a.test/x"},
      {"https://www.a.test/index.html/index.html/", "http://a.test/"},
      {"https://a.test/x/;sid=1/index.php?b=1&gclid=1&a=1#!/r", "http://a.test/x//index.php?a=1&b=1#!/r"},
  };
  std::vector<std::string> all;
  for (const std::string_view name : key_rule_names()) all.emplace_back(name);
  expect_keys(rules_of(all), kRows);
}

TEST(KeyRules, RulesThatChangedTheKeyAreNamed) {
  using Names = std::vector<std::string_view>;
  const KeyRules rules = rules_of({"strip-www", "sort-query", "strip-index", "hashbang"}, {{"", {"p"}}});
  const auto applied = [&](std::string_view text) { return rules.applied(*parse_url(text)); };
  EXPECT_EQ(applied("http://a.test/?a&b#f"), Names());
  EXPECT_EQ(applied("http://www.a.test/%7e?b&a&p"),
            Names({"percent-unreserved", "strip-www", "sort-query", "strip-params"}));
  EXPECT_EQ(applied("http://a.test/index.html#!x"), Names({"strip-index", "hashbang"}));
  EXPECT_EQ(KeyRules().applied(*parse_url("http://www.a.test/%c3")), Names({"percent-case"}));
}

// ---- compiling and identity ----

TEST(KeyRules, BadOptionsAreRefusedWithAHint) {
  const auto message = [](std::vector<std::string> names, std::vector<StripParams> strip) {
    const auto rules = KeyRules::compile({std::move(names), std::move(strip)});
    if (rules) return std::string("taken");
    EXPECT_EQ(rules.error().code(), ErrorCode::kUsage);
    return rules.error().message();
  };
  EXPECT_EQ(message({"strip-ww"}, {}), "there is no key rule 'strip-ww'; did you mean 'strip-www'?");
  EXPECT_TRUE(message({"x"}, {}).contains("; there are: ignore-scheme strip-www"));
  for (const std::string host : {"http://a.test", "a.test:80", "a.test/x", "u@a.test", "a b", "*.*.test", "*",
                                 "*.127.0.0.1", "a.test?", "a.test#"})
    EXPECT_TRUE(message({}, {{host, {"p"}}}).contains("cannot be the host")) << host;
  for (const std::string name : {"", "a=b", "a&b", "a*b", "#"})
    EXPECT_TRUE(message({}, {{"", {name}}}).contains("cannot be the name")) << name;
  EXPECT_TRUE(message({}, {{"a.test", {}}}).contains("lists no params"));
}

TEST(KeyRules, TextIsOneSpellingOfTheSameRules) {
  const KeyRules one = rules_of({"strip-www", "ignore-scheme"}, {{"a.test", {"b", "a"}}, {"", {"%7e"}}});
  const KeyRules two = rules_of({"ignore-scheme", "strip-www", "strip-www"},
                                {{"", {"~"}}, {"A.test", {"a"}}, {"www.a.test", {"b"}}});
  EXPECT_EQ(one.text(), two.text());
  EXPECT_EQ(one.text(),
            "rules = [\"ignore-scheme\", \"strip-www\"]\n"
            "strip_params = [{ params = [\"~\"] }, { host = \"a.test\", params = [\"a\", \"b\"] }]\n");
  EXPECT_EQ(rules_of({}, {{"*.a.test", {"p"}}}).text(),
            "rules = []\nstrip_params = [{ host = \"*.a.test\", params = [\"p\"] }]\n");
}

// ---- the law ----

std::vector<KeyRules> all_sets() {
  std::vector<KeyRules> sets;
  for (unsigned set = 0; set < 1U << kKeyRules; ++set) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kKeyRules; ++i) {
      if (set & (1U << i)) names.emplace_back(key_rule_name(static_cast<KeyRule>(i)));
    }
    sets.push_back(rules_of(names, {{"a.test", {"p", "q_*"}}, {"*.b.test", {"s"}}}));
  }
  return sets;
}

void expect_key_of_key(const KeyRules& rules, const Url& url) {
  const std::string key(rules.key(url).text());
  const auto again = parse_url(key);
  ASSERT_TRUE(again) << key;
  EXPECT_EQ(again->href(), key);
  EXPECT_EQ(rules.key(*again).text(), key) << url.href() << "\nunder " << rules.text();
  EXPECT_EQ(rules.key(rules.queue_form(url)).text(), key) << url.href() << "\nunder " << rules.text();
}

constexpr std::string_view kNasty[] = {
    "https://www.www.a.test/Index.html/INDEX.HTM/default.asp///index.html/;sid=1",
    "https://www.a.test/index.html/index.html/index.html/?utm_x#!/A%2f",
    "http://www.com/?sid&sid&&utm_a&p=1&q_=2&=&=b&=a",
    "http://www.com./index.html?",
    "https://a.test:80/X/../.;sid=1/..;jsessionid=2/%2e%2E;sid=3/",
    "http://a.test/;sid=1/;sid=2//",
    "http://a.test//;sid=1",
    "http://a.test/.;sid=1/index.html",
    "http://a.test/%%34%31;sid=%34/%4;sid=1;1",
    "http://a.test/?%&%4;&1=%%34%31&sid=%",
    "http://a.test/?utm_x=1&?&sid=2",
    "http://a.test/#!#!?/index.html",
    "http://a.test/index.html#!",
    "http://a.test/INDEX.HTML;SID=1",
    "http://a.test/index.html;sid=1/",
    "http://u:p@www.b.test/?s=1&%73=2&b&a",
    "http://www.x.b.test/Index.PHP?s=1",
    "https://[::1]/index.html/",
    "https://127.0.0.1:443/a/?b&a",
    "ftp://www.a.test/index.html?b&a&utm_x=1",
    "foo:index.html?b&a#!x",
    "http://www..a.test/",
    "http://www.a../index.html",
    "http://a.test/?&&&",
    "http://a.test/?sid=1&&",
    "http://a.test/\xC3\x89/%c3%89/%5A%7a",
};

TEST(KeyRulesLaw, KeyOfKeyIsKeyUnderEverySetOfRules) {
  for (const KeyRules& rules : all_sets()) {
    for (const std::string_view text : kNasty) {
      const auto url = parse_url(text);
      ASSERT_TRUE(url) << text;
      expect_key_of_key(rules, *url);
    }
  }
}

TEST(KeyRulesLaw, KeyOfKeyIsKeyForRealUrls) {
  const auto folder = test::corpora_folder(WEIR_SOURCE_DIR);
  if (!folder) GTEST_SKIP() << "corpora are not beside the repository";
  const std::vector<KeyRules> sets = all_sets();
  std::size_t number = 0;
  for (const std::string& line : gzip_lines(*folder / "urls/kasztp.txt.gz")) {
    const auto url = parse_url(line);
    if (!url) continue;
    // A sample of the sets for each URL, the whole set for every URL, and all sets over 200 URLs.
    expect_key_of_key(sets[number++ % sets.size()], *url);
    expect_key_of_key(sets.back(), *url);
    if (number % 240 != 0) continue;
    for (const KeyRules& rules : sets) expect_key_of_key(rules, *url);
    if (testing::Test::HasFailure()) break;
  }
  EXPECT_GT(number, 40'000U);
}

}  // namespace
}  // namespace weir::frontier
