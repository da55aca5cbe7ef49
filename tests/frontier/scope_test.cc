// Each scope rule alone, their order, and what compile refuses. Numbers name field cases.
#include "frontier/scope.h"

#include <gtest/gtest.h>

#include <string>

namespace weir::frontier {
namespace {

constexpr std::uint32_t kNoLimit = 0xffff;

std::string verdict(const ScopeOptions& options, std::string_view input, std::uint32_t depth = 0,
                    std::uint32_t depth_limit = kNoLimit) {
  const auto scope = Scope::compile(options);
  if (!scope) return scope.error().message();
  return std::string(scope_rule_name(scope->judge(*parse_url(input), depth, depth_limit)));
}

ScopeOptions only_hosts(std::vector<std::string> hosts) {
  ScopeOptions options;
  options.hosts = std::move(hosts);
  return options;
}

TEST(Scope, WithoutRulesEveryHttpUrlBelongs) {
  EXPECT_EQ(verdict({}, "http://a.test/"), "allowed");
  EXPECT_EQ(verdict({}, "https://[::1]:8443/x"), "allowed");
  EXPECT_EQ(verdict({}, "ftp://a.test/"), "not_http");
  EXPECT_EQ(verdict({}, "mailto:a@a.test"), "not_http");
}

TEST(Scope, HostsMatchTheWholeNameAndAnyPort) {
  const ScopeOptions options = only_hosts({"A.test", "\u00FC.test", "[::1]"});
  EXPECT_EQ(verdict(options, "http://a.test/x"), "allowed");
  EXPECT_EQ(verdict(options, "https://a.test:8443/x"), "allowed");
  EXPECT_EQ(verdict(options, "http://xn--tda.test/"), "allowed");
  EXPECT_EQ(verdict(options, "http://[0:0::1]/"), "allowed");
  EXPECT_EQ(verdict(options, "http://www.a.test/"), "no_rule_matches");
}

TEST(Scope, HostsWithAPortMatchThatPortOnly) {
  const ScopeOptions options = only_hosts({"a.test:8080", "b.test:80", "[::1]:81"});
  EXPECT_EQ(verdict(options, "http://a.test:8080/"), "allowed");
  EXPECT_EQ(verdict(options, "http://a.test/"), "no_rule_matches");
  EXPECT_EQ(verdict(options, "http://b.test/"), "allowed");
  EXPECT_EQ(verdict(options, "https://b.test/"), "no_rule_matches");
  EXPECT_EQ(verdict(options, "http://[::1]:81/"), "allowed");
}

TEST(Scope, StarIsEveryHost) { EXPECT_EQ(verdict(only_hosts({"*"}), "http://any.test/"), "allowed"); }

TEST(Scope, DomainsMatchByLabelNeverBySubstring) {  // 80
  ScopeOptions options;
  options.domains = {"a.test"};
  EXPECT_EQ(verdict(options, "http://a.test/"), "allowed");
  EXPECT_EQ(verdict(options, "http://x.y.a.test/"), "allowed");
  EXPECT_EQ(verdict(options, "http://b.test/s?u=http%3A%2F%2Fa.test%2F"), "no_rule_matches");
  EXPECT_EQ(verdict(options, "http://a.test.evil.test/"), "no_rule_matches");
  EXPECT_EQ(verdict(options, "http://xa.test/"), "no_rule_matches");
  EXPECT_EQ(verdict(options, "http://a.test@b.test/"), "no_rule_matches");
}

TEST(Scope, PrefixesAreComparedOnTheSerialisation) {
  ScopeOptions options;
  options.prefixes = {"HTTP://A.test:80/docs/"};
  EXPECT_EQ(verdict(options, "http://a.test/docs/x"), "allowed");
  EXPECT_EQ(verdict(options, "http://u:p@a.test/docs/x#f"), "allowed");
  EXPECT_EQ(verdict(options, "http://a.test/docs/../x"), "no_rule_matches");
  EXPECT_EQ(verdict(options, "https://a.test/docs/x"), "no_rule_matches");
}

TEST(Scope, AllowPatternsAddAndDenyPatternsWin) {
  ScopeOptions options = only_hosts({"a.test"});
  options.allow = {"^http://b\\.test/", "\\.pdf$"};
  options.deny = {"/private/", "[?&]session="};
  EXPECT_EQ(verdict(options, "http://a.test/x"), "allowed");
  EXPECT_EQ(verdict(options, "http://b.test/x"), "allowed");
  EXPECT_EQ(verdict(options, "http://c.test/x.pdf#page=2"), "allowed");
  EXPECT_EQ(verdict(options, "http://c.test/x"), "no_rule_matches");
  EXPECT_EQ(verdict(options, "http://a.test/private/x"), "denied");
  EXPECT_EQ(verdict(options, "http://b.test/?a&session=1"), "denied");
}

TEST(Scope, DenyAloneStillAllowsTheRest) {
  ScopeOptions options;
  options.deny = {"x"};
  EXPECT_EQ(verdict(options, "http://a.test/y"), "allowed");
  EXPECT_EQ(verdict(options, "http://a.test/x"), "denied");
}

TEST(Scope, DepthIsLimitedBySettingAndSeed) {
  ScopeOptions options;
  options.depth_max = 3;
  EXPECT_EQ(verdict(options, "http://a.test/", 3), "allowed");
  EXPECT_EQ(verdict(options, "http://a.test/", 4), "too_deep");
  EXPECT_EQ(verdict(options, "http://a.test/", 2, 1), "too_deep");
  EXPECT_EQ(verdict(options, "http://a.test/", 1, 1), "allowed");
}

TEST(Scope, LongUrlsAreRefusedNotCut) {
  ScopeOptions options;
  options.url_bytes_max = 20;
  EXPECT_EQ(verdict(options, "http://a.test/123456"), "allowed");
  EXPECT_EQ(verdict(options, "http://a.test/123456#fragment"), "allowed");
  EXPECT_EQ(verdict(options, "http://a.test/1234567"), "url_too_long");
}

TEST(Scope, DeepPathsAndRepeatedSegmentsAreTraps) {  // 23
  ScopeOptions options;
  options.path_depth_max = 12;
  options.segment_repeats_max = 3;
  EXPECT_EQ(verdict(options, "http://a.test/x/x/x"), "allowed");
  EXPECT_EQ(verdict(options, "http://a.test/x/x/x/"), "allowed");
  EXPECT_EQ(verdict(options, "http://a.test/x/x/x/x"), "repeated_segments");
  EXPECT_EQ(verdict(options, "http://a.test/x/y/x/y/x/y/x/y"), "repeated_segments");
  EXPECT_EQ(verdict(options, "http://a.test/1/2/3/4/5/6/7/8/9/10/11/12"), "allowed");
  EXPECT_EQ(verdict(options, "http://a.test/1/2/3/4/5/6/7/8/9/10/11/12/13"), "path_too_deep");
  EXPECT_EQ(verdict(options, "http://a.test/?a/a/a/a/a/a/a/a/a/a/a/a/a"), "allowed");
}

// Counted repeats over a long URL make the automaton start over many times; the answer stays right.
TEST(Scope, HungryPatternsStillDeny) {
  ScopeOptions options;
  options.url_bytes_max = 10'000;
  options.deny = {"[a-q][^u-z]{300}x0$", "[a-q][^u-z]{301}x1$", "[a-q][^u-z]{302}x2$"};
  std::string path;
  for (int i = 0; i < 4'000; ++i) path.push_back(static_cast<char>('a' + (i * i / 7 + i) % 20));
  EXPECT_EQ(verdict(options, "http://a.test/" + path + "x2"), "denied");
  EXPECT_EQ(verdict(options, "http://a.test/" + path + "y2"), "allowed");
}

TEST(Scope, PatternsThatNeedTooMuchMemoryAreRefused) {
  ScopeOptions options;
  options.allow = {"(?:\\pL\\pN){500}x"};
  EXPECT_NE(verdict(options, "http://a.test/").find("scope.allow"), std::string::npos);
}

TEST(Scope, BadSettingsAreRefusedByName) {
  ScopeOptions pattern;
  pattern.deny = {"a("};
  EXPECT_EQ(verdict(pattern, "http://a.test/"), "scope.deny: 'a(' is not an RE2 pattern: missing ): a(");
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
