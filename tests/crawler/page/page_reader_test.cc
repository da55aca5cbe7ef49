// Links of a page on their way to candidates: repeats, scope, base, redirects. The extractor is a fake that
// returns what the test says; resolution, keys and scope are the real ones.
#include "crawler/page/page_reader.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

namespace weir::crawler {
namespace {

using frontier::Lease;
using frontier::Reason;

class FixedExtractor final : public Extractor {
 public:
  explicit FixedExtractor(Extraction extraction) : extraction_(std::move(extraction)) {}
  void extract(std::string_view, Extraction& out) override { out = extraction_; }

 private:
  Extraction extraction_;
};

Extraction page_with(std::initializer_list<std::string_view> links) {
  Extraction extraction;
  for (const std::string_view raw : links) extraction.add(raw, {}, {.tag = "a", .attribute = "href"});
  return extraction;
}

frontier::ScopeOptions only_host(const std::string& host) {
  frontier::ScopeOptions options;
  options.hosts = {host};
  return options;
}

class PageReaderTest : public testing::Test {
 protected:
  void SetUp() override {
    options_.limits.requisites = options_.limits.references = false;
    folder_ = testing::TempDir() + "weir_page_reader_" +
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  PageReader reader(Extraction extraction, const frontier::ScopeOptions& scope = {}) {
    scope_.emplace(*frontier::Scope::compile(scope));
    return PageReader(std::make_unique<FixedExtractor>(std::move(extraction)), *scope_, dedup::Secret{},
                      options_, counters_, times_, dropped_.get());
  }
  void log_drops() {
    auto opened = DroppedLog::open(folder_ + "/dropped.jsonl");
    ASSERT_TRUE(opened) << opened.error().message();
    dropped_ = *std::move(opened);
  }
  // "reason url rule" of each line.
  std::vector<std::string> drops() {
    dropped_->flush();
    std::ifstream file(folder_ + "/dropped.jsonl");
    std::vector<std::string> all;
    for (std::string line; std::getline(file, line);) {
      const auto json = nlohmann::json::parse(line);
      all.push_back(json["reason"].get<std::string>() + " " + json["url"].get<std::string>() + " " +
                    json["rule"].get<std::string>());
    }
    return all;
  }
  PageReading read(PageReader& reader, const std::string& url = "http://a.test/d/p") {
    lease_.url = url;
    HttpAnswer answer;
    answer.status = 200;
    answer.content_type = "text/html";
    answer.body = "<p>";
    return reader.read(lease_, *frontier::parse_url(url), answer);
  }
  RedirectReading follow(PageReader& reader, const std::string& location) {
    lease_.url = "http://a.test/d/p";
    HttpAnswer answer;
    answer.status = 302;
    answer.location = location;
    return reader.follow(lease_, *frontier::parse_url(lease_.url), answer);
  }
  void set_rules(std::vector<std::string> names) {
    options_.key_rules = *frontier::KeyRules::compile({std::move(names), {}});
  }
  static std::vector<std::string> urls(const frontier::CandidateBatch& batch) {
    std::vector<std::string> all;
    for (const auto& item : batch.items) all.emplace_back(batch.url(item));
    return all;
  }

  PageReaderOptions options_;
  std::string folder_;
  CrawlCounters counters_;
  StageTimes times_;
  std::unique_ptr<DroppedLog> dropped_;
  std::optional<frontier::Scope> scope_;
  Lease lease_;
};

TEST_F(PageReaderTest, LinksAreResolvedAgainstThePageAndLoseTheirFragment) {
  auto it = reader(page_with({"../x#y", "z?q=1", "//b.test/"}));
  EXPECT_EQ(urls(read(it).links),
            (std::vector<std::string>{"http://a.test/x", "http://a.test/d/z?q=1", "http://b.test/"}));
}

TEST_F(PageReaderTest, RepeatsInThePageAndAcrossPagesAreCountedNotSent) {
  Extraction extraction = page_with({"/x", "/x", "/x#f", "http://A.test/x"});
  auto it = reader(extraction);
  const PageReading first = read(it);
  EXPECT_EQ(first.links.items.size(), 1u);
  EXPECT_EQ(first.repeats, 3u);
  const PageReading second = read(it);
  EXPECT_EQ(second.links.items.size(), 0u);
  EXPECT_EQ(second.repeats, 4u);
}

TEST_F(PageReaderTest, KeyRulesDecideWhatIsARepeat) {
  Extraction extraction =
      page_with({"/x?b&a", "/x?a&b", "https://a.test/x?a&b&utm_source=m", "/y#!/1", "/y#!/2", "/y#3"});
  set_rules({"sort-query", "ignore-scheme", "strip-tracking"});
  auto merging = reader(extraction);
  EXPECT_EQ(urls(read(merging).links), (std::vector<std::string>{"http://a.test/x?b&a", "http://a.test/y"}));
  set_rules({"hashbang"});
  auto splitting = reader(extraction);
  EXPECT_EQ(urls(read(splitting).links),
            (std::vector<std::string>{"http://a.test/x?b&a", "http://a.test/x?a&b",
                                      "https://a.test/x?a&b&utm_source=m", "http://a.test/y#!/1",
                                      "http://a.test/y#!/2", "http://a.test/y"}));
}

TEST_F(PageReaderTest, RedirectToAnotherSpellingOfThePageIsMarked) {
  struct Row {
    std::string_view location;
    bool same_page;
  };
  constexpr Row kRows[] = {
      {"https://a.test/d/p", true},
      {"/d/p/", true},
      {"/d/q", false},
      {"/d/p", false},    // to itself: a loop, as ever
      {"/d/%70", false},  // the always-on rules know it, too
  };
  set_rules({"ignore-scheme", "strip-trailing-slash"});
  auto it = reader({});
  for (const Row& row : kRows)
    EXPECT_EQ(follow(it, std::string(row.location)).links.items.at(0).same_page, row.same_page) << row.location;
  set_rules({});
  auto plain = reader({});
  EXPECT_FALSE(follow(plain, "https://a.test/d/p").links.items.at(0).same_page);
}

TEST_F(PageReaderTest, BaseElementMovesResolutionButDataBaseDoesNot) {
  Extraction extraction = page_with({"x"});
  extraction.base = "/img/";
  auto it = reader(extraction);
  EXPECT_EQ(urls(read(it).links), std::vector<std::string>{"http://a.test/img/x"});
  extraction.base = "data:,x";
  auto other = reader(extraction);
  EXPECT_EQ(urls(read(other).links), std::vector<std::string>{"http://a.test/d/x"});
}

TEST_F(PageReaderTest, OutOfScopeIsCountedAlsoWhenRemembered) {
  Extraction extraction = page_with({"http://b.test/", "mailto:x@a.test", "http://[bad/"});
  auto it = reader(extraction, only_host("a.test"));
  EXPECT_TRUE(read(it).links.items.empty());
  EXPECT_TRUE(read(it).links.items.empty());
  EXPECT_EQ(counters_.out_of_scope.value(), 4u);
  EXPECT_EQ(counters_.invalid_links.value(), 2u);
}

// Symptom: a link to www.a.test, out of scope, hid the page of a.test.
TEST_F(PageReaderTest, OutOfScopeSpellingDoesNotHideOneInScope) {
  Extraction extraction = page_with({"http://www.a.test/x", "http://a.test/x"});
  set_rules({"strip-www"});
  auto it = reader(extraction, only_host("a.test"));
  EXPECT_EQ(urls(read(it).links), std::vector<std::string>{"http://a.test/x"});
}

TEST_F(PageReaderTest, TooDeepIsNotRememberedAgainstAShallowerPage) {
  Extraction extraction = page_with({"/x"});
  frontier::ScopeOptions scope;
  scope.depth_max = 1;
  auto it = reader(extraction, scope);
  lease_.depth = 1;
  EXPECT_TRUE(read(it).links.items.empty());
  lease_.depth = 0;
  EXPECT_EQ(read(it).links.items.size(), 1u);
}

TEST_F(PageReaderTest, LinksOfTheHeaderAreRelativeToTheAnswerNotToBase) {
  Extraction extraction = page_with({"x"});
  extraction.base = "/img/";
  auto it = reader(extraction);
  HttpAnswer answer;
  answer.content_type = "text/html";
  answer.body = "<p>";
  answer.link = "<x>; rel=next, <s.css>; rel=stylesheet";
  answer.refresh = "5; url=later";
  answer.content_location = "p.en";
  EXPECT_EQ(urls(it.read(lease_, *frontier::parse_url("http://a.test/d/p"), answer).links),
            (std::vector<std::string>{"http://a.test/d/x", "http://a.test/d/later", "http://a.test/d/p.en",
                                      "http://a.test/img/x"}));
}

TEST_F(PageReaderTest, StyleSheetsAreReadWhenRequisitesAreFollowed) {
  HttpAnswer answer;
  answer.content_type = "text/css";
  answer.body = "@import 'b.css'; a{b:url(../c.png)}";
  const auto page = *frontier::parse_url("http://a.test/css/a.css");
  frontier::ScopeOptions scope;
  scope.suffixes_deny.clear();  // of images and style sheets, among others
  auto without = reader({}, scope);
  EXPECT_TRUE(without.read(lease_, page, answer).links.items.empty());
  options_.limits.requisites = true;
  auto with = reader({}, scope);
  EXPECT_EQ(urls(with.read(lease_, page, answer).links),
            (std::vector<std::string>{"http://a.test/css/b.css", "http://a.test/c.png"}));
}

TEST_F(PageReaderTest, QueriesAreInThePagesEncoding) {
  auto it = reader(page_with({"/\u00E9?q=\u00E9\u2605", "/ok"}));
  HttpAnswer answer;
  answer.content_type = "text/html; charset=windows-1252";
  answer.body = "<p>\xE9";
  answer.link = "</?\u00E9>; rel=next";  // a header is of no page
  EXPECT_EQ(urls(it.read(lease_, *frontier::parse_url("http://a.test/"), answer).links),
            (std::vector<std::string>{"http://a.test/?%C3%A9", "http://a.test/%C3%A9?q=%E9%26%239733%3B",
                                      "http://a.test/ok"}));
}

// Symptom: a link of the page was taken for a repeat of the header's, which is another URL in another encoding.
TEST_F(PageReaderTest, OneTextInHeaderAndPageIsTwoLinksWhenTheirEncodingsDiffer) {
  auto it = reader(page_with({"?\u00E9"}));
  HttpAnswer answer;
  answer.content_type = "text/html; charset=windows-1252";
  answer.body = "<p>\xE9";
  answer.link = "<?\u00E9>; rel=next";
  EXPECT_EQ(urls(it.read(lease_, *frontier::parse_url("http://a.test/"), answer).links),
            (std::vector<std::string>{"http://a.test/?%C3%A9", "http://a.test/?%E9"}));
}

std::string gzipped(const std::string& text) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

TEST_F(PageReaderTest, SitemapsFeedsAndXhtmlLeadOn) {
  struct Row {
    std::string_view url;
    std::string_view type;
    std::string body;
    std::vector<std::string> links;
  };
  const std::string sitemap = "<urlset><url><loc>http://a.test/1?a&b</loc></url></urlset>";
  const Row rows[] = {
      {"http://a.test/x", "application/xml", sitemap, {"http://a.test/1?a&b"}},
      {"http://a.test/x",
       "application/rss+xml",
       "<rss><channel><item><link>/2</link></item></channel></rss>",
       {"http://a.test/2"}},
      {"http://a.test/sitemap.xml.gz", "application/octet-stream", gzipped(sitemap), {"http://a.test/1?a&b"}},
      {"http://a.test/sitemap.txt", "text/plain", "http://a.test/3\n", {"http://a.test/3"}},
      {"http://a.test/notes.txt", "text/plain", "http://a.test/3\n", {}},
      {"http://a.test/x.zip", "application/octet-stream", gzipped(sitemap), {}},
      {"http://a.test/x",
       "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
       sitemap,
       {}},  // 175
      {"http://a.test/x",
       "application/xhtml+xml",
       "<html xmlns='http://www.w3.org/1999/xhtml'><script/><A href='no'/><a href='/4'/></html>",
       {"http://a.test/4"}},
      {"http://a.test/x",
       "application/xml",
       "<html xmlns='http://www.w3.org/1999/xhtml'><a href='/5'>&nbsp;</a></html>",
       {"http://a.test/5"}},
      {"http://a.test/x", "application/xml", "<unknown><loc>http://a.test/6</loc></unknown>", {}},
  };
  for (const Row& row : rows) {
    auto it = reader({});
    HttpAnswer answer;
    answer.content_type = row.type;
    answer.body = row.body;
    EXPECT_EQ(urls(it.read(lease_, *frontier::parse_url(row.url), answer).links), row.links)
        << row.url << " " << row.type;
  }
}

TEST_F(PageReaderTest, XhtmlThatIsNotWellFormedIsReadAsHtml) {
  auto it = reader(page_with({"/by-html"}));
  HttpAnswer answer;
  answer.content_type = "application/xhtml+xml";
  answer.body = "<html xmlns='http://www.w3.org/1999/xhtml'><a href='/by-xml'/><br></html>";
  EXPECT_EQ(urls(it.read(lease_, *frontier::parse_url("http://a.test/"), answer).links),
            std::vector<std::string>{"http://a.test/by-html"});
}

TEST_F(PageReaderTest, MetaNofollowLeadsNowhere) {
  Extraction extraction = page_with({"/x"});
  extraction.nofollow = true;
  auto it = reader(extraction);
  EXPECT_TRUE(read(it).links.items.empty());
}

TEST_F(PageReaderTest, UserinfoOfADiscoveredLinkIsDroppedAndCounted) {
  Extraction extraction = page_with({"http://u:p@a.test/x"});
  auto it = reader(extraction);
  EXPECT_EQ(urls(read(it).links), std::vector<std::string>{"http://a.test/x"});
  EXPECT_EQ(counters_.credentials_dropped.value(), 1u);
}

TEST_F(PageReaderTest, RedirectBecomesOneCandidateOfTheSameDepth) {
  auto it = reader({});
  lease_.depth = 3;
  const RedirectReading reading = follow(it, "/new");
  EXPECT_EQ(reading.reason, Reason::kRedirect);
  ASSERT_EQ(urls(reading.links), std::vector<std::string>{"http://a.test/new"});
  EXPECT_EQ(reading.links.items[0].depth, 3);
  EXPECT_EQ(reading.links.items[0].redirect_hops, 1);
}

TEST_F(PageReaderTest, RedirectsEndByLimitScopeAndBadLocation) {
  auto it = reader({}, only_host("a.test"));
  EXPECT_EQ(follow(it, "http://b.test/").reason, Reason::kRedirectOutOfScope);
  EXPECT_EQ(follow(it, "").reason, Reason::kBadRedirect);
  EXPECT_EQ(follow(it, "http://[bad").reason, Reason::kBadRedirect);
  EXPECT_EQ(follow(it, "///a.test/i").target, "http://a.test/i");  // field case 83
  lease_.redirect_hops = 10;
  EXPECT_EQ(follow(it, "/next").reason, Reason::kTooManyRedirects);
}

TEST_F(PageReaderTest, RelNofollowIsIgnoredUnlessItIsObeyed) {
  Extraction extraction = page_with({"/x", "/x", "/y"});
  extraction.links[0].nofollow = true;
  extraction.links[2].nofollow = true;
  auto ignoring = reader(extraction);
  EXPECT_EQ(urls(read(ignoring).links), (std::vector<std::string>{"http://a.test/x", "http://a.test/y"}));
  log_drops();
  options_.obey_nofollow = true;
  auto obeying = reader(extraction);
  // The same link without the word, lower on the page, is followed.
  EXPECT_EQ(urls(read(obeying).links), std::vector<std::string>{"http://a.test/x"});
  EXPECT_EQ(counters_.out_of_scope.value(), 2u);
  EXPECT_EQ(drops(), (std::vector<std::string>{"nofollow http://a.test/x scope.nofollow 'obey'",
                                               "nofollow http://a.test/y scope.nofollow 'obey'"}));
}

TEST_F(PageReaderTest, WhatIsRefusedStandsInTheDroppedLogOnce) {
  log_drops();
  Extraction extraction = page_with({"http://u:p@b.test/#f", "mailto:x@a.test", "http://[bad/", "/in"});
  auto it = reader(extraction, only_host("a.test"));
  read(it);
  read(it);  // remembered, so that it is counted but not written again; what does not parse is
  EXPECT_EQ(drops(), (std::vector<std::string>{"out_of_scope http://b.test/ no scope rule matches",
                                               "not_http mailto:x@a.test scope.schemes",
                                               "invalid_url http://[bad/ invalid host: not an IPv6 address",
                                               "invalid_url http://[bad/ invalid host: not an IPv6 address"}));
  EXPECT_EQ(counters_.out_of_scope.value(), 4u);
}

TEST_F(PageReaderTest, MetaNofollowAndRefusedRedirectsStandInTheDroppedLog) {
  log_drops();
  Extraction extraction = page_with({"/x"});
  extraction.nofollow = true;
  auto it = reader(extraction, only_host("a.test"));
  read(it);
  follow(it, "http://b.test/x");
  EXPECT_EQ(drops(), (std::vector<std::string>{"nofollow http://a.test/x robots.obey_meta",
                                               "redirect_out_of_scope http://b.test/x no scope rule matches"}));
}

// Hops are counted from the last page that the rules name; a redirect is no step of its own.
TEST_F(PageReaderTest, OffScopeHopsAreCountedAlongTheWay) {
  Extraction extraction = page_with({"http://b.test/1", "http://a.test/1"});
  frontier::ScopeOptions scope = only_host("a.test");
  scope.off_scope_hops = 2;
  for (const int from : {0, 1, 2}) {
    auto it = reader(extraction, scope);
    lease_.off_scope_hops = static_cast<std::uint8_t>(from);
    const PageReading reading = read(it, from == 0 ? "http://a.test/" : "http://c.test/");
    if (from == 2) {
      EXPECT_EQ(urls(reading.links), std::vector<std::string>{"http://a.test/1"});
      continue;
    }
    ASSERT_EQ(reading.links.items.size(), 2u);
    EXPECT_EQ(reading.links.items[0].off_scope_hops, from + 1);
    EXPECT_EQ(reading.links.items[1].off_scope_hops, 0);
    const RedirectReading redirect = follow(it, "http://b.test/2");
    ASSERT_EQ(redirect.links.items.size(), 1u);
    EXPECT_EQ(redirect.links.items[0].off_scope_hops, 1);
  }
}

// What was too far from one page may be near enough from the next.
TEST_F(PageReaderTest, TooFarAwayIsNotRememberedAgainstANearerPage) {
  Extraction extraction = page_with({"http://b.test/1"});
  frontier::ScopeOptions scope = only_host("a.test");
  scope.off_scope_hops = 1;
  auto it = reader(extraction, scope);
  lease_.off_scope_hops = 1;
  EXPECT_TRUE(read(it, "http://c.test/").links.items.empty());
  lease_.off_scope_hops = 0;
  EXPECT_EQ(read(it).links.items.size(), 1u);
}

}  // namespace
}  // namespace weir::crawler
