// What makes two URLs one page and what does not. Numbers in comments name the entry of the collection of
// field cases a row comes from.
#include "frontier/url/url_key.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace weir::frontier {
namespace {

std::string key_of(std::string_view input) {
  const auto url = parse_url(input);
  return url ? std::string(canonical_key(*url).text()) : "invalid: " + std::string(describe(url.error()));
}

struct Pair {
  std::string_view a;
  std::string_view b;
};

TEST(UrlKey, EqualPages) {
  constexpr Pair kRows[] = {
      {"http://a.test/%c3%a9", "http://a.test/%C3%A9"},                        // 8
      {"http://a.test/x%2Dy/%7Ez%2ew/?k=v", "http://a.test/x-y/~z.w/?k=v"},    // 10
      {"http://a%2Etest/", "http://a.test/"},                                  // 11
      {"http://%C3%BC.test/", "http://xn--tda.test/"},                         // 11
      {"http://a.test/x/%2E%2e/y", "http://a.test/y"},                         // 13
      {"http://a.test/./././", "http://a.test/"},                              // 14
      {"http://a.test", "http://a.test/"},                                     // 17
      {"http://a.test?x=1", "http://a.test/?x=1"},                             // 17
      {"http://a.test/#/a", "http://a.test/#/b"},                              // 22
      {"http://a.test/#!/a", "http://a.test/"},                                // 22
      {"http://a.test/my list", "http://a.test/my%20list"},                    // 25
      {"http://a.test:80/", "http://a.test/"},                                 // 28
      {"http://u:p@a.test/x", "http://a.test/x"},                              // 32
      {"http://xn--e1afmkfd.\u0440\u0444/", "http://xn--e1afmkfd.xn--p1ai/"},  // 34
      {"http://a.test/%41%7a%5F?%61", "http://a.test/Az_?a"},                  //
  };
  for (const Pair& row : kRows) EXPECT_EQ(key_of(row.a), key_of(row.b));
}

TEST(UrlKey, DifferentPages) {
  constexpr Pair kRows[] = {
      {"http://www.a.test/123", "http://a.test/123"},           // 1
      {"http://a.test/i.php?a", "http://a.test/i.php?a="},      // 2
      {"http://a.test/p%20%2376#x", "http://a.test/p%20"},      // 4
      {"http://a.test/x,y%27z", "http://a.test/x,y'z"},         // 7
      {"http://a.test/a%2Fb", "http://a.test/a/b"},             // 7
      {"http://a.test/p?", "http://a.test/p"},                  // 19
      {"http://a.test/?u=1&v=2", "http://a.test/?v=2&u=1"},     // 20
      {"http://a.test/?u=1&v=2", "http://a.test/?u=2&v=1"},     // 20
      {"http://a.test/?u=1&u=2", "http://a.test/?u=2&u=1"},     // 20
      {"http://a.test/my%20list", "http://a.test/my+list"},     // 25
      {"http://a.test/x;jsessionid=E46.t", "http://a.test/x"},  // 26
      {"https://a.test:80/", "http://a.test/"},                 // 28
      {"http://a.test:8080/x", "http://a.test/x"},              // 28
      {"http://a.test./x", "http://a.test/x"},                  // 32: the rule that joins them is lossy
      {"http://a.test/%252e", "http://a.test/%2e"},             // decoded once, never twice
      {"http://a.test/A", "http://a.test/a"},                   //
      {"http://a.test/x", "https://a.test/x"},                  //
  };
  for (const Pair& row : kRows) EXPECT_NE(key_of(row.a), key_of(row.b));
}

struct Spelling {
  std::string_view input;
  std::string_view key;
};

TEST(UrlKey, PercentEscapesAreUppercasedAndUnreservedOnesDecoded) {
  constexpr Spelling kRows[] = {
      {"http://a.test/p%20%2376#x", "http://a.test/p%20%2376"},  // 4
      {"http://a.test/sale%25", "http://a.test/sale%25"},        // 5
      {"http://a.test/%e2%82%ac", "http://a.test/%E2%82%AC"},    //
      {"http://a.test/%2d%2E%5f%7e%30%39%41%5a%61%7A", "http://a.test/-._~09AZaz"},
      {"http://a.test/%2541", "http://a.test/%2541"},      // "%41" must not be born and decoded
      {"http://a.test/%zz%4", "http://a.test/%25zz%254"},  // not escapes: as they are sent
      {"http://a.test/%", "http://a.test/%25"},
      {"http://a.test/?%zz%4", "http://a.test/?%zz%4"},  // and in a query sent as they are
      {"foo:%41%2f", "foo:A%2F"},                        //
      {"file:///%43|/x", "file:///%43|/x"},              // would become a drive letter
  };
  for (const Spelling& row : kRows) EXPECT_EQ(key_of(row.input), row.key);
}

// A '%' that begins no escape must not become one when what follows is decoded.
TEST(UrlKey, DecodingNeverMakesAnEscape) {
  for (const std::string_view input :
       {"http://a.test/?%%34%31", "http://a.test/?%4%31", "http://a.test/?%%%34%31%31", "http://a.test/%%34%31",
        "http://a.test/%4%31", "http://a.test/%%341", "http://a.test/%%%34%31%31", "http://a.test/%%7E%41",
        "http://a.test/%%41%42%43?%%34%31", "http://a.test/%4%7E1"}) {
    const std::string once = key_of(input);
    EXPECT_EQ(key_of(once), once) << input;
  }
  EXPECT_EQ(key_of("http://a.test/?%%34%31"), "http://a.test/?%%341");
  EXPECT_EQ(key_of("http://a.test/?%4%31"), "http://a.test/?%4%31");
  EXPECT_EQ(key_of("http://a.test/%%34%31"), "http://a.test/%2541");
}

TEST(UrlKey, AppendAddsBehindWhatIsThere) {
  std::string out = "before ";
  append_key(out, *parse_url("http://u:p@a.test/%7e#f"));
  EXPECT_EQ(out, "before http://a.test/~");
}

TEST(UrlKey, RulesThatChangedTheKeyAreNamed) {
  using Names = std::vector<std::string_view>;
  EXPECT_EQ(key_rules_applied(*parse_url("http://u@a.test/x#f")), Names());
  EXPECT_EQ(key_rules_applied(*parse_url("http://a.test/%c3")), Names({"percent-case"}));
  EXPECT_EQ(key_rules_applied(*parse_url("http://a.test/%7E")), Names({"percent-unreserved"}));
  EXPECT_EQ(key_rules_applied(*parse_url("http://a.test/%7e%c3")),
            Names({"percent-case", "percent-unreserved"}));
  EXPECT_EQ(key_rules_applied(*parse_url("http://a.test/%C3%2F")), Names());
}

}  // namespace
}  // namespace weir::frontier
