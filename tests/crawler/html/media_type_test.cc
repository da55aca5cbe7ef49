// Content-Type parsing and sniffing, by the MIME Sniffing Standard.
#include "crawler/html/media_type.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "crawler/html/charset.h"
#include "tests/support/corpora.h"

namespace weir::crawler {
namespace {

using nlohmann::json;

TEST(MediaType, Whatwg_PlatformTests) {
  WEIR_CORPUS_OR_SKIP(text, "html/content-type.json");
  int cases = 0;
  const json corpus = json::parse(text);
  for (const json& row : corpus["cases"]) {
    ++cases;
    const MediaType media = parse_media_type(row["content_type"].get_ref<const std::string&>());
    EXPECT_EQ(media.essence, row["essence"].is_null() ? "" : row["essence"].get<std::string>()) << row;
    const std::string_view encoding = encoding_for_label(media.charset);
    EXPECT_EQ(encoding, row["encoding"].is_null() ? "" : row["encoding"].get<std::string>()) << row;
  }
  EXPECT_EQ(cases, 38);
}

TEST(MediaType, HtmlIsHtmlOrXhtml) {
  EXPECT_TRUE(parse_media_type("Text/HTML; charset=x").is_html());
  EXPECT_TRUE(parse_media_type("application/xhtml+xml").is_html());
  EXPECT_FALSE(parse_media_type("text/plain").is_html());
  EXPECT_FALSE(parse_media_type("").is_html());
}

TEST(MediaType, CharsetIsAsWritten) {
  EXPECT_EQ(parse_media_type("text/html; Charset=\"UTF-8\"").charset, "UTF-8");
  EXPECT_EQ(parse_media_type("text/html; charset=").charset, "");
  EXPECT_EQ(parse_media_type("text/html").charset, "");
}

TEST(MediaType, Whatwg_TagsTellHtml) {
  for (const std::string_view body :
       {"<!doctype HTML>", " \n<html >", "<a >", "<!-- x", "\xEF\xBB\xBF<P>", "<BR>"}) {
    EXPECT_TRUE(looks_like_html(body)) << body;
  }
  for (const std::string_view body : {"", "text", "<", "<html", "<abbr>", "<?xml ?>", "x <html>", "<p", "{}"}) {
    EXPECT_FALSE(looks_like_html(body)) << body;
  }
}

TEST(MediaType, Whatwg_BinaryBytesTellBinary) {
  EXPECT_TRUE(looks_binary(std::string_view("a\0b", 3)));
  EXPECT_TRUE(looks_binary("\x89PNG\x1A"));
  EXPECT_FALSE(looks_binary("text \t\r\n\f \x1B[0m \xFF"));
  EXPECT_FALSE(
      looks_binary(std::string_view("\xFF\xFE"
                                    "a\0",
                                    4)))
      << "UTF-16 text";
  EXPECT_FALSE(looks_binary(std::string(1445, 'a') + '\0')) << "beyond what is sniffed";
  EXPECT_FALSE(looks_binary(""));
}

}  // namespace
}  // namespace weir::crawler
