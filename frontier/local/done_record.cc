// Whole fields in a fixed order; the version byte is there for the fields of later releases.
#include "frontier/local/done_record.h"

#include "base/coding.h"

namespace weir::frontier::local {
namespace {

constexpr std::uint8_t kVersion = 1;

}  // namespace

void append_done_record(std::string& out, const DoneRecord& record) {
  put_u8(out, kVersion);
  put_u8(out, record.failed ? 1 : 0);
  put_u8(out, static_cast<std::uint8_t>(record.reason));
  put_u16(out, record.status);
  put_u64(out, static_cast<std::uint64_t>(record.fetched.time_since_epoch().count()));
  put_varint(out, record.bytes);
  put_u64(out, record.digest);
  put_varint(out, record.depth);
  put_u8(out, record.attempts);
  const auto seconds = std::chrono::floor<std::chrono::seconds>(record.discovered).time_since_epoch().count();
  put_u32(out, static_cast<std::uint32_t>(seconds));
  put_bytes(out, record.url);
  put_bytes(out, record.parent);
  put_bytes(out, record.redirect);
  put_bytes(out, record.tag);
}

std::optional<DoneRecord> decode_done_record(std::string_view bytes) {
  Reader reader(bytes);
  DoneRecord record;
  const bool known = reader.u8() == kVersion;
  record.failed = reader.u8() != 0;
  record.reason = static_cast<Reason>(reader.u8());
  record.status = reader.u16();
  record.fetched = WallTime(Duration(static_cast<std::int64_t>(reader.u64())));
  record.bytes = reader.varint();
  record.digest = reader.u64();
  record.depth = static_cast<std::uint16_t>(reader.varint());
  record.attempts = reader.u8();
  record.discovered = WallTime(std::chrono::seconds(reader.u32()));
  record.url = reader.bytes();
  record.parent = reader.bytes();
  record.redirect = reader.bytes();
  record.tag = reader.bytes();
  if (!known || !reader.ok() || !reader.at_end()) return std::nullopt;
  return record;
}

}  // namespace weir::frontier::local
