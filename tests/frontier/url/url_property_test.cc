// Laws that hold for every URL, tried on generated ones: pieces that are known to be awkward, glued at random,
// and random byte changes of them. One seed replays one run; it is printed when a law breaks.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "frontier/url/key_rules.h"
#include "frontier/url/url.h"
#include "frontier/url/url_key.h"

namespace weir::frontier {
namespace {

constexpr unsigned kSeed = 20261201;
constexpr int kRounds = 200'000;

constexpr auto kPieces = std::to_array<std::string_view>(
    {"http:", "https:", "file:", "foo:",   "mailto:",     "//",          "/",    "\\",   "/.",     "/..",
     "/%2e",  "/.%2E",  "%",     "%%34",   "%31",         "%41",         "%7e",  "%c3",  "%C3%A9", "%2525",
     "%4",    "C|",     "C:",    "/C|/",   "/%43|",       "?",           "#",    "@",    ":",      ":80",
     ":443",  "[::1]",  "[1::2", "a.test", "A.TEST",      "1.2.3",       "0x7f", "%43",  "%7C",    "b",
     "..",    ".",      " ",     "\t",     "'",           "\"",          "<",    "`",    "{",      "|",
     "^",     "~",      "&x=1",  "\u00FC", "\u200B",      "\xFF",        "\xC3", "xn--", "xn--a",  "localhost",
     ";",     "+",      "\x7F",  "\x01",   "u:p@",        "0",           "f",    "www.", ";sid=1", "sid=",
     "utm_a", "&",      "=",     "!",      "/index.html", "/Default.asp"});

class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {}

  std::string text() {
    std::string out;
    if (below(2) == 0) out = below(2) == 0 ? "http://a.test/" : "https://u@b.test:81/x/y?z";
    for (std::size_t count = below(9); count > 0; --count) out += kPieces[below(kPieces.size())];
    if (!out.empty() && below(4) == 0) out[below(out.size())] = static_cast<char>(below(256));
    return out;
  }

 private:
  std::size_t below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_);
  }

  std::mt19937 random_;
};

std::string key_of(const Url& url) { return std::string(canonical_key(url).text()); }

void expect_same_parts(const Url& a, const Url& b) {
  EXPECT_EQ(a.href(), b.href());
  EXPECT_EQ(a.scheme(), b.scheme());
  EXPECT_EQ(a.username(), b.username());
  EXPECT_EQ(a.password(), b.password());
  EXPECT_EQ(a.host(), b.host());
  EXPECT_EQ(a.path(), b.path());
  EXPECT_EQ(a.query(), b.query());
  EXPECT_EQ(a.fragment(), b.fragment());
  EXPECT_EQ(a.port(), b.port());
  EXPECT_EQ(a.host_kind(), b.host_kind());
  EXPECT_EQ(a.has_opaque_path(), b.has_opaque_path());
}

// Calls `law` with generated URLs, resolved against generated bases, until one breaks it.
template <typename Law>
void for_generated_urls(Law law) {
  Generator generator(kSeed);
  int parsed = 0;
  for (int round = 0; round < kRounds && !testing::Test::HasFailure(); ++round) {
    const std::string base_text = generator.text();
    const std::string text = generator.text();
    SCOPED_TRACE("seed " + std::to_string(kSeed) + " round " + std::to_string(round) + ": '" + text +
                 "' base '" + base_text + "'");
    const auto base = parse_url(base_text);
    const auto url = parse_url(text, base ? &*base : nullptr);
    if (!url) continue;
    ++parsed;
    law(*url);
  }
  EXPECT_GT(parsed, kRounds / 4);
}

TEST(UrlProperty, ParsingTheSerialisationGivesTheSameUrl) {
  for_generated_urls([](const Url& url) {
    const auto again = parse_url(url.href());
    ASSERT_TRUE(again) << url.href();
    expect_same_parts(url, *again);
  });
}

TEST(UrlProperty, SerialisationIsPrintableAscii) {
  for_generated_urls([](const Url& url) {
    for (const char c : url.href()) ASSERT_TRUE(c >= 0x20 && c < 0x7f) << url.href();
  });
}

TEST(UrlProperty, WireFormIsWhatAFreshParseGives) {
  for_generated_urls([](const Url& url) {
    const Url wire = wire_form(url);
    const auto again = parse_url(wire.href());
    ASSERT_TRUE(again) << wire.href();
    expect_same_parts(wire, *again);
    EXPECT_FALSE(wire.has_credentials() || wire.has_fragment());
  });
}

TEST(UrlProperty, KeyOfKeyIsKey) {
  for_generated_urls([](const Url& url) {
    const std::string key = key_of(url);
    const auto again = parse_url(key);
    ASSERT_TRUE(again) << key;
    EXPECT_EQ(again->href(), key);
    EXPECT_EQ(key_of(*again), key);
  });
}

TEST(UrlProperty, KeyOfKeyIsKeyUnderEverySetOfRules) {
  unsigned set = 0;
  std::vector<KeyRules> sets;
  for (; set < 1U << kKeyRules; ++set) {
    KeyRulesOptions options;
    options.strip_params = {{"a.test", {"x", "f*"}}};
    for (std::size_t i = 0; i < kKeyRules; ++i) {
      if (set & (1U << i)) options.rules.emplace_back(key_rule_name(static_cast<KeyRule>(i)));
    }
    sets.push_back(*KeyRules::compile(options));
  }
  for_generated_urls([&](const Url& url) {
    const KeyRules& rules = sets[set++ % sets.size()];
    const std::string key(rules.key(url).text());
    const auto again = parse_url(key);
    ASSERT_TRUE(again) << key;
    EXPECT_EQ(again->href(), key) << rules.text();
    EXPECT_EQ(rules.key(*again).text(), key) << rules.text();
    EXPECT_EQ(rules.key(rules.queue_form(url)).text(), key) << rules.text();
  });
}

TEST(UrlProperty, KeyIsThatOfTheWireForm) {
  for_generated_urls([](const Url& url) { EXPECT_EQ(key_of(url), key_of(wire_form(url))); });
}

}  // namespace
}  // namespace weir::frontier
