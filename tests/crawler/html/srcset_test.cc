// Candidates of srcset: the rows of the web platform tests, where one candidate is what a browser at 1x loads,
// and those people met.
#include "crawler/html/srcset.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/corpora.h"

namespace weir::crawler {
namespace {

using Urls = std::vector<std::string>;

Urls candidates(std::string_view value) {
  std::vector<std::string_view> found;
  parse_srcset(value, found);
  return {found.begin(), found.end()};
}

TEST(Srcset, Whatwg_EveryCandidateOfTheCorpus) {
  WEIR_CORPUS_OR_SKIP(text, "html/links/srcset.json");
  int rows = 0;
  const auto corpus = nlohmann::json::parse(text);
  for (const auto& row : corpus["cases"]) {
    const std::string value = row["srcset"];
    const std::string picked = row["picked"];
    const Urls found = candidates(value);
    if (picked.empty()) {
      EXPECT_EQ(found, Urls{}) << value;
    } else {
      EXPECT_NE(std::ranges::find(found, picked), found.end()) << value;
    }
    ++rows;
  }
  EXPECT_EQ(rows, 56);
}

TEST(Srcset, CandidatesInOrder) {
  struct Row {
    std::string_view value;
    Urls urls;
  };
  const Row rows[] = {
      {"/a.jpg 800w,\n /b.jpg 480w, /c.jpg 2x", {"/a.jpg", "/b.jpg", "/c.jpg"}},  // field case 53
      {"/3.png 3w,/6.png 6w,http://b.test/a.png 9w",
       {"/3.png", "/6.png", "http://b.test/a.png"}},  // field case 55
      {"a,b.png 100w,c.png 200w", {"a,b.png", "c.png"}},
      {"a.png, b.png", {"a.png", "b.png"}},
      {"a.png 1x 2x, b.png", {"b.png"}},
      {"a.png 1w 1h, b.png 1h", {"a.png"}},
      {"a.png -1x, b.png -0x, c.png 1e3x, d.png .5x, e.png 1.x", {"b.png", "c.png", "d.png"}},
      {"a.png 0w, b.png 1.5w, c.png 10w", {"c.png"}},
      {"a.png (1x, 2x), b.png", {"b.png"}},
  };
  for (const Row& row : rows) EXPECT_EQ(candidates(row.value), row.urls) << row.value;
}

}  // namespace
}  // namespace weir::crawler
