// What people met with other crawlers in extraction, by both engines: the page they had, and where its links
// lead. The numbers are those of the collection these come from; docs/extraction.md has the rules.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "frontier/url/url.h"
#include "tests/support/extract.h"

namespace weir::crawler {
namespace {

using frontier::parse_url;
using frontier::Url;

std::string repeat(std::string_view text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

std::vector<std::string> targets(const Extraction& extraction, std::string_view page) {
  const Url address = *parse_url(page);
  auto base = parse_url(extraction.base, &address);
  if (extraction.base.empty() || !base || base->scheme() == "data" || base->scheme() == "javascript")
    base = address;
  std::vector<std::string> found;
  for (const Link& link : extraction.links) {
    const auto url = parse_url(extraction.raw(link), &*base);
    if (url && url->is_http()) found.emplace_back(url->href());
  }
  return found;
}

struct Row {
  int number;
  std::string_view page;
  std::string html;
  std::vector<std::string> targets;
};

std::vector<Row> rows() {
  const std::string script = "<script>" + std::string(10'000, 'x') + "</script>";
  const std::string aaa(3'000, 'a');
  return {
      {16, "https://a.test/d/", "<a href=\"//b.test/p1\">", {"https://b.test/p1"}},
      {40, "http://a.test/q/list.html", "<a href=\"..\\d\\x.html\">", {"http://a.test/d/x.html"}},
      {43, "http://a.test/", "<a href=\"&#1;http://a.test/a\tb\rc\nd&#x1f;\">", {"http://a.test/abcd"}},
      {44, "http://a.test/", "<a href=\"/x \">", {"http://a.test/x"}},
      {46, "http://a.test/d/p", "<base href=\"./\"><a href=x>", {"http://a.test/d/x"}},
      {46, "http://a.test/d/p", "<base href=\"app/\"><a href=x>", {"http://a.test/d/app/x"}},
      {46, "http://a.test/d/p", "<base href=\"../\"><a href=x>", {"http://a.test/x"}},
      {47, "http://a.test/", script + "<base href=\"/img/\"><a href=\"a.png\">", {"http://a.test/img/a.png"}},
      {47, "http://a.test/", "<base target=x><base href=/1/><base href=/2/><a href=y>", {"http://a.test/1/y"}},
      {47, "http://a.test/d/", "<base href=\"javascript:x\"><a href=y>", {"http://a.test/d/y"}},
      {49,
       "http://a.test/",
       "<meta content=\"0;url=d.html\" http-equiv=\"Refresh\">",
       {"http://a.test/d.html"}},
      {50,
       "http://a.test/",
       "<meta http-equiv=refresh content=\"0; URL='/n.html'\">",
       {"http://a.test/n.html"}},
      {50, "http://a.test/", "<meta http-equiv=refresh content='1;url=\"/m.html\"'>", {"http://a.test/m.html"}},
      {50, "http://a.test/", "<meta http-equiv=refresh content=\"3, url=/k\">", {"http://a.test/k"}},
      {50, "http://a.test/", "<meta http-equiv=refresh content=\"0;/z\">", {"http://a.test/z"}},
      {52, "http://a.test/x/y/", "<meta http-equiv=refresh content=\"0;url=../z\">", {"http://a.test/x/z"}},
      {53,
       "http://a.test/",
       "<img srcset=\"/a.jpg 800w,\n /b.jpg 480w, /c.jpg 2x\">",
       {"http://a.test/a.jpg", "http://a.test/b.jpg", "http://a.test/c.jpg"}},
      {55,
       "http://a.test/",
       "<img srcset=\"/3.png 3w,/6.png 6w,http://b.test/a.png 9w\">",
       {"http://a.test/3.png", "http://a.test/6.png", "http://b.test/a.png"}},
      {56,
       "http://a.test/",
       "<img src=\"data:image/png;base64,iVBOR/w0K+AA==\"><img src=\"&#xA; data:,x\">",
       {}},
      {58,
       "http://a.test/v",
       "<a href='?&amp;p=2'><a href='?&amp;p=3'>",
       {"http://a.test/v?&p=2", "http://a.test/v?&p=3"}},
      {59,
       "http://a.test/",
       "<a href=\"?a=1&copy=2&amp=3&lt=4&notit=5\">",
       {"http://a.test/?a=1&copy=2&amp=3&lt=4&notit=5"}},
      {65, "http://a.test/", "<a href=\"/x?" + aaa + "\">", {"http://a.test/x?" + aaa}},
      {67, "http://a.test/", "<a href=first>" + repeat("<table><tr><td>", 20'000), {"http://a.test/first"}},
      {68, "http://a.test/", "<a href=first>" + repeat("<div>", 100'000), {"http://a.test/first"}},
      {71, "http://a.test/e/1", "<a href=\"www.b.test\">", {"http://a.test/e/www.b.test"}},
  };
}

TEST(ExtractionFieldCases, LinksLeadWhereABrowserGoes) {
  for (const Row& row : rows()) {
    EXPECT_EQ(targets(test::by_stream(row.html), row.page), row.targets) << row.number << " by stream";
    if (row.number == 43) continue;  // gumbo turns control characters into U+FFFD (docs/extraction.md)
    EXPECT_EQ(targets(test::by_gumbo(row.html), row.page), row.targets) << row.number << " by gumbo";
  }
}

TEST(ExtractionFieldCases, RobotsMetaInAnyCase) {  // 70
  for (const Extraction& page : {test::by_stream("<META NAME=\"ROBOTS\" CONTENT=\"NoIndex, NOFOLLOW\">"),
                                 test::by_gumbo("<META NAME=\"ROBOTS\" CONTENT=\"NoIndex, NOFOLLOW\">")}) {
    EXPECT_TRUE(page.nofollow);
    EXPECT_TRUE(page.noindex);
  }
}

}  // namespace
}  // namespace weir::crawler
