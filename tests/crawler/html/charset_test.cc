// Encodings: the order of the signs, the fast path, errors, and every table against the Encoding Standard's.
#include "crawler/html/charset.h"

#include <gtest/gtest.h>

#include <random>

#include "crawler/html/meta_prescan.h"
#include "crawler/html/utf8.h"

namespace weir::crawler {
namespace {

std::string text_of(std::string_view body, std::string_view charset = {}) {
  const DecodedText decoded = decode_text(body, charset);
  return decoded.same ? std::string(body.substr(decoded.bom_bytes)) : decoded.utf8;
}

std::string_view encoding_of(std::string_view body, std::string_view charset = {}) {
  return decode_text(body, charset).encoding;
}

TEST(Charset, Whatwg_MarkBeatsHeaderBeatsMetaBeatsNothing) {
  const std::string meta = "<meta charset=koi8-r>";
  EXPECT_EQ(encoding_of(meta), "KOI8-R");
  EXPECT_EQ(encoding_of(meta, "Shift-JIS"), "Shift_JIS");
  EXPECT_EQ(encoding_of(meta, "no such thing"), "KOI8-R") << "an unknown label is passed over";
  EXPECT_EQ(encoding_of("\xEF\xBB\xBF" + meta, "koi8-r"), "UTF-8");
  EXPECT_EQ(encoding_of("\xFE\xFF" + meta, "koi8-r"), "UTF-16BE");
  EXPECT_EQ(encoding_of("text"), "windows-1252");
  EXPECT_EQ(encoding_of(""), "windows-1252");
}

TEST(Charset, ValidUtf8IsNotCopied) {
  const DecodedText marked = decode_text("\xEF\xBB\xBFgr\xC3\xBC\xC3\x9F", "");
  EXPECT_TRUE(marked.same);
  EXPECT_EQ(marked.bom_bytes, 3u);
  EXPECT_TRUE(decode_text("only ASCII", "windows-1251").same);
  EXPECT_FALSE(decode_text("only ASCII", "utf-16").same);
  EXPECT_FALSE(decode_text("\xC3\xBC", "latin1").same);
}

TEST(Charset, Whatwg_BadUtf8BecomesOneMarkPerMaximalPart) {
  struct Case {
    std::string_view bytes;
    std::string_view text;
  };
  constexpr Case kCases[] = {
      {"\xFF", "\uFFFD"},
      {"\x80\x80", "\uFFFD\uFFFD"},
      {"\xC0\xAF", "\uFFFD\uFFFD"},                      // overlong
      {"\xE0\x80\xAF", "\uFFFD\uFFFD\uFFFD"},            // overlong
      {"\xED\xA0\x80", "\uFFFD\uFFFD\uFFFD"},            // surrogate
      {"\xF4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},  // above U+10FFFF
      {"\xE2\x82", "\uFFFD"},                            // cut
      {"\xE2\x82"
       "a",
       "\uFFFD"
       "a"},
      {"\xF0\x9F\x98"
       "a",
       "\uFFFD"
       "a"},
      {"\xF0\x9F\x98\x80", "\U0001F600"},
      {"\xC3<a>", "\uFFFD<a>"},
  };
  for (const Case& c : kCases) {
    EXPECT_EQ(text_of(c.bytes, "utf-8"), c.text);
    EXPECT_EQ(is_valid_utf8(c.bytes), c.bytes == c.text);
  }
}

// An error must not swallow markup: the classic way to hide a tag from a filter.
TEST(Charset, Whatwg_HalfACharacterDoesNotEatTheNextTag) {
  for (const std::string_view label : {"gbk", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr"}) {
    EXPECT_EQ(text_of("\x81<", label), "\uFFFD<") << label;
    EXPECT_EQ(text_of("a\x81", label), "a\uFFFD") << label;
  }
  EXPECT_EQ(text_of("\x8F\xA1<", "euc-jp"), "\uFFFD<");
  EXPECT_EQ(text_of("\x81\x30\x81<", "gb18030"),
            "\uFFFD"
            "0\uFFFD<");
}

TEST(Charset, Whatwg_FourBytesOfGb18030) {
  EXPECT_EQ(text_of("\x81\x30\x81\x30", "gb18030"), "\u0080");
  EXPECT_EQ(text_of("\x90\x30\x81\x30", "gb18030"), "\U00010000");
  EXPECT_EQ(text_of("\xE3\x32\x9A\x35", "gb18030"), "\U0010FFFF");
  EXPECT_EQ(text_of("\x81\x35\xF4\x37", "gb18030"), "\uE7C7");
  EXPECT_EQ(text_of("\x84\x31\xA4\x37", "gbk"), "\uFFFD");
}

TEST(Charset, Whatwg_Utf16PairsAndHalves) {
  EXPECT_EQ(text_of(std::string_view("\x3D\xD8\x00\xDE", 4), "utf-16le"), "\U0001F600");
  EXPECT_EQ(text_of(std::string_view("\xD8\x3D\xDE\x00", 4), "utf-16be"), "\U0001F600");
  EXPECT_EQ(text_of(std::string_view("\x00\xDE"
                                     "a\0",
                                     4),
                    "utf-16le"),
            "\uFFFD"
            "a");
  EXPECT_EQ(text_of(std::string_view("\x3D\xD8"
                                     "a\0",
                                     4),
                    "utf-16le"),
            "\uFFFD"
            "a");
  EXPECT_EQ(text_of(std::string_view("a\0b", 3), "utf-16le"), "a\uFFFD");
  EXPECT_EQ(text_of(std::string_view("\x3D\xD8\x00", 3), "utf-16le"), "\uFFFD");
}

TEST(Charset, Whatwg_Iso2022JpChangesItsTables) {
  EXPECT_EQ(text_of("a\x1B$B$\"\x1B(Bb", "iso-2022-jp"), "a\u3042b");
  EXPECT_EQ(text_of("\x1B(J\\~", "iso-2022-jp"), "\u00A5\u203E");
  EXPECT_EQ(text_of("\x1B(I1", "iso-2022-jp"), "\uFF71");
  EXPECT_EQ(text_of("\x1B$B\x1B(Ba", "iso-2022-jp"),
            "\uFFFD"
            "a")
      << "two escapes in a row";
  EXPECT_EQ(text_of("\x80\x1B(", "iso-2022-jp"), "\uFFFD\uFFFD(");
}

TEST(Charset, Whatwg_DangerousEncodingsAreOneMark) {
  EXPECT_EQ(text_of("<a href=x>", "iso-2022-kr"), "\uFFFD");
  EXPECT_EQ(text_of("", "hz-gb-2312"), "");
}

TEST(Charset, Whatwg_LabelsForgiveCaseAndSpace) {
  EXPECT_EQ(encoding_for_label(" LATIN1\n"), "windows-1252");
  EXPECT_EQ(encoding_for_label("x-mac-ukrainian"), "x-mac-cyrillic");
  EXPECT_EQ(encoding_for_label("logical"), "ISO-8859-8-I");
  EXPECT_EQ(encoding_for_label("utf-7"), "");
  EXPECT_EQ(encoding_for_label(""), "");
}

TEST(Charset, Whatwg_DeclarationsThatCannotBeTrue) {
  EXPECT_EQ(encoding_of("<meta charset=utf-16>"), "UTF-8");
  EXPECT_EQ(encoding_of("<meta charset=x-user-defined>"), "windows-1252");
  EXPECT_EQ(encoding_of(std::string(1024, ' ') + "<meta charset=koi8-r>"), "windows-1252")
      << "past the prescan";
  EXPECT_EQ(encoding_of("<?xml version=\"1.0\" encoding='koi8-r'?>"), "KOI8-R");
  EXPECT_EQ(encoding_of("<?xml version=\"1.0\" encoding='utf-16'?>"), "UTF-8");
}

// Random bytes in every encoding: never a crash, always valid UTF-8.
TEST(Charset, AnyBytesDecodeToValidUtf8) {
  std::mt19937 random(20261201);
  for (const std::string_view label :
       {"utf-8", "utf-16", "utf-16be", "gbk", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr", "iso-2022-jp",
        "windows-874", "iso-8859-16", "x-user-defined", "koi8-u", "macintosh", "replacement"}) {
    for (int round = 0; round < 50; ++round) {
      std::string bytes(random() % 200, '\0');
      for (char& c : bytes) c = static_cast<char>(random() | (round % 2 ? 0x80 : 0));
      EXPECT_TRUE(is_valid_utf8(text_of(bytes, label))) << label << ", seed 20261201, round " << round;
    }
  }
}

}  // namespace
}  // namespace weir::crawler
