// Both engines against each other: the inputs of the html5lib tests for tree construction and tokenizers, whole
// pages of many encodings, and the documentation under /usr/share/doc. Same links, whatever their order (a tree
// builder moves what stands wrongly in tables). Needs the corpora beside the repository.
#include <gtest/gtest.h>
#include <re2/re2.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <tuple>

#include "crawler/html/charset.h"
#include "tests/support/corpora.h"
#include "tests/support/extract.h"

namespace weir::crawler {
namespace {

using Seen = std::tuple<std::string, std::string, std::string, std::string, LinkKind>;

std::multiset<Seen> seen_links(const Extraction& extraction) {
  std::multiset<Seen> links;
  for (const Link& link : extraction.links) {
    links.emplace(link.tag, link.attribute, extraction.raw(link), extraction.rel(link), link.kind);
  }
  return links;
}

std::string text_of(const Extraction& extraction) {
  std::string text = "base=" + extraction.base;
  for (const Link& link : extraction.links)
    text += " " + std::string(link.tag) + "." + std::string(link.attribute) + "=" +
            std::string(extraction.raw(link));
  return text;
}

// The inputs of one .dat file: what stands between "#data" and "#errors".
std::vector<std::string> inputs_of(const std::string& dat) {
  std::vector<std::string> inputs;
  std::istringstream lines(dat);
  bool in_data = false;
  std::string input;
  for (std::string line; std::getline(lines, line);) {
    if (line == "#data") {
      in_data = true;
      input.clear();
    } else if (in_data && line == "#errors") {
      in_data = false;
      if (!input.empty()) input.pop_back();
      inputs.push_back(input);
    } else if (in_data) {
      input += line + "\n";
    }
  }
  return inputs;
}

// What gumbo does otherwise than the standard says today (docs/extraction.md); such inputs are left out.
//  - Control characters and noncharacters become U+FFFD: "\x01http://a.test/" is no URL any more.
//  - A number above 2^31 in a reference wraps around, or loses the tag.
//  - In foreign content </p> and </br> do not break out.
bool is_known_difference(const std::string& html) {
  static const RE2 control(
      "[\\x01-\\x08\\x0b\\x0e-\\x1f\\x7f\\x{80}-\\x{9f}\\x{fdd0}-\\x{fdef}\\x{fffe}\\x{ffff}]|\\x{1ffff}");
  static const RE2 planes(
      "[\\x{1fffe}-\\x{1ffff}\\x{2fffe}-\\x{2ffff}\\x{3fffe}-\\x{3ffff}\\x{4fffe}-\\x{10ffff}]");
  static const RE2 long_number("&#[xX]?[0-9a-fA-F]{8}");
  static const RE2 breaks_out("(?i)<(svg|math)[^>]*>.*</(p|br)>");
  return RE2::PartialMatch(html, control) || RE2::PartialMatch(html, planes) ||
         RE2::PartialMatch(html, long_number) || RE2::PartialMatch(html, breaks_out);
}

void expect_agreement(const std::string& html, const std::string& origin) {
  if (is_known_difference(html)) return;
  const Extraction gumbo = test::by_gumbo(html);
  const Extraction stream = test::by_stream(html);
  const bool same = seen_links(gumbo) == seen_links(stream) && gumbo.base == stream.base &&
                    gumbo.nofollow == stream.nofollow && gumbo.noindex == stream.noindex;
  EXPECT_TRUE(same) << origin << "\n"
                    << html.substr(0, 2000) << "\n  gumbo:  " << text_of(gumbo)
                    << "\n  stream: " << text_of(stream);
}

std::string strewn_with_links(const std::string& input) {
  std::string strewn;
  int links = 0;
  for (const char c : input) {
    strewn += c;
    if (c == '>') strewn += "<area href=" + std::to_string(++links) + ">";
  }
  return strewn;
}

std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder,
                                               std::string_view extension) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(EnginesAgree, OnTheInputsOfTreeConstructionTests) {
  const auto corpora = test::corpora_folder(WEIR_SOURCE_DIR);
  if (!corpora) GTEST_SKIP() << "corpora are not beside the repository";
  int inputs = 0;
  for (const auto& path : files_below(*corpora / "html/tree-construction", ".dat")) {
    for (const std::string& input : inputs_of(read_file(path))) {
      expect_agreement(input, path.filename());
      ++inputs;
    }
  }
  EXPECT_GT(inputs, 1'400);
}

// The same with a link in many places of each input, so that its tree matters.
TEST(EnginesAgree, OnThoseInputsStrewnWithLinks) {
  const auto corpora = test::corpora_folder(WEIR_SOURCE_DIR);
  if (!corpora) GTEST_SKIP() << "corpora are not beside the repository";
  for (const auto& path : files_below(*corpora / "html/tree-construction", ".dat")) {
    for (const std::string& input : inputs_of(read_file(path))) {
      expect_agreement(strewn_with_links(input), path.filename());
    }
  }
}

// What parse5, a parser of others, finds in the tree it builds. Needs node and parse5; skipped without.
std::optional<nlohmann::json> parse5_walk(const nlohmann::json& inputs) {
  const std::string file = testing::TempDir() + "weir-parse5-" + std::to_string(getpid()) + ".json";
  std::ofstream(file) << inputs.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const std::string command =
      "node '" WEIR_SOURCE_DIR "/tests/crawler/html/parse5_walk.cjs' '" + file + "' 2>/dev/null";
  std::string answer;
  FILE* pipe = popen(command.c_str(), "r");
  std::array<char, 1 << 16> buffer{};
  for (std::size_t got = 0; (got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    answer.append(buffer.data(), got);
  const int status = pclose(pipe);
  std::filesystem::remove(file);
  if (status != 0) return std::nullopt;
  return nlohmann::json::parse(answer);
}

// Of the kinds that parse5_walk.cjs knows.
std::multiset<nlohmann::json> plain_links(const Extraction& extraction) {
  std::multiset<nlohmann::json> links;
  for (const Link& link : extraction.links) {
    constexpr std::string_view kOthers[] = {"srcset",  "imagesrcset", "ping",      "style",
                                            "refresh", "action",      "formaction"};
    if (link.tag == "style" || std::ranges::find(kOthers, link.attribute) != std::end(kOthers)) continue;
    const std::string_view tag = link.tag == "feimage" ? "feImage" : link.tag;
    links.insert(nlohmann::json::array({tag, link.attribute, extraction.raw(link)}));
  }
  return links;
}

nlohmann::json tree_construction_inputs(const std::filesystem::path& corpora) {
  nlohmann::json inputs = nlohmann::json::array();
  for (const auto& path : files_below(corpora / "html/tree-construction", ".dat")) {
    for (const std::string& input : inputs_of(read_file(path))) {
      inputs.push_back(input);
      inputs.push_back(strewn_with_links(input));
    }
  }
  return inputs;
}

void expect_same_as_parse5(const nlohmann::json& inputs, const nlohmann::json& expected,
                           Extraction (*extract)(std::string_view), bool (*left_out)(const std::string&)) {
  int differences = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string html = inputs[i];
    if (left_out(html)) continue;
    const auto found = plain_links(extract(html));
    const std::multiset<nlohmann::json> wanted(expected[i].begin(), expected[i].end());
    differences += found == wanted ? 0 : 1;
    EXPECT_EQ(found, wanted) << html;
  }
  EXPECT_EQ(differences, 0) << "of " << inputs.size();
}

TEST(EnginesAgree, WithParse5OnTheInputsOfTreeConstructionTests) {
  const auto corpora = test::corpora_folder(WEIR_SOURCE_DIR);
  if (!corpora) GTEST_SKIP() << "corpora are not beside the repository";
  const nlohmann::json inputs = tree_construction_inputs(*corpora);
  const auto expected = parse5_walk(inputs);
  if (!expected) GTEST_SKIP() << "node with parse5 is not installed (Debian: nodejs node-parse5)";
  expect_same_as_parse5(
      inputs, *expected, [](std::string_view html) { return test::by_stream(html); },
      [](const std::string&) { return false; });
  expect_same_as_parse5(
      inputs, *expected, [](std::string_view html) { return test::by_gumbo(html); }, is_known_difference);
}

TEST(EnginesAgree, OnTheInputsOfTokenizerTests) {
  const auto corpora = test::corpora_folder(WEIR_SOURCE_DIR);
  if (!corpora) GTEST_SKIP() << "corpora are not beside the repository";
  int inputs = 0;
  for (const auto& path : files_below(*corpora / "html/tokenizer", ".test")) {
    const auto file = nlohmann::json::parse(read_file(path), nullptr, false);
    if (!file.contains("tests")) continue;
    for (const auto& row : file["tests"]) {
      if (row.value("doubleEscaped", false)) continue;
      const std::string input = row["input"];
      expect_agreement(input, path.filename());
      expect_agreement("<a href=\"" + input + "\">", path.filename());
      ++inputs;
    }
  }
  EXPECT_GT(inputs, 1'000);
}

TEST(EnginesAgree, OnPagesOfManyEncodings) {
  const auto corpora = test::corpora_folder(WEIR_SOURCE_DIR);
  if (!corpora) GTEST_SKIP() << "corpora are not beside the repository";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*corpora / "charset/samples")) {
    if (!entry.is_regular_file()) continue;
    const std::string body = read_file(entry.path());
    const DecodedText text = decode_text(body, "");
    expect_agreement(text.same ? body.substr(text.bom_bytes) : text.utf8, entry.path().filename());
  }
}

// All documents of the packages installed here, or of the folder that WEIR_DOCUMENTS names; evenly picked when
// they are too many for gumbo in a test's time.
TEST(EnginesAgree, OnInstalledDocumentation) {
  constexpr std::uintmax_t kBytesMax = 64 << 20;
  const char* chosen = std::getenv("WEIR_DOCUMENTS");
  const auto files = files_below(chosen == nullptr ? "/usr/share/doc" : chosen, ".html");
  std::uintmax_t bytes = 0;
  for (const auto& path : files)
    bytes += std::filesystem::is_regular_file(path) ? std::filesystem::file_size(path) : 0;
  if (bytes == 0) GTEST_SKIP() << "no HTML under /usr/share/doc";
  const std::size_t step = chosen == nullptr ? 1 + bytes / kBytesMax : 1;
  std::size_t pages = 0;
  std::size_t links = 0;
  for (std::size_t i = 0; i < files.size(); i += step) {
    if (!std::filesystem::is_regular_file(files[i])) continue;
    const std::string body = read_file(files[i]);
    const DecodedText text = decode_text(body, "");
    const std::string html = text.same ? body.substr(text.bom_bytes) : text.utf8;
    ++pages;
    links += test::by_stream(html).links.size();
    expect_agreement(html, files[i]);
  }
  std::cout << "  " << pages << " pages, " << links << " links\n";
}

}  // namespace
}  // namespace weir::crawler
