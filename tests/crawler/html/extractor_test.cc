// What an extraction says about a page, through both engines where both must agree.
#include "crawler/html/extractor.h"

#include <gtest/gtest.h>

#include "tests/support/extract.h"

namespace weir::crawler {
namespace {

using test::by_gumbo;
using test::by_stream;
using test::raws;

using Raws = std::vector<std::string>;

void expect_links(std::string_view html, const Raws& expected) {
  EXPECT_EQ(raws(by_gumbo(html)), expected) << html;
  EXPECT_EQ(raws(by_stream(html)), expected) << html;
}

TEST(Extractor, Whatwg_ReferencesInAttributes) {
  expect_links("<a href=\"?a=1&copy=2&amp=3&lt=4&notit=5\">", {"?a=1&copy=2&amp=3&lt=4&notit=5"});
  expect_links("<a href='?&amp;p=2'>", {"?&p=2"});
  expect_links("<a href='&#x2F;&sol;&#65&#x110000;&#xZ;&;&#;'>", {"//A\uFFFD&#xZ;&;&#;"});
  expect_links("<a href=x&eacute>", {"x\u00E9"});
  expect_links("<a href='&#99999999999999999999;'>", {"\uFFFD"});
  expect_links("<a href=/a&#13;&#10;X-Evil:1>", {"/a\r\nX-Evil:1"});
}

TEST(Extractor, BaseIsTheFirstWithHref) {
  for (const auto& extract : {by_gumbo("<base target=x><base href=/1/><base href=/2/>"),
                              by_stream("<base target=x><base href=/1/><base href=/2/>")}) {
    EXPECT_EQ(extract.base, "/1/");
  }
  EXPECT_EQ(by_gumbo("<script>" + std::string(10'000, 'x') + "</script><base href=/img/>").base, "/img/");
  EXPECT_EQ(by_gumbo("<base href=''><base href=/2/>").base, "") << "an empty one is the page, and the first";
}

TEST(Extractor, RobotsMetaHasNoCase) {
  struct Case {
    std::string_view html;
    bool nofollow;
    bool noindex;
  };
  constexpr Case kCases[] = {
      {"<META NAME=\"ROBOTS\" CONTENT=\"NoIndex, NOFOLLOW\">", true, true},
      {"<meta content=none name=robots>", true, true},
      {"<meta name=robots content='noindex'>", false, true},
      {"<meta name=robots content='nofollowing index'>", false, false},
      {"<meta name=robot content=nofollow>", false, false},
      {"<meta name=robots>", false, false},
  };
  for (const Case& c : kCases) {
    for (const Extraction& extraction : {by_gumbo(c.html), by_stream(c.html)}) {
      EXPECT_EQ(extraction.nofollow, c.nofollow) << c.html;
      EXPECT_EQ(extraction.noindex, c.noindex) << c.html;
    }
  }
}

TEST(Extractor, RelTellsPagesFromRequisites) {
  struct Case {
    std::string_view html;
    bool page;
    bool nofollow;
  };
  constexpr Case kCases[] = {
      {"<a href=x>", true, false},
      {"<a href=x rel='ugc NoFollow'>", true, true},
      {"<a href=x rel=nofollower>", true, false},
      {"<link href=x rel=next>", true, false},
      {"<link href=x rel=canonical>", true, false},
      {"<link href=x rel='alternate stylesheet'>", false, false},
      {"<link href=x rel='SHORTCUT ICON'>", false, false},
      {"<link href=x>", false, false},
      {"<iframe src=x></iframe>", true, false},
      {"<script src=x></script>", false, false},
      {"<img src=x>", false, false},
  };
  for (const Case& c : kCases) {
    for (const Extraction& extraction : {by_gumbo(c.html), by_stream(c.html)}) {
      ASSERT_EQ(extraction.links.size(), 1u) << c.html;
      EXPECT_EQ(extraction.links[0].kind == LinkKind::kPage, c.page) << c.html;
      EXPECT_EQ(extraction.links[0].nofollow, c.nofollow) << c.html;
      EXPECT_FALSE(extraction.limited);
    }
  }
}

TEST(Extractor, RepeatsStayAndCopiesOfTheParserDoNot) {
  expect_links("<a href=1></a><a href=1></a>", {"1", "1"});
  EXPECT_EQ(raws(by_gumbo("<p><a href=1>x<p>y<p>z<a href=2>")), (Raws{"1", "2"}));
}

TEST(Extractor, LongAttributesAreKeptWhole) {
  const std::string url = "/x?" + std::string(300'000, 'a');
  expect_links("<a href=\"" + url + "\">", {url});
}

TEST(Extractor, TooManyLinksAreDroppedAndSaid) {
  std::string html;
  for (int i = 0; i < 30; ++i) html += "<a href=x>";
  ExtractorLimits limits;
  limits.links_max = 20;
  for (const Extraction& extraction : {by_gumbo(html, limits), by_stream(html, limits)}) {
    EXPECT_EQ(extraction.links.size(), 20u);
    EXPECT_TRUE(extraction.limited);
  }
}

TEST(Extractor, OneExtractorServesManyPages) {
  const SystemClock clock;
  GumboExtractor extractor(clock, {});
  for (int i = 0; i < 100; ++i) {
    const std::string name = "page" + std::to_string(i);
    std::string html = "<a href=" + name + ">";
    for (int j = 0; j < i * 20; ++j) html += "<p>text<b>bold</b>";
    Extraction extraction;
    extractor.extract(html, extraction);
    EXPECT_EQ(raws(extraction), Raws{name});
  }
}

TEST(Extractor, NothingComesOfNothing) {
  for (const std::string_view html :
       {"", "<", "</", "<!", "<a", "<a href", "<a href=", "<a href='", "&", "<!--", "<![CDATA["}) {
    expect_links(html, {});
  }
}

}  // namespace
}  // namespace weir::crawler
