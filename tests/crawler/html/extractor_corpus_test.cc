// Link extraction against pages whose links a WHATWG browser's parser was asked for (tricky.jsonl), both
// by both engines. Needs the corpora beside the repository.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "frontier/url/url.h"
#include "tests/support/corpora.h"
#include "tests/support/extract.h"

namespace weir::crawler {
namespace {

using frontier::parse_url;
using frontier::Url;
using nlohmann::json;

json expected_links(const json& row) {
  json links = json::array();
  for (const json& link : row["links"]) {
    if (!link.contains("in_template"))
      links.push_back({link["tag"], link["attr"], link["raw"], link["url"], link.value("rel", "")});
  }
  return links;
}

json found_links(const json& row, const Extraction& extraction) {
  const auto page = parse_url(row["page"].get<std::string>());
  auto base = parse_url(extraction.base, &*page);
  if (extraction.base.empty() || !base || base->scheme() == "data" || base->scheme() == "javascript")
    base = page;
  EXPECT_EQ(base->href(), row["base"].get<std::string>()) << row["id"];
  json links = json::array();
  for (const Link& link : extraction.links) {
    if (link.tag == "style") continue;  // style sheets are not the corpus's subject
    const bool reloads =
        link.tag == "meta" && extraction.raw(link).empty();  // a refresh without target: null in the corpus
    const auto url =
        reloads ? std::unexpected(frontier::UrlError::kNoScheme) : parse_url(extraction.raw(link), &*base);
    links.push_back({link.tag, link.attribute, extraction.raw(link), url ? json(url->href()) : json(nullptr),
                     extraction.rel(link)});
  }
  return links;
}

std::vector<json> rows_of(const std::string& lines) {
  std::vector<json> rows;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) rows.push_back(json::parse(line));
  return rows;
}

void expect_browser_links(const std::string& lines, Extraction (*extract)(std::string_view)) {
  int pages = 0;
  for (const json& row : rows_of(lines)) {
    ++pages;
    const Extraction extraction = extract(row["html"].get<std::string>());
    EXPECT_EQ(found_links(row, extraction), expected_links(row)) << row["id"] << " " << row["html"];
  }
  EXPECT_EQ(pages, 162);
}

TEST(ExtractorCorpus, GumboFindsWhatABrowserFinds) {
  WEIR_CORPUS_OR_SKIP(lines, "html/links/tricky.jsonl");
  expect_browser_links(lines, [](std::string_view html) { return test::by_gumbo(html); });
}

TEST(ExtractorCorpus, StreamFindsWhatABrowserFinds) {
  WEIR_CORPUS_OR_SKIP(lines, "html/links/tricky.jsonl");
  expect_browser_links(lines, [](std::string_view html) { return test::by_stream(html); });
}

}  // namespace
}  // namespace weir::crawler
