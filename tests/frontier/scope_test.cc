// Each scope rule alone, their order, the words for a verdict, and what compile refuses. Numbers name field
// cases.
#include "frontier/scope/scope.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace weir::frontier {
namespace {

// "in RULE" or "out RULE", or the error when the options do not compile.
std::string verdict(const ScopeOptions& options, std::string_view input, const ScopePlace& place = {}) {
  const auto scope = Scope::compile(options);
  if (!scope) return scope.error().message();
  const Url url = *parse_url(input);
  const ScopeVerdict made = scope->judge(url, place);
  return (made.in_scope() ? "in " : "out ") + scope->describe(made, url);
}

ScopeOptions only_hosts(std::vector<std::string> hosts) {
  ScopeOptions options;
  options.hosts = std::move(hosts);
  return options;
}

struct Row {
  const char* url;
  const char* verdict;
};

void expect(const ScopeOptions& options, std::initializer_list<Row> rows) {
  for (const Row& row : rows) EXPECT_EQ(verdict(options, row.url), row.verdict) << row.url;
}

constexpr const char* kNone = "out no scope rule matches";
constexpr const char* kUnlimited = "in no rule limits the hosts";

TEST(Scope, WithoutRulesEveryHttpUrlBelongs) {
  expect({}, {{"http://a.test/", kUnlimited},
              {"https://[::1]:8443/x", kUnlimited},
              {"ftp://a.test/", "out scope.schemes"},
              {"mailto:a@a.test", "out scope.schemes"}});
}

TEST(Scope, SchemesCanBeNarrowed) {
  ScopeOptions options;
  options.schemes = {"https"};
  expect(options, {{"https://a.test/", kUnlimited}, {"http://a.test/", "out scope.schemes"}});
  options.schemes = {"https", "ftp"};
  EXPECT_NE(verdict(options, "http://a.test/").find("scope.schemes[1]: 'ftp'"), std::string::npos);
  options.schemes = {};
  EXPECT_NE(verdict(options, "http://a.test/").find("scope.schemes: is empty"), std::string::npos);
}

TEST(Scope, PortsThatBrowsersBlockAreRefusedUnlessNamed) {
  const char* bad = "out scope.bad_ports false";
  expect({}, {{"http://a.test:25/", bad},
              {"https://a.test:22/", bad},
              {"http://a.test:6667/", bad},
              {"http://a.test:10080/", bad},
              {"http://a.test:8080/", kUnlimited},
              {"http://a.test:443/", kUnlimited}});
  ScopeOptions options;
  options.bad_ports = true;
  expect(options, {{"http://a.test:25/", kUnlimited}});
  options.bad_ports = false;
  options.ports = {"80", "25"};
  expect(options, {{"http://a.test/", kUnlimited},
                   {"http://a.test:25/", kUnlimited},
                   {"https://a.test/", "out scope.ports"},
                   {"http://a.test:22/", "out scope.ports"}});
  options.ports = {"80", "65536"};
  EXPECT_NE(verdict(options, "http://a.test/").find("scope.ports[1]: '65536'"), std::string::npos);
}

TEST(Scope, HostsMatchTheWholeNameAndAnyPort) {
  expect(only_hosts({"A.test", "\u00FC.test", "[::1]"}),
         {{"http://a.test/x", "in scope.hosts 'A.test'"},
          {"https://a.test:8443/x", "in scope.hosts 'A.test'"},
          {"http://xn--tda.test/", "in scope.hosts '\u00FC.test'"},
          {"http://[0:0::1]/", "in scope.hosts '[::1]'"},
          {"http://www.a.test/", kNone}});
}

TEST(Scope, HostsWithAPortMatchThatPortOnly) {
  expect(only_hosts({"a.test:8080", "b.test:80", "[::1]:81"}),
         {{"http://a.test:8080/", "in scope.hosts 'a.test:8080'"},
          {"http://a.test/", kNone},
          {"http://b.test/", "in scope.hosts 'b.test:80'"},
          {"https://b.test/", kNone},
          {"http://[::1]:81/", "in scope.hosts '[::1]:81'"}});
}

TEST(Scope, StarIsEveryHost) { expect(only_hosts({"*"}), {{"http://any.test/", "in scope.hosts '*'"}}); }

TEST(Scope, DomainsMatchByLabelNeverBySubstring) {
  ScopeOptions options;
  options.domains = {"a.test"};
  expect(options, {{"http://a.test/", "in scope.domains 'a.test'"},
                   {"http://x.y.a.test/", "in scope.domains 'a.test'"},
                   {"http://b.test/s?u=http%3A%2F%2Fa.test%2F", kNone},         // 80
                   {"http://a.test.evil.test/", kNone},                         // 80
                   {"http://xa.test/", kNone},                                  // 80
                   {"http://a.test@b.test/", kNone},                            // 41: who is dialled decides
                   {"http://a.test\\@b.test/", "in scope.domains 'a.test'"}});  // 41
}

TEST(Scope, AStarBeforeADomainIsWhatIsBelowIt) {
  ScopeOptions options;
  options.domains = {"*.a.test", "*.co.uk"};
  expect(options, {{"http://x.a.test/", "in scope.domains '*.a.test'"},
                   {"http://a.test/", kNone},
                   {"http://b.co.uk/", "in scope.domains '*.co.uk'"},
                   {"http://co.uk/", kNone}});
  options.domains = {"*.a.test", "a.test"};
  expect(options, {{"http://a.test/", "in scope.domains 'a.test'"}});
}

TEST(Scope, APublicSuffixIsNoDomain) {
  for (const char* suffix : {"com", "co.uk", "github.io", "\u0440\u0444"}) {
    ScopeOptions options;
    options.domains = {suffix};
    EXPECT_NE(verdict(options, "http://a.test/").find("is a public suffix"), std::string::npos) << suffix;
  }
  for (const char* name : {"a.co.uk", "localhost", "intranet", "127.0.0.1"}) {
    ScopeOptions options;
    options.domains = {name};
    EXPECT_EQ(verdict(options, "http://b.test/"), kNone) << name;
  }
}

TEST(Scope, PrefixesAreComparedOnTheSerialisation) {
  ScopeOptions options;
  options.prefixes = {"https://b.test/", "HTTP://A.test:80/docs/"};
  const char* docs = "in scope.prefixes[1] 'HTTP://A.test:80/docs/'";
  expect(options, {{"http://a.test/docs/x", docs},
                   {"http://u:p@a.test/docs/x#f", docs},
                   {"http://a.test/docs/../x", kNone},
                   {"https://a.test/docs/x", kNone}});
}

TEST(Scope, AllowPatternsAddAndDenyPatternsWin) {
  ScopeOptions options = only_hosts({"a.test"});
  options.allow = {"^http://b\\.test/", "\\.php$"};
  options.deny = {"/private/", "[?&]session="};
  expect(options, {{"http://a.test/x", "in scope.hosts 'a.test'"},
                   {"http://b.test/x", "in scope.allow[0] '^http://b\\.test/'"},
                   {"http://c.test/x.php#page=2", "in scope.allow[1] '\\.php$'"},
                   {"http://c.test/x", kNone},
                   {"http://a.test/private/x", "out scope.deny[0] '/private/'"},
                   {"http://u:p@b.test/?a&session=1", "out scope.deny[1] '[?&]session='"}});
}

TEST(Scope, DenyAloneStillAllowsTheRest) {
  ScopeOptions options;
  options.deny = {"x"};
  expect(options, {{"http://a.test/y", kUnlimited}, {"http://a.test/x", "out scope.deny[0] 'x'"}});
}

TEST(Scope, TheFirstOrderedRuleThatMatchesDecides) {
  ScopeOptions options = only_hosts({"a.test"});
  options.deny = {"/docs/"};
  options.rules = {"- \\.old$", "+ ^https://b\\.test/docs/", "-  ^https://b\\.test/", "+ \\.pdf$"};
  expect(options, {{"https://b.test/docs/x", "in scope.rules[1] '+ ^https://b\\.test/docs/'"},
                   {"https://b.test/docs/x.old", "out scope.rules[0] '- \\.old$'"},
                   {"https://b.test/", "out scope.rules[2] '-  ^https://b\\.test/'"},
                   {"http://c.test/x.pdf", "in scope.rules[3] '+ \\.pdf$'"},  // also before suffixes_deny
                   {"http://a.test/docs/", "out scope.deny[0] '/docs/'"},
                   {"http://a.test/", "in scope.hosts 'a.test'"},
                   {"https://b.test:25/docs/", "out scope.bad_ports false"}});  // guards stand above
}

TEST(Scope, OrderedRulesThatAreNoneAreRefusedByIndex) {
  for (const char* rule : {"\\.pdf$", "+", "+ ", "*a", "-x", ""}) {
    ScopeOptions options;
    options.rules = {"+ a", rule};
    EXPECT_TRUE(verdict(options, "http://a.test/").starts_with("scope.rules[1]: ")) << rule;
  }
  ScopeOptions options;
  options.rules = {"+ a", "- b("};
  EXPECT_EQ(verdict(options, "http://a.test/"), "scope.rules[1]: 'b(' is not an RE2 pattern: missing ): b(");
}

TEST(Scope, DepthIsLimitedBySettingAndSeed) {
  ScopeOptions options;
  options.depth_max = 3;
  EXPECT_EQ(verdict(options, "http://a.test/", {3}), kUnlimited);
  EXPECT_EQ(verdict(options, "http://a.test/", {4}), "out crawl.depth 3");
  EXPECT_EQ(verdict(options, "http://a.test/", {2, 1}), "out the seed's depth 1");
  EXPECT_EQ(verdict(options, "http://a.test/", {1, 1}), kUnlimited);
}

// Symptom of the class: one link out of the site brings in the whole web behind it.
TEST(Scope, OffScopeHopsReachSoFarAndNoFurther) {
  ScopeOptions options = only_hosts({"a.test"});
  const auto at = [&](std::string_view url, std::uint8_t hops) {
    return verdict(options, url, {.hops = hops});
  };
  EXPECT_EQ(at("http://b.test/", 1), kNone);
  options.off_scope_hops = 2;
  options.deny = {"/private"};
  EXPECT_EQ(at("http://b.test/", 1), "in scope.off_scope_hops 1");
  EXPECT_EQ(at("http://b.test/", 2), "in scope.off_scope_hops 2");
  EXPECT_EQ(at("http://b.test/", 3), kNone);
  EXPECT_EQ(at("http://a.test/", 3), "in scope.hosts 'a.test'");
  EXPECT_EQ(at("http://b.test/private", 1), "out scope.deny[0] '/private'");
  EXPECT_EQ(at("http://b.test/x.zip", 1), "out scope.suffixes_deny '.zip'");
  EXPECT_EQ(at("http://b.test:25/", 1), "out scope.bad_ports false");
  EXPECT_EQ(verdict(options, "http://b.test/"), kNone);  // a seed is no link
  options.depth_max = 0;
  EXPECT_EQ(verdict(options, "http://b.test/", {.depth = 1, .hops = 1}), "out crawl.depth 0");
}

TEST(Scope, OnlyVerdictsThatHoldOnEveryPageLast) {
  const auto lasting = [](const ScopeOptions& options, std::string_view input, const ScopePlace& place) {
    const auto scope = Scope::compile(options);
    return scope->is_lasting(scope->judge(*parse_url(input), place));
  };
  ScopeOptions options = only_hosts({"a.test"});
  options.depth_max = 1;
  EXPECT_TRUE(lasting(options, "http://b.test/", {.depth = 1, .hops = 1}));
  EXPECT_FALSE(lasting(options, "http://a.test/", {.depth = 2}));
  options.off_scope_hops = 1;
  EXPECT_FALSE(lasting(options, "http://b.test/", {.depth = 1, .hops = 2}));
  EXPECT_TRUE(lasting(options, "http://b.test/x.zip", {.depth = 1, .hops = 2}));
}

// Counted repeats over a long URL make the automaton start over many times; the answer stays right.
TEST(Scope, HungryPatternsStillDeny) {
  ScopeOptions options;
  options.url_bytes_max = 10'000;
  options.deny = {"[a-q][^u-z]{300}x0$", "[a-q][^u-z]{301}x1$", "[a-q][^u-z]{302}x2$"};
  std::string path;
  for (int i = 0; i < 4'000; ++i) path.push_back(static_cast<char>('a' + (i * i / 7 + i) % 20));
  EXPECT_EQ(verdict(options, "http://a.test/" + path + "x2").substr(0, 14), "out scope.deny");
  EXPECT_EQ(verdict(options, "http://a.test/" + path + "y2"), kUnlimited);
}

TEST(Scope, PatternsThatNeedTooMuchMemoryAreRefused) {
  ScopeOptions options;
  options.allow = {"(?:\\pL\\pN){500}x"};
  EXPECT_NE(verdict(options, "http://a.test/").find("scope.allow"), std::string::npos);
}

TEST(Scope, BadSettingsAreRefusedByName) {
  ScopeOptions pattern;
  pattern.deny = {"b", "a("};
  EXPECT_EQ(verdict(pattern, "http://a.test/"), "scope.deny[1]: 'a(' is not an RE2 pattern: missing ): a(");
  EXPECT_NE(verdict(only_hosts({"http://a.test/"}), "http://a.test/").find("scope.hosts: 'http://a.test/'"),
            std::string::npos);
  EXPECT_NE(verdict(only_hosts({"a.test/x"}), "http://a.test/").find("host name alone"), std::string::npos);
  ScopeOptions domain;
  domain.domains = {"a.test:80"};
  EXPECT_NE(verdict(domain, "http://a.test/").find("scope.domains: 'a.test:80'"), std::string::npos);
  ScopeOptions prefix;
  prefix.prefixes = {"/docs"};
  EXPECT_NE(verdict(prefix, "http://a.test/").find("scope.prefixes: '/docs'"), std::string::npos);
  EXPECT_EQ(Scope::compile(pattern).error().code(), ErrorCode::kUsage);
}

}  // namespace
}  // namespace weir::frontier
