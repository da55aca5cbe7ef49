// Link extraction against pages whose links a WHATWG browser's parser was asked for (tricky.jsonl), both
// through gumbo and through the flat scanner. Needs the corpora beside the repository.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "crawler/html/flat_scanner.h"
#include "crawler/html/gumbo_extractor.h"
#include "frontier/url/url.h"
#include "tests/support/corpora.h"

namespace weir::crawler {
namespace {

using frontier::parse_url;
using frontier::Url;
using nlohmann::json;

// Attributes that are links here; the corpus also lists srcset, forms, citations and other old ones.
bool is_in_scope(const json& link) {
  const std::string tag = link["tag"];
  const std::string attribute = link["attr"];
  if (link.contains("in_template")) return false;
  if (link.contains("ns")) return tag == "a";
  if (tag == "a" || tag == "area" || tag == "link" || tag == "meta")
    return attribute == "href" || attribute == "refresh";
  if (tag == "object") return attribute == "data";
  constexpr std::string_view kWithSrc[] = {"iframe", "frame", "img",   "script", "embed",
                                           "source", "track", "video", "audio",  "input"};
  if (std::ranges::find(kWithSrc, tag) == std::end(kWithSrc)) return false;
  return attribute == "src" || attribute == "poster";
}

json expected_links(const json& row) {
  json links = json::array();
  for (const json& link : row["links"]) {
    if (is_in_scope(link))
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
    const bool reloads =
        link.tag == "meta" && link.raw.empty();  // a refresh without target: null in the corpus
    const auto url = reloads ? std::unexpected(frontier::UrlError::kNoScheme) : parse_url(link.raw, &*base);
    links.push_back({link.tag, link.attribute, link.raw, url ? json(url->href()) : json(nullptr), link.rel});
  }
  return links;
}

std::vector<json> rows_of(const std::string& lines) {
  std::vector<json> rows;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) rows.push_back(json::parse(line));
  return rows;
}

TEST(ExtractorCorpus, GumboFindsWhatABrowserFinds) {
  WEIR_CORPUS_OR_SKIP(lines, "html/links/tricky.jsonl");
  const SystemClock clock;
  GumboExtractor extractor(clock, {});
  int pages = 0;
  for (const json& row : rows_of(lines)) {
    ++pages;
    const Extraction extraction = extractor.extract(row["html"].get<std::string>());
    EXPECT_EQ(found_links(row, extraction), expected_links(row)) << row["id"] << " " << row["html"];
  }
  EXPECT_EQ(pages, 162);
}

// A tree builder drops these links; without a tree they cannot be told from others.
bool needs_a_tree(const json& row) { return row["id"] == "select" || row["id"] == "frameset-after-text"; }

TEST(ExtractorCorpus, FlatScannerFindsWhatNeedsNoTree) {
  WEIR_CORPUS_OR_SKIP(lines, "html/links/tricky.jsonl");
  for (const json& row : rows_of(lines)) {
    if (needs_a_tree(row)) continue;
    const Extraction extraction = scan_links(row["html"].get<std::string>(), {});
    EXPECT_EQ(found_links(row, extraction), expected_links(row)) << row["id"] << " " << row["html"];
  }
}

}  // namespace
}  // namespace weir::crawler
