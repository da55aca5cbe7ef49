// Sitemaps and feeds: what others read in real ones, what people get wrong, and what attackers send.
#include "crawler/sitemap/sitemap.h"

#include <gtest/gtest.h>
#include <re2/re2.h>
#include <zlib.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/support/corpora.h"
#include "tests/support/gzip_lines.h"

namespace weir::crawler {
namespace {

using nlohmann::json;

std::string repeat(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

std::vector<std::string> urls_of(const Sitemap& sitemap) {
  std::vector<std::string> urls;
  for (const SitemapEntry& entry : sitemap.entries)
    urls.push_back((entry.kind == EntryKind::kPage ? "" : std::string(entry_kind_name(entry.kind)) + " ") +
                   entry.url);
  return urls;
}

// What crawler-commons returns when it does not ask that host and folder agree.
TEST(Sitemap, CrawlerCommonsReadsTheSame) {
  WEIR_CORPUS_OR_SKIP(lines, "sitemaps/expected.jsonl");
  std::istringstream stream(lines);
  int files = 0;
  for (std::string line; std::getline(stream, line); ++files) {
    const json row = json::parse(line);
    const auto body = test::read_corpus(WEIR_SOURCE_DIR, "sitemaps/" + row["file"].get<std::string>());
    ASSERT_TRUE(body) << row["file"];
    const Sitemap sitemap = read_sitemap(*body, {}, nullptr);
    std::vector<std::string> found;
    std::vector<std::string> dates;
    for (const SitemapEntry& entry : sitemap.entries) {
      if (entry.kind != EntryKind::kPage && entry.kind != EntryKind::kSitemap) continue;
      found.push_back(entry.url);
      dates.push_back(entry.lastmod);
    }
    std::vector<std::string> wanted;
    for (const json& url : row["lenient"]["urls"]) {
      wanted.emplace_back(frontier::parse_url(url["loc"].get<std::string>())->href());
      const bool undated = url["lastmod"].is_null() && wanted.size() <= dates.size();
      EXPECT_TRUE(!undated || dates[wanted.size() - 1].empty()) << row["file"];
    }
    // A feed's own page is listed here, too.
    if (sitemap.format == SitemapFormat::kAtom || sitemap.format == SitemapFormat::kRss)
      std::erase_if(found,
                    [&](const std::string& url) { return std::ranges::find(wanted, url) == wanted.end(); });
    EXPECT_EQ(found, wanted) << row["file"] << " " << sitemap.problem;
  }
  EXPECT_EQ(files, 18);
}

// Feeds of a parser's tests that say which link an entry has.
TEST(Sitemap, FeedparserFindsTheSameLinks) {
  const auto corpora = test::corpora_folder(WEIR_SOURCE_DIR);
  if (!corpora) GTEST_SKIP() << "corpora are not beside the repository";
  static const RE2 kLink("entries\\[\\d\\]\\[?'?\\.?link'?\\]? == u?'([^']*)'");
  int feeds = 0;
  int linked = 0;
  int found = 0;
  for (const std::string& line : test::gzip_lines(*corpora / "feeds/feedparser-cases.jsonl.gz")) {
    const json row = json::parse(line);
    ++feeds;
    if (!row.contains("xml") || row["xml"].is_null()) continue;
    const auto base = frontier::parse_url("http://127.0.0.1:8097/");
    const Sitemap sitemap = read_sitemap(row["xml"].get<std::string>(), {}, &*base);
    std::string link;
    if (!row["expect_py"].is_string() || !RE2::PartialMatch(row["expect_py"].get<std::string>(), kLink, &link))
      continue;
    const auto wanted = frontier::parse_url(link, &*base);
    if (!wanted || !wanted->is_http()) continue;
    ++linked;
    const bool has = std::ranges::any_of(
        sitemap.entries, [&](const SitemapEntry& entry) { return entry.url == wanted->href(); });
    found += has ? 1 : 0;
    if (!has) std::cout << "  " << row["file"] << " lacks " << link << " " << sitemap.problem << "\n";
  }
  std::cout << "  " << feeds << " feeds, " << found << " of " << linked << " links\n";
  EXPECT_EQ(feeds, 467);
  EXPECT_EQ(found, linked - 2)
      << "CDF is not read, and one feed has its base in a header that is not in the file";
}

struct Row {
  std::string_view text;
  std::vector<std::string> urls;
};

TEST(Sitemap, WhatPeopleWrite) {
  const auto base = frontier::parse_url("http://a.test/d/");
  const Row rows[] = {
      {"<urlset><url><loc> http://a.test/1 </loc></url></urlset>", {"http://a.test/1"}},
      {"\n\n <?xml version='1.0'?><urlset><url><loc>http://a.test/?a=1&b=2</loc></url></urlset>",
       {"http://a.test/?a=1&b=2"}},
      {"<urlset><url><loc><![CDATA[http://a.test/?a&b]]></loc></url></urlset>", {"http://a.test/?a&b"}},
      {"<s:urlset xmlns:s='x'><s:url><s:loc>http://a.test/1</s:loc></s:url></s:urlset>", {"http://a.test/1"}},
      {"<URLSET><URL><LOC>http://a.test/1</LOC></URL></URLSET>", {"http://a.test/1"}},
      {"<urlset><url><loc>http://a.test/1</loc></url><url><loc>http://a.test/2", {"http://a.test/1"}},
      {"<urlset><url><loc>http://a.test/1</loc><br></url></urlset>", {"http://a.test/1"}},
      {"<urlset><url><loc>mailto:x@a.test</loc></url><url><loc>rel</loc></url></urlset>",
       {"http://a.test/d/rel"}},
      {"<urlset><url><loc>http://a.test/1</loc><image:image><image:loc>http://a.test/i.png</image:loc></"
       "image:image></url></urlset>",
       {"http://a.test/1", "image http://a.test/i.png"}},
      {"<urlset "
       "xmlns:i='i'><url><loc>http://a.test/1</loc><i:image><i:loc>http://a.test/i.png</i:loc></i:image></"
       "url></urlset>",
       {"http://a.test/1", "image http://a.test/i.png"}},
      {"<urlset xmlns:x='x'><url><loc>http://a.test/1</loc><x:link rel='alternate' hreflang='de' "
       "href='http://a.test/de'/></url></urlset>",
       {"http://a.test/1", "alternate http://a.test/de"}},
      {"<sitemapindex><sitemap><loc>http://a.test/s.xml</loc></sitemap></sitemapindex>",
       {"sitemap http://a.test/s.xml"}},
      {"<rss><channel><link>http://a.test/</link><image><link>http://a.test/no</link></image><item><link>x</"
       "link></item></channel></rss>",
       {"http://a.test/", "http://a.test/d/x"}},
      {"<rss><channel><item><guid>http://a.test/g</guid></item><item><guid "
       "isPermaLink='false'>http://a.test/no</guid></item></channel></rss>",
       {"http://a.test/g"}},
      {"<rss><channel><item><link>http://a.test/1</link><enclosure "
       "url='http://a.test/p.mp3'/></item></channel></rss>",
       {"http://a.test/1", "enclosure http://a.test/p.mp3"}},
      {"<feed xml:base='http://b.test/e/'><entry xml:base='f/'><link href='g'/></entry><link rel='next' "
       "href='?2'/></feed>",
       {"http://b.test/e/f/g", "feed http://b.test/e/?2"}},
      {"<html><a href='/x'/></html>", {}},
      {"\xEF\xBB\xBFhttp://a.test/1\r\n\r\nhttp://a.test/2\rnonsense here\n",
       {"http://a.test/1", "http://a.test/2", "http://a.test/d/nonsense%20here"}},
      {"", {}},
  };
  for (const Row& row : rows) EXPECT_EQ(urls_of(read_sitemap(row.text, {}, &*base)), row.urls) << row.text;
}

TEST(Sitemap, DatesBelongToTheirEntry) {
  const Sitemap sitemap = read_sitemap(
      "<urlset><url><lastmod>2026-12-01</lastmod><loc>http://a.test/1</loc></url><url><loc>http://a.test/2</"
      "loc></url></urlset>",
      {}, nullptr);
  ASSERT_EQ(sitemap.entries.size(), 2u);
  EXPECT_EQ(sitemap.entries[0].lastmod, "2026-12-01");
  EXPECT_EQ(sitemap.entries[1].lastmod, "");
}

TEST(Sitemap, OtherEncodings) {
  const Sitemap latin = read_sitemap(
      "<?xml version='1.0' encoding='iso-8859-1'?><urlset><url><loc>http://a.test/\xE9</loc></url></urlset>",
      {}, nullptr);
  EXPECT_EQ(urls_of(latin), std::vector<std::string>{"http://a.test/%C3%A9"});
  const Sitemap lying = read_sitemap(
      "<?xml version='1.0' encoding='utf-16'?><urlset><url><loc>http://a.test/1</loc></url></urlset>", {},
      nullptr);
  EXPECT_EQ(urls_of(lying), std::vector<std::string>{"http://a.test/1"});
}

TEST(Sitemap, MoreThanTheLimitIsLeftOutAndSaid) {
  std::string text = "<urlset>";
  for (int i = 0; i < 20; ++i) text += "<url><loc>http://a.test/" + std::to_string(i) + "</loc></url>";
  const Sitemap sitemap = read_sitemap(text + "</urlset>", {}, nullptr, {.entries_max = 10});
  EXPECT_EQ(sitemap.entries.size(), 10u);
  EXPECT_TRUE(sitemap.limited);
  EXPECT_FALSE(read_sitemap(text + "</urlset>", {}, nullptr, {.entries_max = 20}).limited);
}

TEST(Sitemap, BrokenOnesSayWhere) {
  const Sitemap sitemap =
      read_sitemap("<urlset>\n<url><loc>http://a.test/1</loc></url>\n  </wrong>", {}, nullptr);
  EXPECT_EQ(sitemap.problem, "line 3, column 5: mismatched tag");
  EXPECT_EQ(sitemap.entries.size(), 1u);
}

std::string gzip_of(std::size_t bytes) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out;
  const std::string zeros(1 << 20, ' ');
  std::string buffer(1 << 16, '\0');
  for (std::size_t done = 0; done <= bytes; done += zeros.size()) {
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(zeros.data()));
    stream.avail_in = static_cast<uInt>(zeros.size());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream.avail_out = static_cast<uInt>(buffer.size());
      deflate(&stream, done + zeros.size() > bytes ? Z_FINISH : Z_NO_FLUSH);
      out.append(buffer, 0, buffer.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }
  deflateEnd(&stream);
  return out;
}

// Each ends at once, with what stood before the attack.
TEST(Sitemap, HostileDocumentsEndAtOnce) {
  const std::string good = "<urlset><url><loc>http://a.test/1</loc></url>";
  const std::string lol = "<!DOCTYPE u [<!ENTITY a 'lol'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;'>]>";
  EXPECT_NE(
      read_sitemap("<?xml version='1.0'?>" + lol + good + "<url><loc>&b;</loc></url></urlset>", {}, nullptr)
          .problem.find("entities"),
      std::string::npos);
  const Sitemap external = read_sitemap(
      "<!DOCTYPE u [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>" + good + "<url><loc>&x;</loc></url></urlset>",
      {}, nullptr);
  EXPECT_NE(external.problem.find("entities"), std::string::npos);
  EXPECT_TRUE(external.entries.empty());
  const Sitemap by_dtd =
      read_sitemap("<!DOCTYPE urlset SYSTEM 'http://127.0.0.1:1/x.dtd'>" + good + "</urlset>", {}, nullptr);
  EXPECT_EQ(by_dtd.entries.size(), 1u);
  const Sitemap deep = read_sitemap(good + repeat("<x>", 200'000), {}, nullptr);
  EXPECT_EQ(deep.entries.size(), 1u);
  EXPECT_NE(deep.problem.find("too many elements"), std::string::npos);
  EXPECT_EQ(read_sitemap(good + std::string(1'000'000, '\0') + "</urlset>", {}, nullptr).entries.size(), 1u);
  EXPECT_TRUE(
      read_sitemap("<urlset><url><loc>" + std::string(5'000'000, 'x') + "</loc></url></urlset>", {}, nullptr)
          .entries.empty());
  EXPECT_EQ(
      read_sitemap(good + "<url " + repeat("a='b' ", 100'000) + "/></urlset>", {}, nullptr).entries.size(), 1u);
  const Sitemap bomb = read_sitemap(gzip_of(1u << 30), {}, nullptr);
  EXPECT_TRUE(bomb.limited);
  EXPECT_TRUE(bomb.entries.empty());
  const Sitemap cut = read_sitemap(gzip_of(1 << 20).substr(0, 500), {}, nullptr);
  EXPECT_EQ(cut.problem, "the gzip data is damaged or cut");
}

}  // namespace
}  // namespace weir::crawler
