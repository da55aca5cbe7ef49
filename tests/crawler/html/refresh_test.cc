// The refresh value, by the cases of the web platform tests.
#include "crawler/html/refresh.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/corpora.h"

namespace weir::crawler {
namespace {

using nlohmann::json;

// As the URL parser will: white space and controls around, tabs and line ends inside.
std::string as_url_input(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c != '\t' && c != '\n' && c != '\r') out += c;
  }
  while (!out.empty() && out.back() <= ' ') out.pop_back();
  return out;
}

TEST(Refresh, Whatwg_PlatformTests) {
  WEIR_CORPUS_OR_SKIP(text, "html/links/meta-refresh.json");
  int cases = 0;
  const json corpus = json::parse(text);
  for (const json& row : corpus["cases"]) {
    ++cases;
    const auto refresh = parse_refresh(row["content"].get_ref<const std::string&>());
    ASSERT_EQ(refresh.has_value(), !row["seconds"].is_null()) << row;
    if (!refresh) continue;
    EXPECT_EQ(refresh->seconds, row["seconds"].get<unsigned>()) << row;
    const std::string expected = row["url"] == "PAGE" ? "" : row["url"].get<std::string>();
    EXPECT_EQ(as_url_input(refresh->url), expected) << row;
  }
  EXPECT_EQ(cases, 69);
}

TEST(Refresh, FieldCases) {
  EXPECT_EQ(parse_refresh("0; URL='/n.html'")->url, "/n.html");
  EXPECT_EQ(parse_refresh("1;url=\"/m.html\"")->url, "/m.html");
  EXPECT_EQ(parse_refresh("3, url=/k")->url, "/k");
  EXPECT_EQ(parse_refresh("0;/z")->url, "/z");
  EXPECT_EQ(parse_refresh("99999999999999999999;x")->seconds, UINT32_MAX);
}

}  // namespace
}  // namespace weir::crawler
