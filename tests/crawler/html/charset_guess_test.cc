// Guessing when nothing is declared: what must hold, and how often real pages are guessed right.
#include "crawler/html/charset_guess.h"

#include <gtest/gtest.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "crawler/html/charset.h"
#include "tests/support/corpora.h"

namespace weir::crawler {
namespace {

TEST(CharsetGuess, UndeclaredUtf8IsUtf8AndAsciiNeedsNoGuess) {
  EXPECT_EQ(decode_text("gr\xC3\xBC\xC3\x9F", "").encoding, "UTF-8");
  EXPECT_EQ(decode_text("plain", "").encoding, "windows-1252");
  EXPECT_TRUE(decode_text("plain", "").same);
  EXPECT_EQ(decode_text("", "").encoding, "windows-1252");
}

TEST(CharsetGuess, WhatIsDeclaredIsNotGuessedAt) {
  const std::string russian =
      "\xCF\xF0\xE8\xE2\xE5\xF2, \xEA\xE0\xEA \xE4\xE5\xEB\xE0? \xD5\xEE\xF0\xEE\xF8\xEE.";
  EXPECT_EQ(decode_text(russian, "koi8-r").encoding, "KOI8-R");
  EXPECT_EQ(decode_text("<meta charset=latin1>" + russian, "").encoding, "windows-1252");
  // Field case 62: a byte order mark is stronger than the header.
  EXPECT_EQ(decode_text("\xEF\xBB\xBF" + russian, "koi8-r").encoding, "UTF-8");
}

TEST(CharsetGuess, NoiseIsReadAsSomething) {  // field case 64
  const unsigned seed = std::random_device()();
  std::mt19937 random(seed);
  for (int round = 0; round < 200; ++round) {
    std::string bytes(random() % 5'000, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    const EncodingInfo* guessed = guess_encoding(bytes);
    if (guessed == nullptr) continue;
    EXPECT_NE(guessed->kind, EncodingKind::kUtf16) << "seed " << seed;
    EXPECT_NE(guessed->kind, EncodingKind::kReplacement) << "seed " << seed;
  }
}

// The word that declares, made unreadable in place.
std::string without_declaration(std::string body) {
  for (const std::string_view word : {"charset", "CHARSET", "Charset", "encoding"}) {
    for (std::size_t at = 0; (at = body.find(word, at)) != std::string::npos; ++at) body.replace(at, 3, "xxx");
  }
  return body;
}

TEST(CharsetGuess, MostRealPagesAreGuessedRight) {
  WEIR_CORPUS_OR_SKIP(manifest, "charset/manifest.jsonl");
  std::istringstream lines(manifest);
  int pages = 0;
  int right = 0;
  std::string wrong;
  for (std::string line; std::getline(lines, line);) {
    const auto row = nlohmann::json::parse(line);
    if (row["whatwg"].is_null()) continue;
    const auto body = test::read_corpus(WEIR_SOURCE_DIR, "charset/" + row["file"].get<std::string>());
    const std::string wanted(encoding_for_label(row["whatwg"].get<std::string>()));
    const std::string found(decode_text(without_declaration(*body), "").encoding);
    ++pages;
    right += found == wanted ? 1 : 0;
    if (found != wanted) wrong.append(" ").append(wanted).append(">").append(found);
  }
  std::cout << "  " << right << " of " << pages << "; wrong:" << wrong << "\n";
  EXPECT_GE(right * 100, pages * 70);
}

}  // namespace
}  // namespace weir::crawler
