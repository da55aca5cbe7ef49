// Resolution and normalisation as other crawlers test theirs (crawler-commons, urlcanon), and the setters of
// the web platform where they amount to parsing a rebuilt URL. Rows that the URL Standard decides otherwise
// stand in a list with the reason; nothing is skipped silently.
#include <gtest/gtest.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "frontier/url/url.h"
#include "frontier/url/url_key.h"
#include "tests/support/corpora.h"

namespace weir::frontier {
namespace {

using nlohmann::json;

// Fields separated by ", ", some in double quotes; lines of '#' are comments.
std::vector<std::vector<std::string>> rows_of(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '"') {
        quoted = !quoted;
      } else if (!quoted && line.compare(i, 2, ", ") == 0) {
        fields.emplace_back();
        ++i;
      } else {
        fields.back() += line[i];
      }
    }
    rows.push_back(std::move(fields));
  }
  return rows;
}

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

TEST(Canon, CrawlerCommonsResolveRows) {
  WEIR_CORPUS_OR_SKIP(text, "canon/crawler-commons-url-resolve.csv");
  const auto rows = rows_of(text);
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), 3u);
    const auto base = parse_url(row[1]);
    const auto url = parse_url(row[0], base ? &*base : nullptr);
    ASSERT_TRUE(url) << row[0];
    EXPECT_EQ(url->href(), row[2]) << row[0] << " on " << row[1];
  }
  EXPECT_EQ(rows.size(), 22u);
}

TEST(Canon, CrawlerCommonsInvalidRowsAreInvalid) {
  WEIR_CORPUS_OR_SKIP(text, "canon/crawler-commons-invalidUrls.csv");
  const auto rows = rows_of(text);
  for (const auto& row : rows) EXPECT_FALSE(parse_url(row[0])) << row[0];
  EXPECT_FALSE(rows.empty());
}

// Their normal form also rewrites what may be another page. Of the pairs, most have one key here too; the
// others are counted, so that a change shows.
TEST(Canon, CrawlerCommonsNormalRows) {
  WEIR_CORPUS_OR_SKIP(text, "canon/crawler-commons-weirdToNormalizedUrls.csv");
  int same = 0;
  int other = 0;
  for (const auto& row : rows_of(text)) {
    if (row.size() < 2) continue;
    const auto weird = parse_url(row[0]);
    const auto normal = parse_url(row[1]);
    if (!weird || !normal) {
      ++other;
      continue;
    }
    const bool equal = canonical_key(*weird) == canonical_key(*normal);
    (equal ? same : other) += 1;
    if (!equal) RecordProperty(row[0], std::string(canonical_key(*weird).text()));
  }
  EXPECT_EQ(same, 76);
  EXPECT_EQ(other, 32);
  std::cout << "  " << same << " pairs have one key, " << other << " have two\n";
}

TEST(Canon, UrlcanonDotSegments) {
  WEIR_CORPUS_OR_SKIP(text, "canon/urlcanon-path_dots.json");
  const json corpus = json::parse(text);
  int rows = 0;
  for (const auto& [path, expected] : corpus["special"].items()) {
    const auto url = parse_url("http://a.test" + path);
    ASSERT_TRUE(url) << path;
    // There a backslash keeps its spelling, here it is a slash.
    EXPECT_EQ(url->path(), replaced(expected.get<std::string>(), "\\", "/")) << path;
    ++rows;
  }
  EXPECT_GT(rows, 100);
}

// The text that a setter's "state override" parse of a special URL amounts to; nothing where it has no such
// text.
std::optional<std::string> rebuilt(const Url& url, const std::string& setter, const std::string& value) {
  const std::string origin(
      url.href().substr(0, static_cast<std::size_t>(url.path().data() - url.href().data())));
  const std::string path(url.path());
  const std::string search = url.has_query() ? "?" + std::string(url.query()) : "";
  const std::string hash = url.has_fragment() ? "#" + std::string(url.fragment()) : "";
  if (url.has_opaque_path() || !url.is_special()) return std::nullopt;
  if (setter == "pathname") {
    const bool rooted = value.starts_with('/') || value.starts_with('\\');
    return origin + (rooted ? "" : "/") + replaced(replaced(value, "?", "%3F"), "#", "%23") + search + hash;
  }
  if (setter == "search") {
    if (value.empty()) return origin + path + hash;
    return origin + path + "?" + replaced(value.starts_with('?') ? value.substr(1) : value, "#", "%23") + hash;
  }
  if (setter != "hash") return std::nullopt;
  if (value.empty()) return origin + path + search;
  return origin + path + search + "#" + (value.starts_with('#') ? value.substr(1) : value);
}

// protocol, username, password, host, hostname and port change what stands before the path, which no parse of a
// whole URL does; weir has no setters, so those rows have nothing to test.
TEST(Whatwg, SettersThatAmountToParsing) {
  WEIR_CORPUS_OR_SKIP(text, "url/setters_tests.json");
  const json corpus = json::parse(replaced(text, "\\ud800", "\\ufffd"), nullptr, false);
  ASSERT_FALSE(corpus.is_discarded());
  int rows = 0;
  for (const char* setter : {"pathname", "search", "hash"}) {
    for (const json& row : corpus[setter]) {
      const auto url = parse_url(row["href"].get<std::string>());
      const std::string value = row["new_value"];
      const auto whole = url ? rebuilt(*url, setter, value) : std::nullopt;
      // Spaces and controls at the end belong to the value there, and would be stripped off a whole URL.
      if (!whole || static_cast<unsigned char>(whole->back()) <= ' ') continue;
      const auto set = parse_url(*whole);
      ASSERT_TRUE(set) << *whole;
      EXPECT_EQ(set->href(), row["expected"]["href"].get<std::string>())
          << setter << " " << value << " on " << row["href"];
      ++rows;
    }
  }
  EXPECT_EQ(rows, 34);
}

}  // namespace
}  // namespace weir::frontier
