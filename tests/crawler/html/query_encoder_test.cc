// Queries in the encoding of their page: the web platform's vectors, and every character of every encoding
// there and back.
#include "crawler/html/query_encoder.h"

#include <gtest/gtest.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "crawler/html/charset.h"
#include "crawler/html/utf8.h"
#include "frontier/url/url.h"
#include "tests/support/corpora.h"

namespace weir::crawler {
namespace {

std::string query_of(std::string_view reference, std::string_view label) {
  const auto url = frontier::parse_url("http://a.test/?" + std::string(reference), nullptr,
                                       query_encoder(find_encoding(label)->encoding));
  return url ? std::string(url->query()) : "invalid";
}

std::string utf8_of(char32_t character) {
  std::string text;
  append_utf8(text, character);
  return text;
}

TEST(QueryEncoder, Whatwg_PercentEncodingVectors) {
  WEIR_CORPUS_OR_SKIP(text, "url/percent-encoding.json");
  const auto corpus = nlohmann::json::parse(text);
  int rows = 0;
  for (const auto& row : corpus) {
    if (row.is_string()) continue;
    for (const auto& [label, expected] : row["output"].items()) {
      EXPECT_EQ(query_of(row["input"].get<std::string>(), label), expected.get<std::string>())
          << row["input"] << " in " << label;
      ++rows;
    }
  }
  EXPECT_EQ(rows, 16);
}

TEST(QueryEncoder, WhatPagesHave) {
  struct Row {
    std::string_view label;
    std::string_view query;
    std::string_view expected;
  };
  constexpr Row kRows[] = {
      {"windows-1252", "q=\u2605", "q=%26%239733%3B"},  // field case 61
      {"windows-1251", "q=\u041F", "q=%CF"},
      {"koi8-r", "q=\u041F", "q=%F0"},
      {"utf-8", "q=\u041F", "q=%D0%9F"},
      {"utf-16le", "q=\u041F", "q=%D0%9F"},
      {"replacement", "q=\u041F", "q=%D0%9F"},
      {"shift_jis", "q=\u65E5\u672C", "q=%93%FA%96{"},
      {"shift_jis", "\u00A5\u203E\uFF71", "\\~%B1"},
      {"euc-jp", "q=\u65E5\uFF71\u4E02", "q=%C6%FC%8E%B1%26%2319970%3B"},
      {"iso-2022-jp", "a\u65E5b\uFF71", "a%1B$BF|%1B(Bb%1B$B%%22%1B(B"},
      {"gbk", "\u20AC\u4E2D\u3400", "%80%D6%D0%26%2313312%3B"},
      {"gb18030", "\u20AC\u4E2D\u3400\U0001F600", "%A2%E3%D6%D0%819%EE9%949%FC6"},
      {"big5", "\u4E2D\u5341", "%A4%A4%A4Q"},
      {"euc-kr", "\uD55C", "%C7%D1"},
      {"x-user-defined", "\uF780\u00E9", "%80%26%23233%3B"},
      {"iso-8859-16", "\u0218", "%AA"},
  };
  for (const Row& row : kRows) EXPECT_EQ(query_of(row.query, row.label), row.expected) << row.label;
}

TEST(QueryEncoder, OnlyQueriesOfSchemesThatBrowsersEncode) {
  const auto* const encoder = query_encoder(Encoding::kWindows1252);
  EXPECT_EQ(frontier::parse_url("http://a.test/\u00E9?\u00E9#\u00E9", nullptr, encoder)->href(),
            "http://a.test/%C3%A9?%E9#%C3%A9");
  EXPECT_EQ(frontier::parse_url("ws://a.test/?\u00E9", nullptr, encoder)->href(), "ws://a.test/?%C3%A9");
  EXPECT_EQ(frontier::parse_url("foo://a.test/?\u00E9", nullptr, encoder)->href(), "foo://a.test/?%C3%A9");
}

// Characters that the standard writes as another one, on purpose.
bool is_written_otherwise(char32_t c, Encoding encoding) {
  if (encoding == Encoding::kGbk || encoding == Encoding::kGb18030) return c >= 0xE78D && c <= 0xE864;
  const bool japanese =
      encoding == Encoding::kShiftJis || encoding == Encoding::kEucJp || encoding == Encoding::kIso2022Jp;
  if (!japanese) return false;
  if (c == 0x2212) return true;
  if (encoding == Encoding::kIso2022Jp) return c >= 0xFF61 && c <= 0xFF9F;
  return c == 0xA5 || c == 0x203E;
}

TEST(QueryEncoder, EveryCharacterThereAndBack) {
  for (std::size_t i = 0; i < kEncodingCount; ++i) {
    const auto encoding = static_cast<Encoding>(i);
    const auto* const encoder = query_encoder(encoding);
    if (encoder == nullptr) continue;
    const std::string_view name = info_of(encoding).name;
    std::size_t written = 0;
    std::size_t lacking = 0;
    for (char32_t c = 0x80; c <= 0x2FFFF; ++c) {
      if (c >= 0xD800 && c <= 0xDFFF) continue;
      const std::string bytes = encoder->encode(utf8_of(c));
      if (bytes.starts_with("%26%23")) {
        ++lacking;
        continue;
      }
      ++written;
      if (is_written_otherwise(c, encoding)) continue;
      const DecodedText back = decode_text(bytes, name);
      ASSERT_EQ(back.same ? bytes : back.utf8, utf8_of(c)) << name << " " << static_cast<std::uint32_t>(c);
    }
    EXPECT_TRUE(encoding != Encoding::kGb18030 || lacking == 1) << "U+E5E5 only";
    std::cout << "  " << name << ": " << written << " characters\n";
  }
}

}  // namespace
}  // namespace weir::crawler
