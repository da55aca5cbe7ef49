// Encodings against the Encoding Standard's own tables and against real pages. Needs the corpora.
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <zlib.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "crawler/html/ascii.h"
#include "crawler/html/charset.h"
#include "crawler/html/utf8.h"
#include "tests/support/corpora.h"

namespace weir::crawler {
namespace {

using nlohmann::json;

std::string text_of(std::string_view body, std::string_view charset) {
  const DecodedText decoded = decode_text(body, charset);
  return decoded.same ? std::string(body.substr(decoded.bom_bytes)) : decoded.utf8;
}

std::string sha256(const std::string& text) {
  unsigned char digest[32];
  unsigned length = sizeof digest;
  EVP_Digest(text.data(), text.size(), digest, &length, EVP_sha256(), nullptr);
  std::string out;
  for (const unsigned char byte : digest) {
    out += "0123456789abcdef"[byte >> 4];
    out += "0123456789abcdef"[byte & 15];
  }
  return out;
}

std::string gunzip(std::string input) {
  z_stream stream = {};
  EXPECT_EQ(inflateInit2(&stream, 16 + MAX_WBITS), Z_OK);
  std::string out;
  std::string buffer(1 << 16, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  int status = Z_OK;
  while (status == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    status = inflate(&stream, Z_NO_FLUSH);
    out.append(buffer, 0, buffer.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  return out;
}

TEST(CharsetCorpus, Whatwg_EveryLabelIsKnown) {
  WEIR_CORPUS_OR_SKIP(text, "charset/whatwg-labels.json");
  const json labels = json::parse(text);
  for (const auto& [label, name] : labels.items())
    EXPECT_EQ(encoding_for_label(label), name.get<std::string>());
  EXPECT_EQ(labels.size(), 215u);
}

TEST(CharsetCorpus, Whatwg_EverySingleByte) {
  WEIR_CORPUS_OR_SKIP(text, "charset/whatwg-single-byte.json");
  const json tables = json::parse(text);
  for (const auto& [name, characters] : tables.items()) {
    for (std::size_t i = 0; i < 128; ++i) {
      std::string expected;
      append_utf8(expected, characters[i].is_null() ? kReplacementCharacter : characters[i].get<char32_t>());
      const std::string byte(1, static_cast<char>(0x80 + i));
      EXPECT_EQ(text_of(byte, name), expected) << name << " byte " << 0x80 + i;
    }
  }
}

TEST(CharsetCorpus, Whatwg_EveryPairOfTheMultiByteEncodings) {
  WEIR_CORPUS_OR_SKIP(packed, "charset/whatwg-two-byte.json.gz");
  int pairs = 0;
  const json tables = json::parse(gunzip(packed));
  for (const auto& [name, table] : tables.items()) {
    for (const auto& [key, characters] : table.items()) {
      const int pair = std::stoi(key);
      if (pair == 0xFEFF || pair == 0xFFFE) continue;  // read as a byte order mark
      ++pairs;
      std::string expected;
      for (const json& character : characters) append_utf8(expected, character.get<char32_t>());
      const std::string bytes = {static_cast<char>(pair >> 8), static_cast<char>(pair & 0xFF)};
      EXPECT_EQ(text_of(bytes, name), expected) << name << " " << pair;
    }
  }
  EXPECT_GT(pairs, 150'000);
}

TEST(CharsetCorpus, RealPagesDecodeAsTheStandardSays) {
  WEIR_CORPUS_OR_SKIP(manifest, "charset/manifest.jsonl");
  std::istringstream lines(manifest);
  int samples = 0;
  for (std::string line; std::getline(lines, line);) {
    const json row = json::parse(line);
    if (row["whatwg"].is_null()) continue;
    ++samples;
    const auto body = test::read_corpus(WEIR_SOURCE_DIR, "charset/" + row["file"].get<std::string>());
    ASSERT_TRUE(body.has_value()) << row["file"];
    EXPECT_EQ(sha256(text_of(*body, row["whatwg"].get<std::string>())), row["utf8_sha256"].get<std::string>())
        << row["file"] << " " << row["whatwg"];
  }
  EXPECT_EQ(samples, 96);
}

// Samples that declare an encoding are found out without any header, unless the declaration lies.
TEST(CharsetCorpus, RealPagesDeclareThemselves) {
  WEIR_CORPUS_OR_SKIP(manifest, "charset/manifest.jsonl");
  std::istringstream lines(manifest);
  for (std::string line; std::getline(lines, line);) {
    const json row = json::parse(line);
    if (row["whatwg"].is_null() || row["declared"].is_null()) continue;
    const std::string_view declared = encoding_for_label(row["declared"].get<std::string>());
    if (declared.empty()) continue;
    const auto body = test::read_corpus(WEIR_SOURCE_DIR, "charset/" + row["file"].get<std::string>());
    EXPECT_EQ(decode_text(*body, "").encoding, declared) << row["file"];
  }
}

struct EncodingCase {
  std::string data;
  std::string encoding;
};

std::vector<EncodingCase> parse_dat(const std::string& text) {
  std::vector<EncodingCase> cases;
  std::istringstream lines(text);
  bool in_data = false;
  for (std::string line; std::getline(lines, line);) {
    if (line == "#data") {
      cases.emplace_back();
      in_data = true;
    } else if (line == "#encoding") {
      in_data = false;
    } else if (in_data) {
      cases.back().data += line + "\n";
    } else if (!line.empty() && cases.back().encoding.empty()) {
      cases.back().encoding = line;
    }
  }
  return cases;
}

// A browser starts again when a late declaration turns up; we keep to what the first 1,024 bytes say. That is
// all that differs: seven cases, whose declaration lies beyond.
TEST(CharsetCorpus, Html5lib_PrescanTests) {
  int late = 0;
  for (const char* file :
       {"html/encoding/tests1.dat", "html/encoding/tests2.dat", "html/encoding/test-yahoo-jp.dat"}) {
    WEIR_CORPUS_OR_SKIP(text, file);
    for (const EncodingCase& c : parse_dat(text)) {
      const std::string_view found = decode_text(c.data, "").encoding;
      const bool same = found == encoding_for_label(c.encoding);
      const bool beyond = c.data.size() > 1024 && found == "windows-1252";
      late += !same && beyond ? 1 : 0;
      EXPECT_TRUE(same || beyond) << file << " " << found << "\n" << c.data.substr(0, 500);
    }
  }
  EXPECT_EQ(late, 7);
}

}  // namespace
}  // namespace weir::crawler
