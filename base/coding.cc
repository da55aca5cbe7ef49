// Byte-wise encoding: portable, and compiled to single moves by the compilers we use.
#include "base/coding.h"

namespace weir {
namespace {

template <std::size_t Width>
void put_little_endian(std::string& out, std::uint64_t value) {
  char bytes[Width];
  for (std::size_t i = 0; i < Width; ++i) bytes[i] = static_cast<char>(value >> (8 * i));
  out.append(bytes, Width);
}

template <std::size_t Width>
void put_big_endian(std::string& out, std::uint64_t value) {
  char bytes[Width];
  for (std::size_t i = 0; i < Width; ++i) bytes[i] = static_cast<char>(value >> (8 * (Width - 1 - i)));
  out.append(bytes, Width);
}

}  // namespace

void put_u8(std::string& out, std::uint8_t value) { out.push_back(static_cast<char>(value)); }
void put_u16(std::string& out, std::uint16_t value) { put_little_endian<2>(out, value); }
void put_u32(std::string& out, std::uint32_t value) { put_little_endian<4>(out, value); }
void put_u64(std::string& out, std::uint64_t value) { put_little_endian<8>(out, value); }
void put_u32_be(std::string& out, std::uint32_t value) { put_big_endian<4>(out, value); }
void put_u48_be(std::string& out, std::uint64_t value) { put_big_endian<6>(out, value); }
void put_u64_be(std::string& out, std::uint64_t value) { put_big_endian<8>(out, value); }

void put_varint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

void put_bytes(std::string& out, std::string_view bytes) {
  put_varint(out, bytes.size());
  out.append(bytes);
}

std::string_view Reader::raw(std::size_t length) {
  if (length > rest_.size()) {
    ok_ = false;
    rest_ = {};
    return {};
  }
  const std::string_view taken = rest_.substr(0, length);
  rest_.remove_prefix(length);
  return taken;
}

std::uint64_t Reader::little_endian(std::size_t width) {
  const std::string_view taken = raw(width);
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    value |= std::uint64_t{static_cast<unsigned char>(taken[i])} << (8 * i);
  }
  return value;
}

std::uint64_t Reader::big_endian(std::size_t width) {
  std::uint64_t value = 0;
  for (const char c : raw(width)) value = value << 8 | static_cast<unsigned char>(c);
  return value;
}

std::uint8_t Reader::u8() { return static_cast<std::uint8_t>(little_endian(1)); }
std::uint16_t Reader::u16() { return static_cast<std::uint16_t>(little_endian(2)); }
std::uint32_t Reader::u32() { return static_cast<std::uint32_t>(little_endian(4)); }
std::uint64_t Reader::u64() { return little_endian(8); }
std::uint32_t Reader::u32_be() { return static_cast<std::uint32_t>(big_endian(4)); }
std::uint64_t Reader::u48_be() { return big_endian(6); }
std::uint64_t Reader::u64_be() { return big_endian(8); }

std::uint64_t Reader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint64_t byte = u8();
    if (shift == 63 && byte > 1) break;  // more than 64 bits
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  ok_ = false;
  return 0;
}

std::string_view Reader::bytes() { return raw(varint()); }

}  // namespace weir
