// The stream engine fed in pieces: the same links wherever the page is cut, in bounded memory.
#include "crawler/html/stream_extractor.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "tests/support/corpora.h"
#include "tests/support/extract.h"

namespace weir::crawler {
namespace {

std::string text_of(const Extraction& extraction) {
  std::string text =
      extraction.base + (extraction.nofollow ? " nofollow" : "") + (extraction.limited ? " limited" : "");
  for (const Link& link : extraction.links) {
    text.append(" ").append(link.tag).append(".").append(link.attribute);
    text.append("=").append(extraction.raw(link)).append("|").append(extraction.rel(link));
  }
  return text;
}

std::string fed(StreamExtractor& extractor, const std::vector<std::string_view>& pieces) {
  Extraction out;
  extractor.start(out);
  for (const std::string_view piece : pieces) extractor.feed(piece);
  extractor.finish();
  return text_of(out);
}

std::vector<std::string> tricky_pages() {
  std::vector<std::string> pages = {
      "<!-- a --><!--> <a href=1><!---><a href=2><!-- x --!><a href=3><!--!><a href=4>--><a href=5>",
      "<script><!-- <script> </script> --> </script><a href=1><script><!--></script><a href=2>",
      "<style>a{b:url(x.png)} </styl </style ><a href='1'><textarea><a href=2></textarea><title></title >",
      "<svg><![CDATA[ <a href=1> ]] ]]><a xlink:href=2></svg><![CDATA[ <a href=3> ]]><a href=4>",
      "<a\nhref = '1' rel=\"x y\" ><a href=&amp;&#x41;&eacute;><a/href=2/><a =href href=3></a href=4></><a "
      "href=5",
      "<select><a href=1><style></select><a href=2></style></select><a href=3>",
      "<?xml x?><!DOCTYPE html \"<a href=1>\"><frameset><frame src=2><noframes><a href=3></noframes>",
  };
  const auto corpus = test::read_corpus(WEIR_SOURCE_DIR, "html/links/tricky.jsonl");
  if (!corpus) return pages;
  std::istringstream lines(*corpus);
  for (std::string line; std::getline(lines, line);) pages.push_back(nlohmann::json::parse(line)["html"]);
  return pages;
}

TEST(StreamExtractor, AnyCutGivesTheSameLinks) {
  StreamExtractor extractor({});
  for (const std::string& page : tricky_pages()) {
    const std::string_view html = page;
    const std::string whole = text_of(test::by_stream(html));
    for (std::size_t cut = 0; cut <= html.size(); ++cut)
      ASSERT_EQ(fed(extractor, {html.substr(0, cut), html.substr(cut)}), whole) << cut << " of " << html;
    std::vector<std::string_view> bytes;
    for (std::size_t i = 0; i < html.size(); ++i) bytes.push_back(html.substr(i, 1));
    ASSERT_EQ(fed(extractor, bytes), whole) << html;
  }
}

// Markup soup in pieces of random size.
TEST(StreamExtractor, AnyCutsOfAnySoup) {
  constexpr std::string_view kParts[] = {"<a href=x>", "<!--",
                                         "-->",        "--",
                                         "<script>",   "</script>",
                                         "<style>",    "</style",
                                         ">",          "<svg>",
                                         "</svg>",     "<![CDATA[",
                                         "]]>",        "'",
                                         "\"",         "=",
                                         "<",          "</",
                                         "<textarea>", "</textarea>",
                                         "<template>", "</template>",
                                         "/",          " ",
                                         "text",       "<select>",
                                         "</select>",  "<base href=b>",
                                         "<frameset>", "<math><mi>",
                                         "</p>",       "<title>",
                                         "!",          "-"};
  const unsigned seed = std::random_device()();
  std::mt19937 random(seed);
  StreamExtractor extractor({});
  for (int round = 0; round < 2'000; ++round) {
    std::string html;
    for (int i = 0; i < 60; ++i) html += kParts[random() % std::size(kParts)];
    std::vector<std::string_view> pieces;
    for (std::string_view rest = html; !rest.empty(); rest.remove_prefix(pieces.back().size()))
      pieces.push_back(rest.substr(0, 1 + random() % 20));
    ASSERT_EQ(fed(extractor, pieces), text_of(test::by_stream(html))) << "seed " << seed << "\n" << html;
  }
}

TEST(StreamExtractor, ATagTooLongToKeepIsPassedOverAndSaid) {
  const std::string page = "<a href=1><a title=\"" + std::string(kTagBytesMax, '>') + "\" href=2><a href=3>";
  EXPECT_EQ(text_of(test::by_stream(page)), " limited a.href=1| a.href=3|");
  StreamExtractor extractor({});
  std::vector<std::string_view> pieces;
  for (std::string_view rest = page; !rest.empty(); rest.remove_prefix(pieces.back().size()))
    pieces.push_back(rest.substr(0, 16'000));
  EXPECT_EQ(fed(extractor, pieces), " limited a.href=1| a.href=3|");
}

TEST(StreamExtractor, KindsNotAskedForAreNotCollected) {
  constexpr std::string_view kPage =
      "<a href=1 ping=2><img src=3 longdesc=4><style>@import '5'</style><p style='b:url(6)'><link rel=icon "
      "href=7>";
  EXPECT_EQ(test::raws(test::by_stream(kPage)), (std::vector<std::string>{"1", "2", "3", "4", "5", "6", "7"}));
  ExtractorLimits pages;
  pages.requisites = pages.references = false;
  EXPECT_EQ(test::raws(test::by_stream(kPage, pages)), std::vector<std::string>{"1"});
  EXPECT_EQ(test::raws(test::by_gumbo(kPage, pages)), std::vector<std::string>{"1"});
}

TEST(StreamExtractor, FormsThatPostAreNoLinks) {
  struct Row {
    std::string_view html;
    std::vector<std::string> links;
  };
  const Row rows[] = {
      {"<form action=1>", {"1"}},
      {"<form method=GET action=1>", {"1"}},
      {"<form method=POST action=1>", {}},
      {"<form method=dialog action=1>", {}},
      {"<form method=post action=1><button formaction=2>", {}},
      {"<form method=post action=1><button formaction=2 formmethod=get>", {"2"}},
      {"<form action=1><input type=submit formaction=2 formmethod=post>", {"1"}},
      {"<form action=1><form action=2></form><form action=3>", {"1", "3"}},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(test::raws(test::by_stream(row.html)), row.links) << row.html;
    EXPECT_EQ(test::raws(test::by_gumbo(row.html)), row.links) << row.html;
  }
}

}  // namespace
}  // namespace weir::crawler
