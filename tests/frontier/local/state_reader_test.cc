// StateReader: what explain tells of each fate, beside a running crawl, and that check() sees what is broken.
#include "frontier/local/state_reader.h"

#include <algorithm>

#include "frontier/local/layout.h"
#include "frontier/local/state_folder.h"
#include "frontier/url/url_key.h"
#include "tests/frontier/local/local_world.h"

namespace weir::test {
namespace {

using frontier::CandidateBatch;
using frontier::Outcome;
using frontier::Reason;
using frontier::Settlement;
using frontier::local::StateReader;
using frontier::local::UrlState;

class Reading : public LocalTest {
 protected:
  std::unique_ptr<StateReader> reader() {
    auto opened = StateReader::open(options.path, *log);
    EXPECT_TRUE(opened) << opened.error().message();
    EXPECT_TRUE((*opened)->load_filter(std::make_unique<ExactUrlSet>()));
    return std::move(*opened);
  }

  frontier::local::Explanation explain(std::string_view url) {
    const auto explanation = reader()->explain(url, url.find('/', 8), fingerprint_of(url));
    EXPECT_TRUE(explanation);
    return *explanation;
  }

  // Breaks the state by hand: removes the only entry of a queue.
  void lose_an_entry() {
    StoreOptions store;
    store.path = frontier::local::store_path(options.path);
    store.families = frontier::local::families();
    auto raw = Store::open(store, StoreAccess::kReadWrite, *log);
    ASSERT_TRUE(raw);
    const auto key = (*raw)->last_key(frontier::local::kQueue);
    StoreBatch batch = (*raw)->batch();
    batch.remove_single(frontier::local::kQueue, **key);
    ASSERT_TRUE((*raw)->write(batch, true));
  }
};

TEST_F(Reading, EachFateIsExplainedBesideARunningCrawl) {
  auto world = open();
  CandidateBatch batch = links({"http://a.test/done", "http://b.test/failed", "http://c.test/waiting"});
  batch.parent = "http://z.test/parent";
  batch.tag = "tag";
  world.add(batch);
  for (const auto& lease : world.lease()) {
    Settlement settlement = answered(lease);
    settlement.page.status = 204;
    if (lease.url.ends_with("failed")) settlement.outcome = Outcome::kFailed;
    if (lease.url.ends_with("failed")) settlement.page.reason = Reason::kTooSlow;
    if (!lease.url.ends_with("waiting")) world.settle(settlement);
  }
  const auto done = explain("http://a.test/done");
  EXPECT_EQ(done.state, UrlState::kDone);
  EXPECT_EQ(done.status, 204);
  EXPECT_EQ(done.parent, "http://z.test/parent");
  EXPECT_EQ(done.tag, "tag");
  EXPECT_EQ(done.attempts, 1);
  EXPECT_EQ(done.verdict, dedup::Verdict::kSeen);
  EXPECT_TRUE(done.verdict_certain);
  const auto failed = explain("http://b.test/failed");
  EXPECT_EQ(failed.state, UrlState::kFailed);
  EXPECT_EQ(failed.reason, Reason::kTooSlow);
  const auto waiting = explain("http://c.test/waiting");
  EXPECT_EQ(waiting.state, UrlState::kQueued);
  ASSERT_TRUE(waiting.host);
  EXPECT_EQ(waiting.host->pending, 1U);
  const auto unknown = explain("http://a.test/never");
  EXPECT_EQ(unknown.state, UrlState::kUnknown);
  EXPECT_EQ(unknown.verdict, dedup::Verdict::kNew);
  EXPECT_TRUE(unknown.host);
  EXPECT_FALSE(explain("http://d.test/never").host);
}

TEST_F(Reading, UrlIsFoundByItsKeyAndTheStatesSecret) {
  auto opened = try_open();
  ASSERT_TRUE(opened);
  const auto url = frontier::parse_url("http://a.test/%7euser?q#fragment");
  ASSERT_TRUE(url);
  CandidateBatch batch;
  add_link(batch, url->href_without_fragment());
  std::string key;
  frontier::append_key(key, *url);
  batch.items[0].fingerprint = dedup::fingerprint(key, (*opened)->secret());
  ASSERT_TRUE((*opened)->turn({}, {&batch, 1}, FrontierWorld::start()));
  EXPECT_EQ(reader()->explain(*url, {})->state, UrlState::kQueued);
  EXPECT_EQ(reader()->explain(*url, {})->verdict, dedup::Verdict::kSeen);
  const auto report = reader()->check(frontier::KeyRules());
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->sound()) << describe(*report);
}

// Symptom: a URL that waited in another spelling of its key was called lost.
TEST_F(Reading, UrlThatWaitsInAnotherSpellingIsFoundByItsKey) {
  const auto rules = *frontier::KeyRules::compile({{"ignore-scheme", "strip-www", "sort-query"}, {}});
  options.key_rules = rules.text();
  auto opened = try_open();
  ASSERT_TRUE(opened);
  CandidateBatch batch;
  add_link(batch, "https://www.a.test/?b&a");
  const auto url = *frontier::parse_url("http://a.test/?a&b");
  batch.items[0].fingerprint = dedup::fingerprint(rules.key(url).text(), (*opened)->secret());
  ASSERT_TRUE((*opened)->turn({}, {&batch, 1}, FrontierWorld::start()));
  EXPECT_EQ(reader()->key_rules(), rules.text());
  EXPECT_EQ(reader()->explain(url, rules)->state, UrlState::kQueued);
  EXPECT_EQ(reader()->explain(url, {})->state, UrlState::kLost);  // rules that are not the state's
  EXPECT_TRUE(reader()->check(rules)->sound());
}

TEST_F(Reading, WalksSeeEverythingOnce) {
  auto world = open();
  world.add({"http://a.test/1", "http://a.test/2", "http://b.test/1"});
  ASSERT_TRUE(world->checkpoint(world.now()));
  world.add({"http://c.test/1"});
  world.settle(answered(world.lease(1).at(0)));
  std::vector<std::string> urls;
  ASSERT_TRUE(reader()->for_each_queued([&](const auto& queued) {
    urls.push_back(queued.url);
    return true;
  }));
  ASSERT_TRUE(reader()->for_each_done([&](const auto&, const auto& record) {
    urls.emplace_back(record.url);
    return true;
  }));
  std::ranges::sort(urls);
  EXPECT_EQ(urls, (std::vector<std::string>{"http://a.test/1", "http://a.test/2", "http://b.test/1",
                                            "http://c.test/1"}));
  EXPECT_EQ(reader()->totals().admitted, 4U);
}

TEST_F(Reading, CheckSeesALostUrl) {
  open().add({"http://a.test/1", "http://a.test/2"});
  EXPECT_TRUE(check().sound());
  lose_an_entry();
  const auto report = check();
  EXPECT_EQ(report.lost, 1U);
  EXPECT_EQ(report.hosts_wrong, 1U);
  EXPECT_EQ(explain("http://a.test/2").state, UrlState::kLost);
}

TEST_F(Reading, CheckSeesALostUrlBehindACheckpoint) {
  {
    auto world = open();
    for (const auto url : {"http://a.test/1", "http://a.test/2", "http://a.test/3"}) {
      world.add({url});
      ASSERT_TRUE(world->checkpoint(world.now()));
    }
  }
  lose_an_entry();
  EXPECT_EQ(check().lost, 1U);
}

TEST_F(Reading, FolderWithoutAStateIsRefused) {
  const auto refused = StateReader::open(folder.path() + "/nothing", *log);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kState);
}

}  // namespace
}  // namespace weir::test
