// The parser against the web-platform-tests tables: URL parsing, domain to ASCII, percent-encoding. The only
// file here that reads JSON. What ICU's Unicode version cannot know is listed in the corpora, by input.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "frontier/url/url.h"
#include "tests/support/corpora.h"

namespace weir::frontier {
namespace {

using Json = nlohmann::json;

std::optional<Url> parse(const std::string& input, const Json& base) {
  if (base.is_null()) {
    auto url = parse_url(input);
    return url ? std::optional(*url) : std::nullopt;
  }
  const auto base_url = parse_url(base.get<std::string>());
  if (!base_url) return std::nullopt;
  auto url = parse_url(input, &*base_url);
  return url ? std::optional(*url) : std::nullopt;
}

std::string with_prefix(char prefix, std::string_view text) {
  return text.empty() ? std::string() : prefix + std::string(text);
}

std::map<std::string, std::string> components(const Url& url) {
  return {{"href", std::string(url.href())},
          {"protocol", std::string(url.scheme()) + ":"},
          {"username", std::string(url.username())},
          {"password", std::string(url.password())},
          {"host", std::string(url.host())},
          {"hostname", std::string(url.hostname())},
          {"port", url.port() ? std::to_string(*url.port()) : ""},
          {"pathname", std::string(url.path())},
          {"search", with_prefix('?', url.query())},
          {"hash", with_prefix('#', url.fragment())}};
}

// Runs one row; counts it in `checked`.
void check_row(const Json& row, int& checked) {
  if (!row.is_object()) return;
  ++checked;
  const auto input = row.at("input").get<std::string>();
  const Json base = row.contains("base") ? row.at("base") : Json();
  SCOPED_TRACE("input: " + input + "  base: " + base.dump());
  const auto url = parse(input, base);
  if (row.value("failure", false)) {
    EXPECT_FALSE(url) << (url ? std::string(url->href()) : "");
    return;
  }
  ASSERT_TRUE(url);
  for (const auto& [name, value] : components(*url)) {
    if (row.contains(name)) {
      EXPECT_EQ(value, row.at(name).get<std::string>()) << name;
    }
  }
}

void check_url_table(const std::string& text, int rows) {
  int checked = 0;
  for (const Json& row : Json::parse(text)) check_row(row, checked);
  EXPECT_EQ(checked, rows);
}

TEST(Whatwg, UrlTestData) {
  WEIR_CORPUS_OR_SKIP(text, "url/urltestdata.json");
  check_url_table(text, 891);
}

TEST(Whatwg, UrlTestDataWithLoneSurrogatesReplaced) {
  WEIR_CORPUS_OR_SKIP(text, "url/urltestdata-javascript-only.usv.json");
  check_url_table(text, 1);
}

TEST(Whatwg, ExtraUrlTestData) {
  WEIR_CORPUS_OR_SKIP(text, "url/ada_extra_urltestdata.json");
  int checked = 0;
  for (const Json& row : Json::parse(text)) check_row(row, checked);
  EXPECT_GT(checked, 10);
}

TEST(Whatwg, LongHosts) {
  WEIR_CORPUS_OR_SKIP(text, "url/ada_long_urltestdata.json");
  int checked = 0;
  for (const Json& row : Json::parse(text)) check_row(row, checked);
  EXPECT_GT(checked, 0);
}

// Inputs of `file` where ICU's tables are older than the test data.
std::set<std::string> known_mismatches(const std::string& lines, const std::string& file) {
  std::set<std::string> inputs;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    const Json row = Json::parse(line);
    if (row.at("file") == file) inputs.insert(row.at("input").get<std::string>());
  }
  return inputs;
}

std::string host_of(const std::string& domain) {
  const auto url = parse_url("https://" + domain + "/x");
  return url ? std::string(url->hostname()) : std::string("failure");
}

void check_domains(const std::string& text, const std::set<std::string>& known, std::size_t rows) {
  std::size_t checked = 0;
  for (const Json& row : Json::parse(text)) {
    if (!row.is_object()) continue;
    ++checked;
    const auto input = row.at("input").get<std::string>();
    const Json& output = row.at("output");
    if (known.contains(input)) continue;
    EXPECT_EQ(host_of(input), output.is_null() ? "failure" : output.get<std::string>()) << "input: " << input;
  }
  EXPECT_EQ(checked, rows);
}

TEST(Whatwg, DomainToAscii) {
  WEIR_CORPUS_OR_SKIP(text, "url/toascii.json");
  WEIR_CORPUS_OR_SKIP(known, "url/icu72-known-mismatches.jsonl");
  check_domains(text, known_mismatches(known, "toascii.json"), 87);
}

TEST(Whatwg, IdnaTestV2) {
  WEIR_CORPUS_OR_SKIP(text, "url/IdnaTestV2.usv.json");
  WEIR_CORPUS_OR_SKIP(known, "url/icu72-known-mismatches.jsonl");
  check_domains(text, known_mismatches(known, "IdnaTestV2.json"), 2671);
}

TEST(Whatwg, PercentEncodingOfUtf8) {
  WEIR_CORPUS_OR_SKIP(text, "url/percent-encoding.json");
  int checked = 0;
  for (const Json& row : Json::parse(text)) {
    if (!row.is_object()) continue;
    ++checked;
    const auto input = row.at("input").get<std::string>();
    const auto url = parse_url("http://a.test/?" + input);
    ASSERT_TRUE(url) << input;
    EXPECT_EQ(url->query(), row.at("output").at("utf-8").get<std::string>()) << input;
  }
  EXPECT_GT(checked, 5);
}

}  // namespace
}  // namespace weir::frontier
