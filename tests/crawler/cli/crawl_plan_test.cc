// What the seeds decide: who must leave a contact, and which hosts are in scope by default.
#include "crawler/cli/crawl_plan.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace weir::crawler {
namespace {

Result<CrawlPlan> plan(const TextList& seeds, const TextMap& dns_hosts = {}, const std::string& contact = {}) {
  Config config;
  config.crawl.seeds = seeds;
  config.dns.hosts = dns_hosts;
  config.agent.contact = contact;
  return plan_crawl(config);
}

TEST(CrawlPlan, AContactIsRequiredUnlessEverySeedIsOnThisMachine) {
  struct Row {
    TextList seeds;
    TextMap hosts;
    bool free;
    std::string_view reason;
  };
  const Row rows[] = {
      {{"http://127.0.0.1:8080/"}, {}, true, "loopback address"},
      {{"http://127.9.8.7/"}, {}, true, "all of 127/8"},
      {{"http://[::1]:80/"}, {}, true, "IPv6 loopback"},
      {{"http://2130706433/"}, {}, true, "a number that is a loopback address"},
      {{"localhost:8080"}, {}, true, "the name"},
      {{"http://a.test/"}, {{"a.test", "127.0.0.2"}}, true, "mapped to loopback"},
      {{"http://x.a.test/"}, {{"*.a.test", "127.0.0.2"}}, true, "mapped by a wildcard"},
      {{"http://localhost/"}, {{"localhost", "192.0.2.1"}}, false, "mapped away from this machine"},
      {{"http://a.test/"}, {{"b.test", "127.0.0.2"}}, false, "another name is mapped"},
      {{"http://127.0.0.1/", "http://a.test/"}, {}, false, "one seed elsewhere is enough"},
      {{"http://10.0.0.1/"}, {}, false, "private is not this machine"},
      {{"http://localhost.a.test/"}, {}, false, "begins like localhost only"},
  };
  for (const Row& row : rows) {
    const auto made = plan(row.seeds, row.hosts);
    EXPECT_EQ(made.has_value(), row.free) << row.reason;
    if (!made) {
      EXPECT_EQ(made.error().code(), ErrorCode::kUsage);
      EXPECT_NE(made.error().message().find("--set agent.contact="), std::string::npos) << row.reason;
    }
    EXPECT_TRUE(plan(row.seeds, row.hosts, "https://example.org/")) << row.reason;
  }
}

TEST(CrawlPlan, TheDefaultScopeIsTheSeedsHostsAndTheirTwins) {
  const auto made = plan({"http://a.test/x", "https://www.b.test/", "http://c.test:8080/", "http://127.0.0.1/",
                          "http://localhost:81/", "http://[::1]:82/"},
                         {}, "https://example.org/");
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_EQ(made->scope.hosts, (TextList{"127.0.0.1", "[::1]:82", "a.test", "b.test", "c.test:8080",
                                         "localhost:81", "www.a.test", "www.b.test", "www.c.test:8080"}));
  EXPECT_TRUE(frontier::Scope::compile(made->scope));
}

TEST(CrawlPlan, AConfiguredScopeReplacesTheDefault) {
  Config config;
  config.crawl.seeds = {"http://127.0.0.1/"};
  config.scope.allow = {"/docs/"};
  const auto made = plan_crawl(config);
  ASSERT_TRUE(made);
  EXPECT_TRUE(made->scope.hosts.empty());
  config.scope.allow.clear();
  config.scope.deny = {"/private/"};  // a denial alone names no scope
  EXPECT_EQ(plan_crawl(config)->scope.hosts, (TextList{"127.0.0.1"}));
}

TEST(CrawlPlan, WithoutAUsableSeedNothingIsDone) {
  for (const TextList& seeds : {TextList{}, TextList{"# comment"}, TextList{"http://["}}) {
    const auto made = plan(seeds);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code(), ErrorCode::kUsage);
    EXPECT_NE(made.error().message().find("no seeds"), std::string::npos);
  }
  EXPECT_NE(plan({"http://["}).error().message().find("seed:1: 'http://['"), std::string::npos);
}

}  // namespace
}  // namespace weir::crawler
