// What is written is JSON for any bytes: held against another parser, byte by byte and at random.
#include "crawler/output/json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>

namespace weir::crawler {
namespace {

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

TEST(JsonString, EachClassOfBytesHasItsForm) {
  struct Row {
    std::string_view text;
    std::string_view json;
    std::string_view reason;
  };
  using namespace std::string_view_literals;
  const Row rows[] = {
      {"plain /?&=", R"("plain /?&=")", "ASCII is copied"},
      {"a\"b\\c", R"("a\"b\\c")", "quote and backslash"},
      {"\n\r\t", R"("\n\r\t")", "the usual short forms"},
      {"a\0b"sv, R"("a\u0000b")", "NUL"},
      {"\x1b[2J", R"("\u001b[2J")", "ESC cannot steer a terminal"},
      {"\x7f", R"("\u007f")", "DEL"},
      {"\xC2\x9B", R"("\u009b")", "C1 control sequence introducer"},
      {"\xC2\xA0", "\"\xC2\xA0\"", "the first that is no control"},
      {"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", "\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"",
       "valid UTF-8 is copied"},
      {"\xFF", "\"\xEF\xBF\xBD\"", "no lead byte"},
      {"\xC0\xAF", "\"\xEF\xBF\xBD\xEF\xBF\xBD\"", "overlong"},
      {"\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"", "surrogate"},
      {"\xF4\x90\x80\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"", "above U+10FFFF"},
      {"\xE2\x82", "\"\xEF\xBF\xBD\"", "cut short: one replacement for what belongs together"},
      {"\xE2\x82x", "\"\xEF\xBF\xBDx\"", "the byte that breaks a sequence is kept"},
  };
  for (const Row& row : rows) EXPECT_EQ(json_string(row.text), row.json) << row.reason;
}

TEST(JsonString, AnyBytesGiveOneValidLine) {
  constexpr std::uint32_t kSeed = 20261201;
  SCOPED_TRACE(testing::Message() << "seed " << kSeed);
  std::mt19937 random(kSeed);
  for (int round = 0; round < 2000; ++round) {
    std::string text(random() % 40, '\0');
    for (char& c : text) c = static_cast<char>(random() % 3 == 0 ? 0x80 + random() % 128 : random() % 256);
    const std::string json = json_string(text);
    const auto parsed = nlohmann::json::parse(json, nullptr, false);
    ASSERT_FALSE(parsed.is_discarded()) << json;
    for (const char c : json) ASSERT_GE(static_cast<unsigned char>(c), 0x20);
  }
}

TEST(JsonString, ValidTextsReadBackEqual) {
  for (unsigned code = 1; code < 0x800; ++code) {
    std::string text;
    if (code < 0x80) {
      text.push_back(static_cast<char>(code));
    } else {
      text.push_back(static_cast<char>(0xc0 | code >> 6));
      text.push_back(static_cast<char>(0x80 | (code & 0x3f)));
    }
    ASSERT_EQ(nlohmann::json::parse(json_string(text)).get<std::string>(), text) << code;
  }
}

TEST(JsonObject, FieldsKeepTheirOrder) {
  std::string out;
  JsonObject object(out);
  object.text("a", "x").number("b", 18446744073709551615ull).fraction("c", 1e-6).boolean("d", false);
  object.null("e").text_or_null("f", "").text_or_null("g", "y").raw("h", "[1]");
  object.close();
  EXPECT_EQ(out, R"({"a":"x","b":18446744073709551615,"c":1e-06,"d":false,"e":null,"f":null,"g":"y","h":[1]})");
}

}  // namespace
}  // namespace weir::crawler
