// Rules of parse_url, the views of a Url, wire form and origin, by hand-made tables. Numbers in comments name
// the entry of the collection of field cases a row comes from. The large tables are in conformance_test.cc.
#include "frontier/url/url.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "base/limits.h"

namespace weir::frontier {
namespace {

Url must_parse(std::string_view input, const Url* base = nullptr) {
  auto url = parse_url(input, base);
  if (!url) throw std::runtime_error(std::string(input) + ": " + std::string(describe(url.error())));
  return *url;
}

std::string resolve(std::string_view base, std::string_view input) {
  const Url base_url = must_parse(base);
  const auto url = parse_url(input, &base_url);
  return url ? std::string(url->href()) : std::string(describe(url.error()));
}

struct Row {
  std::string_view base;
  std::string_view input;
  std::string_view href;
};

TEST(Whatwg, ReferencesResolveAgainstTheBase) {
  constexpr Row kRows[] = {
      {"http://a.test/d/p?x=1#f", "", "http://a.test/d/p?x=1"},                   // 38
      {"http://a.test/d/p?x=1#f", "#g", "http://a.test/d/p?x=1#g"},               //
      {"http://a.test/d/p?x=1#f", "?y", "http://a.test/d/p?y"},                   //
      {"https://a.test/d/", "//b.test/p1", "https://b.test/p1"},                  // 16
      {"http://a.test/x", "///b.test/i.html", "http://b.test/i.html"},            // 83
      {"http://a.test/x", "http:///b.test/i.html", "http://b.test/i.html"},       // 83
      {"http://a.test/x", "/caf\xC3\xA9", "http://a.test/caf%C3%A9"},             // 82
      {"http://a.test/x/y/z", "../w", "http://a.test/x/w"},                       //
      {"http://a.test/x", "../../../w", "http://a.test/w"},                       //
      {"http://a.test/x", "http:y", "http://a.test/y"},                           // same special scheme
      {"http://a.test/x", "\\y\\z", "http://a.test/y/z"},                         //
      {"http://a.test/", "/./", "http://a.test/"},                                // 14
      {"http://a.test/", "http://a.test\\@b.test/x", "http://a.test/@b.test/x"},  // parser differential
      {"http://a.test/i.php", "?/topic/5/", "http://a.test/i.php?/topic/5/"},     // 2
  };
  for (const Row& row : kRows) EXPECT_EQ(resolve(row.base, row.input), row.href) << row.input;
}

TEST(Whatwg, SerialisationIsCanonical) {
  constexpr Row kRows[] = {
      {"", "http://a.test/x/%2E%2e/y", "http://a.test/y"},                         // 13
      {"", "http://a.test/x/..bar", "http://a.test/x/..bar"},                      // 13
      {"", "http://a.test/././.", "http://a.test/"},                               // 14
      {"", "http://a.test", "http://a.test/"},                                     // 17
      {"", "http://a.test?x=1", "http://a.test/?x=1"},                             // 17
      {"", "http://a.test/my list", "http://a.test/my%20list"},                    // 25
      {"", "http://a.test/sale%25", "http://a.test/sale%25"},                      // 5
      {"", "http://[2001:DB8:0::1]:8081/x", "http://[2001:db8::1]:8081/x"},        // 29
      {"", "http://a.test/s?f[0]=k&g=]1[", "http://a.test/s?f[0]=k&g=]1["},        // 31
      {"", "http://a%2Etest/", "http://a.test/"},                                  // 11
      {"", "http://%C3%BC.test/", "http://xn--tda.test/"},                         // 11
      {"", "http://xn--e1afmkfd.\u0440\u0444/", "http://xn--e1afmkfd.xn--p1ai/"},  // 34
      {"", "http://0x7f.1/", "http://127.0.0.1/"},                                 //
      {"", "http://2130706433/", "http://127.0.0.1/"},                             //
      {"", "http://a.test:80/x", "http://a.test/x"},                               // 28
      {"", "https://a.test:80/x", "https://a.test:80/x"},                          // 28
      {"", "http://a.test:0000080/x", "http://a.test/x"},                          //
      {"", "HTTP://A.Test/X", "http://a.test/X"},                                  //
      {"", "  http://a.te\tst/a\nb\r ", "http://a.test/ab"},                       //
      {"", "http://a.test/?q='", "http://a.test/?q=%27"},                          // special-query set
      {"", "foo://a.test/?q='", "foo://a.test/?q='"},                              //
      {"", "http://a.test/\xFF", "http://a.test/%EF%BF%BD"},                       // bad UTF-8
      {"", "http://a.test/\xC3\t\xA9", "http://a.test/%EF%BF%BD%EF%BF%BD"},        // a tab does not mend it
      {"", "http://a.test/\xED\xA0\x80", "http://a.test/%EF%BF%BD%EF%BF%BD%EF%BF%BD"},  // surrogate
      {"", "foo:/.//x", "foo:/.//x"},                                                   //
      {"", "foo:opaque  ?q", "foo:opaque %20?q"},                                       //
      {"", "file:///C|/../../x", "file:///C:/x"},                                       //
      {"", "file://localhost/x", "file:///x"},                                          //
  };
  for (const Row& row : kRows) {
    const auto url = parse_url(row.input);
    ASSERT_TRUE(url) << row.input << ": " << describe(url.error());
    EXPECT_EQ(url->href(), row.href) << row.input;
  }
}

struct Failure {
  std::string_view input;
  UrlError error;
};

TEST(Whatwg, FailuresAreNamed) {
  const std::string long_path = "http://a.test/" + std::string(limits::kUrlBytesMax, 'a');
  // Fits before escaping, not after.
  const std::string long_escaped = "http://a.test/" + std::string(limits::kUrlBytesMax / 2, ' ') + "x";
  const Failure rows[] = {
      {"", UrlError::kNoScheme},
      {"a/b", UrlError::kNoScheme},
      {"a/b:c", UrlError::kNoScheme},
      {"1http://a.test/", UrlError::kBadScheme},
      {"http://", UrlError::kEmptyHost},
      {"http://:80/", UrlError::kEmptyHost},
      {"http://u:p@/", UrlError::kEmptyHost},
      {"http://a b/", UrlError::kBadHost},
      {"http://a%00b/", UrlError::kBadHost},
      {"foo://a<b/", UrlError::kBadHost},
      {"http://\u00AD/", UrlError::kBadDomain},      // maps to nothing
      {"http://a\xFF.test/", UrlError::kBadDomain},  // bad UTF-8
      {"http://1.2.3.4.5/", UrlError::kBadIpv4},
      {"http://256.1/x", UrlError::kBadIpv4},
      {"http://a.09/", UrlError::kBadIpv4},
      {"http://[::1/", UrlError::kBadIpv6},
      {"http://[1:2:3:4:5:6:7]/", UrlError::kBadIpv6},
      {"http://[::1%25eth0]/", UrlError::kBadIpv6},
      {"http://a.test:65536/", UrlError::kBadPort},
      {"http://a.test:8x/", UrlError::kBadPort},
      {long_path, UrlError::kTooLong},
      {long_escaped, UrlError::kTooLong},
  };
  for (const Failure& row : rows) {
    const auto url = parse_url(row.input);
    ASSERT_FALSE(url) << row.input.substr(0, 80) << " -> " << url->href().substr(0, 80);
    EXPECT_EQ(url.error(), row.error) << row.input.substr(0, 80) << ": " << describe(url.error());
  }
}

TEST(Whatwg, OpaqueBaseTakesOnlyFragments) {
  const Url base = must_parse("mailto:a@a.test?s=1");
  EXPECT_EQ(parse_url("x", &base).error(), UrlError::kOpaqueBase);
  EXPECT_EQ(must_parse("#f", &base).href(), "mailto:a@a.test?s=1#f");
}

TEST(Whatwg, ZeroWidthCharacterBeforeAnAddressIsMappedAway) {  // 35
  const auto url = parse_url("http://\u200B192.0.2.7/");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->hostname(), "192.0.2.7");
  EXPECT_EQ(url->host_kind(), HostKind::kIpv4);
}

TEST(Whatwg, EmptyAndLongLabelsPassThrough) {  // 37
  EXPECT_TRUE(parse_url("http://.a.test/"));
  EXPECT_TRUE(parse_url("http://a..test/"));
  EXPECT_TRUE(parse_url("http://" + std::string(300, 'a') + "/"));
}

TEST(Ours, HugeUnicodeHostsAreRefusedWithoutMapping) {
  std::string host;
  for (int i = 0; i < 5000; ++i) host += "\u00E9";
  EXPECT_EQ(parse_url("http://" + host + "/").error(), UrlError::kBadDomain);
}

TEST(Url, ComponentsAreViewsIntoTheSerialisation) {
  const Url url = must_parse("https://user:pa:ss@example.test:1234/foo/bar?baz#quux");
  EXPECT_EQ(url.scheme(), "https");
  EXPECT_EQ(url.username(), "user");
  EXPECT_EQ(url.password(), "pa%3Ass");
  EXPECT_EQ(url.hostname(), "example.test");
  EXPECT_EQ(url.host(), "example.test:1234");
  EXPECT_EQ(url.port(), 1234);
  EXPECT_EQ(url.path(), "/foo/bar");
  EXPECT_EQ(url.query(), "baz");
  EXPECT_EQ(url.fragment(), "quux");
  EXPECT_EQ(url.href_without_fragment(), "https://user:pa%3Ass@example.test:1234/foo/bar?baz");
  EXPECT_EQ(url.effective_port(), 1234);
  EXPECT_TRUE(url.is_http());
}

TEST(Url, OddCredentialsAreSplitRight) {
  const Url only_password = must_parse("http://:p@a.test/");
  EXPECT_EQ(only_password.username(), "");
  EXPECT_EQ(only_password.password(), "p");
  const Url only_user = must_parse("http://u@a.test/");
  EXPECT_EQ(only_user.username(), "u");
  EXPECT_EQ(only_user.password(), "");
  const Url none = must_parse("http://:@a.test/");
  EXPECT_FALSE(none.has_credentials());
  EXPECT_EQ(none.href(), "http://a.test/");
  EXPECT_EQ(must_parse("http://a@b@c.test/").href(), "http://a%40b@c.test/");
}

TEST(Url, EmptyQueryAndFragmentAreThere) {
  const Url url = must_parse("http://a.test/p?#");
  EXPECT_TRUE(url.has_query());
  EXPECT_TRUE(url.has_fragment());
  EXPECT_EQ(url.query(), "");
  EXPECT_EQ(url.fragment(), "");
  EXPECT_FALSE(must_parse("http://a.test/p").has_query());
}

TEST(Url, EffectivePortIsTheSchemesDefault) {
  EXPECT_EQ(must_parse("http://a.test/").effective_port(), 80);
  EXPECT_EQ(must_parse("https://a.test/").effective_port(), 443);
  EXPECT_EQ(must_parse("foo://a.test/").effective_port(), 0);
  EXPECT_EQ(must_parse("foo://a.test:80/").port(), 80);
}

TEST(Url, HostKindsAreTold) {
  EXPECT_EQ(must_parse("http://a.test/").host_kind(), HostKind::kDomain);
  EXPECT_EQ(must_parse("http://1.2.3.4/").host_kind(), HostKind::kIpv4);
  EXPECT_EQ(must_parse("http://[::1]/").host_kind(), HostKind::kIpv6);
  EXPECT_EQ(must_parse("foo://a/").host_kind(), HostKind::kOpaque);
  EXPECT_EQ(must_parse("file:///x").host_kind(), HostKind::kEmpty);
  EXPECT_EQ(must_parse("mailto:x").host_kind(), HostKind::kNone);
}

TEST(WireForm, DropsFragmentAndCredentials) {  // 32, 85
  bool dropped = false;
  const Url wire = wire_form(must_parse("https://u:p@a.test:8443/x?y#z"), &dropped);
  EXPECT_TRUE(dropped);
  EXPECT_EQ(wire.href(), "https://a.test:8443/x?y");
  EXPECT_EQ(wire.hostname(), "a.test");
  EXPECT_EQ(wire.port(), 8443);
  EXPECT_EQ(wire.path(), "/x");
  EXPECT_EQ(wire.query(), "y");
  EXPECT_FALSE(wire.has_fragment());
  EXPECT_FALSE(wire.has_credentials());
  wire_form(must_parse("http://a.test/"), &dropped);
  EXPECT_FALSE(dropped);
}

TEST(Url, Ours_ABarePercentInThePathIsSentAsAnEscape) {
  struct Pair {
    std::string_view url;
    std::string_view wire;
  };
  constexpr Pair kPairs[] = {
      {"http://a.test/operator%.html", "http://a.test/operator%25.html"},
      {"http://a.test/%", "http://a.test/%25"},
      {"http://a.test/%%%41?%#%", "http://a.test/%25%25%41?%"},
      {"http://a.test/%4", "http://a.test/%254"},
      {"http://a.test/%zz/%41?x=%zz", "http://a.test/%25zz/%41?x=%zz"},
      {"http://u@a.test/%?q", "http://a.test/%25?q"},
      {"foo://a.test/%", "foo://a.test/%"},
  };
  for (const Pair& row : kPairs) {
    const Url wire = wire_form(must_parse(row.url));
    EXPECT_EQ(wire.href(), row.wire) << row.url;
    EXPECT_EQ(wire, must_parse(row.wire));
    EXPECT_EQ(wire.query(), must_parse(row.wire).query());
  }
}

TEST(WireForm, EqualsAFreshParseOfItself) {
  for (const std::string_view input :
       {"http://u@a.test/x#f", "foo:/.//x?q#f", "mailto:x#f", "file:///C:/x#", "http://:p@[::1]:81/?#"}) {
    const Url wire = wire_form(must_parse(input));
    const Url again = must_parse(wire.href());
    EXPECT_EQ(wire.href(), again.href());
    EXPECT_EQ(wire.path(), again.path());
    EXPECT_EQ(wire.query(), again.query());
    EXPECT_EQ(wire.host(), again.host());
    EXPECT_EQ(wire.host_kind(), again.host_kind());
  }
}

TEST(Origin, IsTheLeadingPartOfTheWireForm) {
  EXPECT_EQ(origin(must_parse("http://A.test/x?y")), "http://a.test");
  EXPECT_EQ(origin(must_parse("https://a.test:8443/")), "https://a.test:8443");
  EXPECT_EQ(origin(must_parse("http://[::1]:80/x")), "http://[::1]");
}

}  // namespace
}  // namespace weir::frontier
