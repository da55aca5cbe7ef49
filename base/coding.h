// Fixed-width and variable-length integers as bytes, for everything stored. Big-endian where byte order
// must equal numeric order (store keys), little-endian elsewhere. Reading checks bounds: a Reader that has
// run past its end stays failed and yields zeros, so a decoder checks ok() once. No threads, no allocation
// but by the string appended to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weir {

void put_u8(std::string& out, std::uint8_t value);
void put_u16(std::string& out, std::uint16_t value);  // little-endian
void put_u32(std::string& out, std::uint32_t value);
void put_u64(std::string& out, std::uint64_t value);
void put_u32_be(std::string& out, std::uint32_t value);  // sorts as the number
void put_u48_be(std::string& out, std::uint64_t value);  // value < 2^48
void put_u64_be(std::string& out, std::uint64_t value);
void put_varint(std::string& out, std::uint64_t value);    // LEB128, at most 10 bytes
void put_bytes(std::string& out, std::string_view bytes);  // varint length, then the bytes

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  std::uint8_t u8();
  std::uint16_t u16();
  std::uint32_t u32();
  std::uint64_t u64();
  std::uint32_t u32_be();
  std::uint64_t u48_be();
  std::uint64_t u64_be();
  std::uint64_t varint();
  std::string_view bytes();                  // varint length, then the bytes
  std::string_view raw(std::size_t length);  // exactly `length` bytes

  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }
  std::size_t remaining() const { return rest_.size(); }

 private:
  std::uint64_t little_endian(std::size_t width);
  std::uint64_t big_endian(std::size_t width);

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace weir
