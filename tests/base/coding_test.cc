// Stored integers: their bytes are fixed for ever, and a reader never runs past what it was given.
#include "base/coding.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace weir {
namespace {

using namespace std::string_view_literals;

std::string encoded(auto put, auto value) {
  std::string out;
  put(out, value);
  return out;
}

TEST(Coding, IntegersHaveTheBytesTheFormatsDocument) {
  EXPECT_EQ(encoded(put_u8, std::uint8_t{0xfe}), "\xfe"sv);
  EXPECT_EQ(encoded(put_u16, std::uint16_t{0x0102}), "\x02\x01"sv);
  EXPECT_EQ(encoded(put_u32, 0x01020304u), "\x04\x03\x02\x01"sv);
  EXPECT_EQ(encoded(put_u64, 0x0102030405060708u), "\x08\x07\x06\x05\x04\x03\x02\x01"sv);
  EXPECT_EQ(encoded(put_u32_be, 0x01020304u), "\x01\x02\x03\x04"sv);
  EXPECT_EQ(encoded(put_u48_be, std::uint64_t{0x010203040506}), "\x01\x02\x03\x04\x05\x06"sv);
  EXPECT_EQ(encoded(put_u64_be, 0x0102030405060708u), "\x01\x02\x03\x04\x05\x06\x07\x08"sv);
}

TEST(Coding, VarintsAreLittleEndianBase128) {
  struct Row {
    std::uint64_t value;
    std::string_view bytes;
  };
  const Row rows[] = {
      {0, "\0"sv},
      {1, "\1"sv},
      {0x7f, "\x7f"sv},
      {0x80, "\x80\1"sv},
      {300, "\xac\x02"sv},
      {0x3fff, "\xff\x7f"sv},
      {0x4000, "\x80\x80\1"sv},
      {std::numeric_limits<std::uint64_t>::max(), "\xff\xff\xff\xff\xff\xff\xff\xff\xff\1"sv},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(encoded(put_varint, row.value), row.bytes) << row.value;
    Reader reader(row.bytes);
    EXPECT_EQ(reader.varint(), row.value);
    EXPECT_TRUE(reader.ok() && reader.at_end()) << row.value;
  }
}

TEST(Coding, WhatWasPutIsReadBackInOrder) {
  std::string out;
  put_u8(out, 200);
  put_u16(out, 50'000);
  put_u32(out, 4'000'000'000);
  put_u64(out, 1ull << 63);
  put_u32_be(out, 7);
  put_u48_be(out, (1ull << 48) - 1);
  put_u64_be(out, 9);
  put_bytes(out, "a\0b"sv);
  put_bytes(out, "");
  out += "raw";
  Reader reader(out);
  EXPECT_EQ(reader.u8(), 200);
  EXPECT_EQ(reader.u16(), 50'000);
  EXPECT_EQ(reader.u32(), 4'000'000'000);
  EXPECT_EQ(reader.u64(), 1ull << 63);
  EXPECT_EQ(reader.u32_be(), 7u);
  EXPECT_EQ(reader.u48_be(), (1ull << 48) - 1);
  EXPECT_EQ(reader.u64_be(), 9u);
  EXPECT_EQ(reader.bytes(), "a\0b"sv);
  EXPECT_EQ(reader.bytes(), "");
  EXPECT_EQ(reader.remaining(), 3u);
  EXPECT_EQ(reader.raw(3), "raw");
  EXPECT_TRUE(reader.ok() && reader.at_end());
}

TEST(Coding, BigEndianBytesSortAsTheirNumbers) {
  std::mt19937_64 random(20'240'601);
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t a = random() >> (random() % 64);
    const std::uint64_t b = random() >> (random() % 64);
    EXPECT_EQ(a < b, encoded(put_u64_be, a) < encoded(put_u64_be, b)) << a << " " << b;
    const auto small_a = static_cast<std::uint32_t>(a);
    const auto small_b = static_cast<std::uint32_t>(b);
    EXPECT_EQ(small_a < small_b, encoded(put_u32_be, small_a) < encoded(put_u32_be, small_b));
  }
}

TEST(Coding, AReaderCutShortAnywhereFailsAndYieldsZeros) {
  std::string whole;
  put_u32(whole, 0xffffffff);
  put_varint(whole, 1ull << 40);
  put_bytes(whole, "some bytes");
  put_u64_be(whole, ~0ull);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    Reader reader(std::string_view(whole).substr(0, length));
    reader.u32();
    reader.varint();
    reader.bytes();
    EXPECT_EQ(reader.u64_be(), 0u) << length;
    EXPECT_FALSE(reader.ok()) << length;
  }
}

TEST(Coding, AFailedReaderStaysFailedAndGivesNothingMore) {
  Reader reader("abc");
  EXPECT_EQ(reader.u32(), 0u);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.u8(), 0);
  EXPECT_EQ(reader.raw(1), "");
  EXPECT_FALSE(reader.ok());
  EXPECT_TRUE(reader.at_end());
}

TEST(Coding, ALengthLargerThanTheRestIsRefused) {
  std::string lying;
  put_varint(lying, std::numeric_limits<std::uint64_t>::max());
  lying += "tail";
  Reader reader(lying);
  EXPECT_EQ(reader.bytes(), "");
  EXPECT_FALSE(reader.ok());
}

TEST(Coding, AVarintOfMoreThanTenBytesIsRefused) {
  Reader reader("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"sv);
  EXPECT_EQ(reader.varint(), 0u);
  EXPECT_FALSE(reader.ok());
}

TEST(Coding, AVarintThatOverflowsSixtyFourBitsIsRefused) {
  // Symptom: the tenth byte's upper bits were shifted out and another number was read without a word.
  Reader reader("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"sv);
  EXPECT_EQ(reader.varint(), 0u);
  EXPECT_FALSE(reader.ok());
}

}  // namespace
}  // namespace weir
