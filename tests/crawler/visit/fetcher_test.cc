// A fetcher with a scripted HTTP client: the order of its steps and what it settles. No sockets, no threads
// but the test's own: the lease queue is closed before run(), which then ends by itself.
#include "crawler/visit/fetcher.h"

#include <gtest/gtest.h>

#include <map>
#include <utility>

namespace weir::crawler {
namespace {

using frontier::Lease;
using frontier::LeaseKind;
using frontier::Outcome;
using frontier::Reason;
using frontier::RobotsState;
using frontier::Settlement;

// Answers each request in the next poll, by URL; unknown URLs are 404.
class ScriptedClient final : public HttpClient {
 public:
  explicit ScriptedClient(std::map<std::string, HttpAnswer> script) : script_(std::move(script)) {}
  void start(HttpRequest request, Now) override {
    asked.push_back(request.url);
    HttpAnswer answer;
    answer.status = 404;
    if (const auto found = script_.find(request.url); found != script_.end()) answer = found->second;
    answer.id = request.id;
    answer.contacted = true;
    ready_.push_back(answer);
  }
  void poll(Duration, Now, std::vector<HttpAnswer>& out) override {
    for (HttpAnswer& answer : ready_) out.push_back(std::move(answer));
    ready_.clear();
  }
  void wake() override {}
  void cancel_all() override {
    for (HttpAnswer& answer : ready_) answer.reason = Reason::kStopped;
  }
  std::size_t running() const override { return ready_.size(); }
  std::size_t open_connections() const override { return 0; }

  std::vector<std::string> asked;

 private:
  std::map<std::string, HttpAnswer> script_;
  std::vector<HttpAnswer> ready_;
};

class NoLinks final : public Extractor {
 public:
  void extract(std::string_view, Extraction& out) override { out.clear(); }
};

class ManualClock final : public Clock {
 public:
  Now now() const override {
    return {MonoTime(std::chrono::seconds(1)), WallTime(std::chrono::seconds(1'000'000))};
  }
};

HttpAnswer answer(std::uint16_t status, std::string body = "", std::string location = "") {
  HttpAnswer made;
  made.status = status;
  made.body = std::move(body);
  made.location = std::move(location);
  return made;
}

Lease lease(std::uint64_t id, std::string url) {
  Lease made;
  made.id = id;
  made.url = std::move(url);
  return made;
}

class FetcherTest : public testing::Test {
 protected:
  // Runs one fetcher over `leases` and returns its settlements in order.
  std::vector<Settlement> run(std::vector<Lease> leases, std::map<std::string, HttpAnswer> script,
                              bool drained = false) {
    auto client = std::make_unique<ScriptedClient>(std::move(script));
    client_ = client.get();
    FetcherOptions options;
    options.robots_agent = "weir";
    fetcher_ = std::make_unique<Fetcher>(
        options, FetcherParts{queue_, settlements_, std::move(client),
                              std::make_unique<PageReader>(std::make_unique<NoLinks>(), scope_, dedup::Secret{},
                                                           PageReaderOptions{}, counters_, times_),
                              nullptr, clock_, counters_, times_});
    for (Lease& one : leases) EXPECT_TRUE(queue_.try_push(std::move(one)));
    queue_.close();
    if (drained) fetcher_->drain();
    fetcher_->run();
    std::vector<Settlement> all;
    settlements_.pop_into(all, 100, Duration(0));
    return all;
  }

