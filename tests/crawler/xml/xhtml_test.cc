// XHTML by XML's rules, and the mending of references before.
#include "crawler/xml/xhtml_extractor.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "crawler/xml/xml_parser.h"
#include "tests/support/extract.h"

namespace weir::crawler {
namespace {

constexpr std::string_view kOpen = "<html xmlns='http://www.w3.org/1999/xhtml'>";

std::vector<std::string> links_of(std::string_view content) {
  Extraction out;
  const std::string page = std::string(kOpen) + std::string(content) + "</html>";
  if (!extract_xhtml(page, {}, out)) return {"not well formed"};
  return test::raws(out);
}

TEST(Xhtml, XmlDecidesWhatIsALink) {
  struct Row {
    std::string_view content;
    std::vector<std::string> links;
  };
  const Row rows[] = {
      {"<a href='1'/><a href='2'></a>", {"1", "2"}},
      {"<A href='no'/><a HREF='no'/>", {}},
      {"<script/><a href='1'/>", {"1"}},  // in HTML the rest of the page would be script
      {"<title/><style/><textarea/><a href='1'/>", {"1"}},
      {"<script><![CDATA[ <a href='no'> ]]></script><a href='1'/>", {"1"}},
      {"<a href='?a&amp;b'/><a href='?a&b'/>", {"?a&b", "?a&b"}},
      {"<a href='&eacute;&nbsp;&unknown;'/>", {"\u00E9\u00A0&unknown;"}},
      {"<template><a href='no'/></template><a href='1'/>", {"1"}},
      {"<p xmlns='urn:other'><a href='no'/></p>", {}},
      {"<svg xmlns='http://www.w3.org/2000/svg' xmlns:x='http://www.w3.org/1999/xlink'><a x:href='1'/></svg>",
       {"1"}},
      {"<style>@import 'a.css'; b{c:url(d.png)}</style><img src='e.png'/>", {"a.css", "d.png", "e.png"}},
      {"<select><a href='1'/></select>", {"1"}},
      {"<br><a href='1'/>", {"not well formed"}},
  };
  for (const Row& row : rows) EXPECT_EQ(links_of(row.content), row.links) << row.content;
}

TEST(Xhtml, BaseAndRobotsAreHeard) {
  Extraction out;
  ASSERT_TRUE(extract_xhtml(
      std::string(kOpen) + "<base href='/b/'/><meta name='robots' content='nofollow'/></html>", {}, out));
  EXPECT_EQ(out.base, "/b/");
  EXPECT_TRUE(out.nofollow);
}

TEST(MendReferences, OnlyWhatXmlDoesNotKnowChanges) {
  struct Row {
    std::string_view text;
    std::string_view plain;
    std::string_view by_name;
  };
  constexpr Row kRows[] = {
      {"a&amp;b&#38;&#x26;&lt;", "a&amp;b&#38;&#x26;&lt;", "a&amp;b&#38;&#x26;&lt;"},
      {"a&b=1&", "a&amp;b=1&amp;", "a&amp;b=1&amp;"},
      {"&eacute;", "&amp;eacute;", "\u00E9"},
      {"&AMP;&LT;", "&amp;AMP;&amp;LT;", "&amp;AMP;&amp;LT;"},
      {"&#;&#x;&#xg;", "&amp;#;&amp;#x;&amp;#xg;", "&amp;#;&amp;#x;&amp;#xg;"},
      {"<![CDATA[a&b]]>c&d", "<![CDATA[a&b]]>c&amp;d", "<![CDATA[a&b]]>c&amp;d"},
      {"<![CDATA[a&b", "<![CDATA[a&b", "<![CDATA[a&b"},
  };
  for (const Row& row : kRows) {
    std::string storage;
    EXPECT_EQ(mend_references(row.text, false, storage), row.plain) << row.text;
    EXPECT_EQ(mend_references(row.text, true, storage), row.by_name) << row.text;
  }
}

}  // namespace
}  // namespace weir::crawler
