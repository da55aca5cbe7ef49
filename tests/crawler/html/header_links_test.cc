// Link, Refresh and Content-Location: one row, one reason.
#include "crawler/html/header_links.h"

#include <gtest/gtest.h>

#include <vector>

namespace weir::crawler {
namespace {

std::vector<std::string> link_field(std::string_view text, bool requisites = false) {
  Extraction out;
  read_header_links({.link = text, .refresh = {}, .content_location = {}}, requisites, out);
  std::vector<std::string> found;
  for (const Link& link : out.links)
    found.push_back(std::string(out.raw(link)) + " " + std::string(out.rel(link)) +
                    (link.nofollow ? " nofollow" : ""));
  return found;
}

TEST(HeaderLinks, Rfc8288_LinkField) {
  struct Row {
    std::string_view field;
    std::vector<std::string> links;
  };
  const Row rows[] = {
      {"</2>; rel=\"next\"", {"/2 next"}},
      {"</2>; rel=next", {"/2 next"}},
      {"<http://b.test/a,b;c>; rel=canonical", {"http://b.test/a,b;c canonical"}},
      {"</1>; rel=prev, </3>; title=\"a, b; \\\"c\\\"\"; rel=\"next\"", {"/1 prev", "/3 next"}},
      {"</1> ; REL = \"next\" ; rel=prev", {"/1 next"}},
      {"</de>; rel=alternate; hreflang=de", {"/de alternate"}},
      {"</x>; rel=\"next nofollow\"", {"/x next nofollow nofollow"}},
      {"</s.css>; rel=stylesheet, </p>; rel=preload; as=image", {}},
      {"</none>", {}},
      {"junk, </2>; rel=next", {"/2 next"}},
      {"</cut; rel=next", {}},
      {"</2>; rel=\"next", {"/2 next"}},
      {",,, </2>;;; rel=next;", {"/2 next"}},
      {"<>; rel=self", {" self"}},
      {"", {}},
  };
  for (const Row& row : rows) EXPECT_EQ(link_field(row.field), row.links) << row.field;
  EXPECT_EQ(link_field("</s.css>; rel=stylesheet", true), std::vector<std::string>{"/s.css stylesheet"});
}

TEST(HeaderLinks, RefreshAndContentLocation) {
  Extraction out;
  read_header_links({.link = {}, .refresh = "0; URL='/n.html'", .content_location = "/page.en.html"}, false,
                    out);
  ASSERT_EQ(out.links.size(), 2u);
  EXPECT_EQ(out.raw(out.links[0]), "/n.html");
  EXPECT_EQ(out.links[0].attribute, "refresh");
  EXPECT_EQ(out.raw(out.links[1]), "/page.en.html");
  EXPECT_EQ(out.links[1].attribute, "content-location");
  read_header_links({.link = {}, .refresh = "soon", .content_location = {}}, false, out);
  EXPECT_TRUE(out.links.empty());
}

TEST(HeaderLinks, NoFieldCanMakeItLoop) {
  for (const std::string_view text :
       {"<", "<>", "<>;", ";", "\"", "<a>;rel", "<a>;rel=", "<a>;=x", "<a>;rel=\"\\"})
    EXPECT_LE(link_field(text).size(), 1u) << text;
}

}  // namespace
}  // namespace weir::crawler