  LeaseQueue queue_{16};
  SettlementQueue settlements_{16};
  CrawlCounters counters_;
  StageTimes times_;
  ManualClock clock_;
  frontier::Scope scope_ = *frontier::Scope::compile({});
  ScriptedClient* client_ = nullptr;
  std::unique_ptr<Fetcher> fetcher_;
};

TEST_F(FetcherTest, PageIsFetchedAndSettledDone) {
  const auto settled = run({lease(7, "http://a.test/")}, {{"http://a.test/", answer(200, "x")}});
  ASSERT_EQ(settled.size(), 1u);
  EXPECT_EQ(settled[0].lease, 7u);
  EXPECT_EQ(settled[0].outcome, Outcome::kDone);
  EXPECT_EQ(settled[0].page.status, 200);
  EXPECT_TRUE(settled[0].host.contacted);
  EXPECT_EQ(counters_.fetched.value(), 1u);
}

// The key rule hashbang keeps it in the queue.
TEST_F(FetcherTest, FragmentOfALeaseIsNotSent) {
  const auto settled = run({lease(7, "http://a.test/x#!/1")}, {{"http://a.test/x", answer(200, "x")}});
  ASSERT_EQ(settled.size(), 1u);
  EXPECT_EQ(settled[0].page.status, 200);
  EXPECT_EQ(client_->asked, std::vector<std::string>{"http://a.test/x"});
}

TEST_F(FetcherTest, ForbiddenPageIsSettledWithoutARequest) {
  Lease forbidden = lease(1, "http://a.test/private?x");
  forbidden.robots = std::make_shared<const frontier::RobotsFile>(
      frontier::RobotsFile{"User-agent: *\nDisallow: /private?\n", 1});
  const auto settled = run({forbidden}, {});
  ASSERT_EQ(settled.size(), 1u);
  EXPECT_EQ(settled[0].page.reason, Reason::kRobotsDenied);
  EXPECT_EQ(settled[0].outcome, Outcome::kDone);
  EXPECT_FALSE(settled[0].host.contacted);
  EXPECT_TRUE(client_->asked.empty());
}

TEST_F(FetcherTest, EscapedSpellingDoesNotOpenAForbiddenPath) {
  Lease forbidden = lease(1, "http://a.test/%70rivate/x");
  forbidden.robots = std::make_shared<const frontier::RobotsFile>(
      frontier::RobotsFile{"User-agent: *\nDisallow: /private/\n", 1});
  const auto settled = run({forbidden}, {});
  ASSERT_EQ(settled.size(), 1u);
  EXPECT_EQ(settled[0].page.reason, Reason::kRobotsDenied);
}

TEST_F(FetcherTest, EscapedSpellingOfAnAllowedPathIsFetched) {
  Lease open = lease(1, "http://a.test/private/%6fpen-0");
  open.robots = std::make_shared<const frontier::RobotsFile>(
      frontier::RobotsFile{"User-agent: *\nDisallow: /private/\nAllow: /private/open-\n", 1});
  EXPECT_EQ(run({open}, {})[0].page.reason, Reason::kHttpStatus);
}

TEST_F(FetcherTest, RobotsLeaseFollowsFiveRedirectsAndBringsTheRules) {
  Lease robots = lease(1, "http://a.test/robots.txt");
  robots.kind = LeaseKind::kRobots;
  std::map<std::string, HttpAnswer> script;
  script["http://a.test/robots.txt"] = answer(301, "", "/r1");
  for (int hop = 1; hop < 5; ++hop) {
    script["http://a.test/r" + std::to_string(hop)] = answer(302, "", "/r" + std::to_string(hop + 1));
  }
  script["http://a.test/r5"] = answer(200, "User-agent: *\nDisallow: /x\nCrawl-delay: 2\n");
  const auto settled = run({robots}, script);
  ASSERT_EQ(settled.size(), 1u);
  EXPECT_EQ(settled[0].robots.state, RobotsState::kRules);
  EXPECT_EQ(settled[0].robots.crawl_delay, std::chrono::seconds(2));
  EXPECT_EQ(client_->asked.size(), 6u);
}

TEST_F(FetcherTest, GivenUpHostFailsWithoutContact) {
  Lease dead = lease(1, "http://a.test/");
  dead.host_given_up = true;
  dead.given_up_reason = Reason::kDnsNotFound;
  const auto settled = run({dead}, {});
  ASSERT_EQ(settled.size(), 1u);
  EXPECT_EQ(settled[0].outcome, Outcome::kFailed);
  EXPECT_EQ(settled[0].page.reason, Reason::kDnsNotFound);
  EXPECT_TRUE(client_->asked.empty());
}

TEST_F(FetcherTest, OverloadedHostPassesItsRetryAfterOn) {
  HttpAnswer busy = answer(503);
  busy.retry_after = "120";
  const auto settled = run({lease(1, "http://a.test/")}, {{"http://a.test/", busy}});
  ASSERT_EQ(settled.size(), 1u);
  EXPECT_EQ(settled[0].outcome, Outcome::kRetry);
  EXPECT_TRUE(settled[0].host.overloaded);
  EXPECT_EQ(settled[0].host.hold, std::chrono::seconds(120));
}

TEST_F(FetcherTest, DrainingFetcherReleasesWhatItHasNotBegun) {
  const auto settled = run({lease(1, "http://a.test/"), lease(2, "http://a.test/b")}, {}, true);
  ASSERT_EQ(settled.size(), 2u);
  EXPECT_EQ(settled[0].outcome, Outcome::kReleased);
  EXPECT_EQ(settled[1].outcome, Outcome::kReleased);
  EXPECT_TRUE(client_->asked.empty());
}

}  // namespace
}  // namespace weir::crawler
