// URLs of style sheets: one row, one reason.
#include "crawler/html/css.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace weir::crawler {
namespace {

using Urls = std::vector<std::string>;

Urls urls_of(std::string_view css) {
  Urls urls;
  find_css_urls(css, [&](std::string_view url, bool imported) {
    urls.push_back((imported ? "@" : "") + std::string(url));
  });
  return urls;
}

TEST(Css, UrlsAndImports) {
  struct Row {
    std::string_view css;
    Urls urls;
  };
  const Row rows[] = {
      {"a{background:url(x.png)}", {"x.png"}},
      {"a{background:URL( \"x.png\" )}", {"x.png"}},
      {"a{background:url('x y.png')}", {"x y.png"}},
      {"a{background:url(  x.png  )}", {"x.png"}},
      {"@import 'a.css';", {"@a.css"}},
      {"@IMPORT \"a.css\" screen;", {"@a.css"}},
      {"@import url(a.css) print;@import url( 'b.css' );", {"@a.css", "@b.css"}},
      {"@import/**/\"a.css\"", {"@a.css"}},
      {"@font-face{src:url(a.woff2)format('woff2'),url(b.woff)}", {"a.woff2", "b.woff"}},
      {"a{b:src(\"x.png\")}", {"x.png"}},
      {"/* url(no.png) */ a{b:url(yes.png)}", {"yes.png"}},
      {"/* url(no.png)", {}},
      {"a::after{content:'url(no.png)'}", {}},
      {"a{b:url(x\\)y.png)}", {"x)y.png"}},
      {"a{b:url(\\78 y.png)}", {"xy.png"}},
      {"a{b:url(\"a\\\nb.png\")}", {"ab.png"}},
      {"a{b:url(bad url.png)}c{d:url(x.png)}", {"x.png"}},
      {"a{b:url(bad\"url.png)}c{d:url(x.png)}", {"x.png"}},
      {"a{b:url()}", {}},
      {"a{b:myurl(no.png)}", {}},
      {"a{b:image-set(url(x.png) 1x, url(y.png) 2x)}", {"x.png", "y.png"}},
      {"a{b:url(x.png", {"x.png"}},
      {"a{b:'open\n} c{d:url(x.png)}", {"x.png"}},
      {"@charset 'utf-8';", {}},
      {"@import;'no.css'", {}},
      {"\\", {}},
      {"", {}},
  };
  for (const Row& row : rows) EXPECT_EQ(urls_of(row.css), row.urls) << row.css;
}

TEST(Css, AStyleSheetGivesRequisitesUpToALimit) {
  Extraction out;
  read_style_sheet("@import 'a.css'; b{c:url(d.png)}", out);
  ASSERT_EQ(out.links.size(), 2u);
  EXPECT_EQ(out.links[0].attribute, "@import");
  EXPECT_EQ(out.links[1].kind, LinkKind::kRequisite);
  EXPECT_FALSE(out.limited);
  std::string css;
  for (std::size_t i = 0; i <= kStyleSheetLinksMax; ++i) css += "url(a)";
  read_style_sheet(css, out);
  EXPECT_EQ(out.links.size(), kStyleSheetLinksMax);
  EXPECT_TRUE(out.limited);
}

}  // namespace
}  // namespace weir::crawler
