// Content encodings: all that is asked for is decoded, the cap counts decoded bytes, broken data has a reason.
#include <gtest/gtest.h>
#include <zlib.h>

#include "base/check.h"
#include "tests/crawler/fetch/client_fixture.h"
#include "tests/support/loopback_server.h"

namespace weir::crawler {
namespace {

using frontier::Reason;
using test::http_reply;
using test::LoopbackServer;

constexpr std::size_t kBombBytes = 50u << 20;

std::string deflated(std::string_view text, int window_bits) {
  z_stream stream{};
  WEIR_CHECK(deflateInit2(&stream, 9, Z_DEFLATED, window_bits, 9, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  std::string input(text);
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  WEIR_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string gzipped(std::string_view text) { return deflated(text, 15 + 16); }

// A zstd frame (RFC 8878) of blocks that are stored (type 0) or one byte repeated (type 1):
//   magic 28 b5 2f fd | descriptor 00 | window | { block header, 3 bytes little-endian | data } ...
std::string zstd_frame() { return std::string("\x28\xb5\x2f\xfd\x00\x58", 6); }

void add_zstd_block(std::string& frame, unsigned type, std::size_t size, std::string_view data, bool last) {
  const auto header = static_cast<unsigned>(size << 3 | type << 1 | (last ? 1u : 0u));
  for (int i = 0; i < 3; ++i) frame.push_back(static_cast<char>(header >> (8 * i)));
  frame.append(data);
}

std::string zstd_text(std::string_view text) {
  std::string frame = zstd_frame();
  add_zstd_block(frame, 0, text.size(), text, true);
  return frame;
}

std::string zstd_bomb() {
  constexpr std::size_t kBlock = 128 << 10;
  std::string frame = zstd_frame();
  for (std::size_t made = 0; made < kBombBytes; made += kBlock) {
    add_zstd_block(frame, 1, kBlock, std::string(1, '\0'), made + kBlock >= kBombBytes);
  }
  return frame;
}

// Made once with libbrotlienc 1.0.9, quality 9: "hello, brotli", and 50 MiB of zeros.
const std::string kBrotliText("\x0b\x06\x80hello, brotli\x03", 17);
const std::string kBrotliBomb(
    "\xcb\xff\xff\x3f\x00\x24\x00\xe2\xb1\x40\x72\xef\xff\xf8\xff\xff\x07\x80\x04\x40\x1c\x16\x80\xee\xfd\x1f"
    "\xff"
    "\xff\xff\x00\x90\x00\x88\xc3\x02\xd0\xbd\xff\xe3\xff\xff\x1f\x00\x12\x00\x71\x58\x00\xba\xf7\x7f\xfc\xff"
    "\xff"
    "\x03\x40\x02\x20\x0e\x0b\x40\xf7\xfe\x8f\xff\xff\x7f\x00\x48\x00\xc4\x61\x01\xe8\xde\xff\xe5\xff\xff\x07"
    "\x00"
    "\x09\x80\x38\x2c\x00\xdd\xfb\x0f",
    89);

std::string encoding(const char* name) { return "Content-Encoding: " + std::string(name) + "\r\n"; }

TEST(HttpDecoding, EveryEncodingThatIsAskedForIsDecoded) {
  struct Row {
    const char* encoding;
    std::string wire;
    const char* text;
  };
  const Row rows[] = {
      {"gzip", gzipped("hello, gzip"), "hello, gzip"},
      {"x-gzip", gzipped("hello, gzip"), "hello, gzip"},
      {"deflate", deflated("hello, zlib", 15), "hello, zlib"},
      {"deflate", deflated("hello, raw", -15), "hello, raw"},
      {"br", kBrotliText, "hello, brotli"},
      {"zstd", zstd_text("hello, zstd"), "hello, zstd"},
      {"gzip, gzip", gzipped(gzipped("hello, twice")), "hello, twice"},
      {"identity", "hello, plain", "hello, plain"},
  };
  LoopbackServer server;
  ClientRun client;
  for (const Row& row : rows) {
    server.on("/p", http_reply(200, row.wire, encoding(row.encoding)));
    const HttpAnswer answer = client.get(server.url("/p"));
    EXPECT_EQ(answer.reason, Reason::kOk) << row.encoding << " " << answer.detail;
    EXPECT_EQ(answer.body, row.text) << row.encoding;
    EXPECT_EQ(answer.wire_bytes, row.wire.size()) << row.encoding;
  }
  EXPECT_EQ(server.accepts(), 1u);
}

TEST(HttpDecoding, BombsAreCutAtTheCap) {
  struct Row {
    const char* encoding;
    std::string wire;
  };
  const std::string zeros(kBombBytes, '\0');
  const Row rows[] = {
      {"gzip", gzipped(zeros)}, {"deflate", deflated(zeros, 15)},        {"br", kBrotliBomb},
      {"zstd", zstd_bomb()},    {"gzip, gzip", gzipped(gzipped(zeros))},
  };
  LoopbackServer server;
  HttpOptions options;
  options.body_bytes_max = 1 << 20;
  ClientRun client(options);
  for (const Row& row : rows) {
    ASSERT_LT(row.wire.size(), 64u << 10) << row.encoding;
    server.on("/bomb", http_reply(200, row.wire, encoding(row.encoding)));
    const HttpAnswer answer = client.get(server.url("/bomb"));
    EXPECT_EQ(answer.reason, Reason::kOk) << row.encoding << " " << answer.detail;
    EXPECT_TRUE(answer.truncated) << row.encoding;
    EXPECT_EQ(answer.body.size(), 1u << 20) << row.encoding;
    EXPECT_LE(answer.body.capacity(), 4u << 20) << row.encoding;
  }
}

TEST(HttpDecoding, BrokenDataHasItsReason) {
  struct Row {
    const char* encoding;
    std::string wire;
  };
  std::string corrupt = gzipped(std::string(1000, 'a') + "bcdefg");
  corrupt[corrupt.size() - 6] ^= 0x55;  // in its checksum
  const Row rows[] = {
      {"gzip", "this is no gzip"},
      {"br", "\xff\xff\xff\xff\xff"},
      {"zstd", "this is no zstd"},
      {"gzip", corrupt},
      {"made-up", "x"},
  };
  LoopbackServer server;
  ClientRun client;
  for (const Row& row : rows) {
    server.on("/p", http_reply(200, row.wire, encoding(row.encoding)));
    const HttpAnswer answer = client.get(server.url("/p"));
    EXPECT_EQ(answer.reason, Reason::kDecodeFailed) << row.encoding << " " << answer.detail;
    EXPECT_TRUE(answer.contacted);
  }
}

}  // namespace
}  // namespace weir::crawler
