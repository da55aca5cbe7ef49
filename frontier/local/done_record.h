// DoneRecord: what became of a settled URL, keyed by its fingerprint. explain and export read it; a crawl only
// writes it. Encoding is pure; a decoded record borrows its bytes.
//
//   version u8 | outcome u8 | reason u8 | status u16 | fetched u64 us | bytes varint | digest u64 | depth
//   varint | attempts u8 | discovered u32 s | url bytes | parent bytes | redirect bytes | tag bytes
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "frontier/reason.h"

namespace weir::frontier::local {

struct DoneRecord {
  bool failed = false;
  Reason reason = Reason::kOk;
  std::uint16_t status = 0;
  WallTime fetched{};
  std::uint64_t bytes = 0;
  std::uint64_t digest = 0;
  std::uint16_t depth = 0;
  std::uint8_t attempts = 0;  // tries, the last included
  WallTime discovered{};      // whole seconds
  std::string_view url;
  std::string_view parent;
  std::string_view redirect;
  std::string_view tag;
};

void append_done_record(std::string& out, const DoneRecord& record);
std::optional<DoneRecord> decode_done_record(std::string_view bytes);  // nullopt: damaged

}  // namespace weir::frontier::local
