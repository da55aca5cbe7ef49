// The short way of the parser gives what the state machine gives, wherever it gives anything.
#include "frontier/url/plain_url.h"

#include <gtest/gtest.h>

#include <random>

#include "frontier/url/input.h"
#include "frontier/url/parser.h"
#include "tests/support/corpora.h"
#include "tests/support/gzip_lines.h"

namespace weir::frontier {
namespace {

std::expected<Url, UrlError> by_machine(std::string_view input, const Url* base) {
  std::string storage;
  return Parser(prepare_input(input, storage), base, nullptr).run();
}

void expect_same(std::string_view input, const Url* base, const std::optional<Url>& plain) {
  if (!plain) return;
  const auto machine = by_machine(input, base);
  ASSERT_TRUE(machine) << input;
  ASSERT_EQ(plain->href(), machine->href()) << input;
  ASSERT_EQ(plain->scheme(), machine->scheme()) << input;
  ASSERT_EQ(plain->username(), machine->username()) << input;
  ASSERT_EQ(plain->host(), machine->host()) << input;
  ASSERT_EQ(plain->port(), machine->port()) << input;
  ASSERT_EQ(plain->path(), machine->path()) << input;
  ASSERT_EQ(plain->has_query(), machine->has_query()) << input;
  ASSERT_EQ(plain->query(), machine->query()) << input;
  ASSERT_EQ(plain->has_fragment(), machine->has_fragment()) << input;
  ASSERT_EQ(plain->fragment(), machine->fragment()) << input;
  ASSERT_EQ(plain->host_kind(), machine->host_kind()) << input;
  ASSERT_EQ(plain->href_without_fragment(), machine->href_without_fragment()) << input;
}

TEST(PlainUrl, OnlyWhatNeedsNoSecondLook) {
  const Url base = *parse_url("http://u@a.test:8080/d/p?q#f");
  for (const std::string_view text :
       {"http://a.test/", "https://a.test:8080/x/y.html?q=1&r=%20#f", "http://a-b.1c.test/x%7E"})
    EXPECT_TRUE(parse_plain(text)) << text;
  for (const std::string_view text : {"http://a.test",
                                      "HTTP://a.test/",
                                      "http://A.test/",
                                      "http://a.test/./x",
                                      "http://a.test/%2e/",
                                      "http://a.test:80/",
                                      "http://a.test:080/",
                                      "http://1.2.3/",
                                      "http://a.0x7f/",
                                      "http://xn--a.test/",
                                      "http://a..test/",
                                      "http://a.test./",
                                      "http:///a",
                                      "http://a.test/ x",
                                      "http://a.test/x y",
                                      "http://a.test/\\x",
                                      "http://a.test/?'",
                                      "http://u@a.test/",
                                      "http://a.test:/",
                                      "http://a.test:99999/",
                                      "ftp://a.test/",
                                      "http://a.test/\n",
                                      ""})
    EXPECT_FALSE(parse_plain(text)) << text;
  for (const std::string_view text : {"/x", "x.html", "x/y?z#w", "X", "0"})
    EXPECT_TRUE(resolve_plain(text, base)) << text;
  for (const std::string_view text :
       {"", "//b/", "/", "a:b", "http://a.test/", "../x", "./x", "?q", "#f", "x/../y", "x y"})
    EXPECT_FALSE(resolve_plain(text, base)) << text;
  EXPECT_FALSE(resolve_plain("x", *parse_url("mailto:a@b")));
  EXPECT_FALSE(resolve_plain("/x", *parse_url("file:///c:/y")));
}

TEST(PlainUrl, AgreesWithTheStateMachineOnRealUrls) {
  const Url base = *parse_url("https://u:p@base.test:444/d/e?x#y");
  const auto corpora = test::corpora_folder(WEIR_SOURCE_DIR);
  if (!corpora) GTEST_SKIP() << "corpora are not beside the repository";
  for (const char* name :
       {"urls/kasztp.txt.gz", "urls/debian-homepages.txt.gz", "urls/linkgraph-urls.txt.gz"}) {
    const auto lines = test::gzip_lines(*corpora / name);
    std::size_t plain = 0;
    for (const std::string& line : lines) {
      const auto url = parse_plain(line);
      plain += url ? 1u : 0u;
      expect_same(line, nullptr, url);
      const std::size_t path = line.find('/', 8);
      if (path == std::string::npos) continue;
      expect_same(line.substr(path), &base, resolve_plain(line.substr(path), base));
      expect_same(line.substr(path + 1), &base, resolve_plain(line.substr(path + 1), base));
    }
    EXPECT_GT(plain, lines.size() / 2) << name;
  }
}

TEST(PlainUrl, AgreesWithTheStateMachineOnGluedPieces) {
  constexpr std::string_view kPieces[] = {
      "http://", "https://", "a.test", "b",   "1",   "0x7f",   "xn--", ".",  "..", "/", "//", "?",   "#",
      ":",       ":80",      ":8080",  "%2e", "%41", "%",      "x",    "\\", "@",  "-", "_",  " ",   "'",
      "\t",      "|",        "^",      "~",   "A",   "\u00FC", "[",    "]",  ";",  "&", "=",  "\x7f"};
  const unsigned seed = std::random_device()();
  std::mt19937 random(seed);
  const Url base = *parse_url("http://u@a.test:8080/d/p/?q#f");
  for (int round = 0; round < 300'000; ++round) {
    std::string text = round % 2 == 0 ? "http://a" : "";
    for (unsigned i = random() % 8; i > 0; --i) text += kPieces[random() % std::size(kPieces)];
    SCOPED_TRACE(seed);
    expect_same(text, nullptr, parse_plain(text));
    expect_same(text, &base, resolve_plain(text, base));
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace weir::frontier
