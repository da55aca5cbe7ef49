// QueueEntry: the value of a waiting URL. The origin is not in it (the host has it once), and a parent on the
// same host is stored without its origin. Encoding and decoding are pure; a decoded entry borrows its bytes.
//
//   flags u8 | depth varint | [depth_limit varint] | hops u8 | [off_scope_hops u8]
//   | [attempt u8, not_before u64] | discovered u32 | path bytes | [parent bytes] | [tag bytes]          bytes
//   = varint length, then the bytes
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "frontier/candidates.h"

namespace weir::frontier::local {

struct QueueEntry {
  std::uint16_t depth = 0;
  std::uint16_t depth_limit = kNoDepthLimit;
  std::uint8_t redirect_hops = 0;
  std::uint8_t off_scope_hops = 0;
  std::uint8_t attempt = 0;
  WallTime discovered{};  // whole seconds
  WallTime not_before{};  // of a retry; the epoch when unset
  std::string_view path;  // the wire form after the origin
  std::string_view parent;
  bool parent_same_origin = false;  // then `parent` lacks the origin, which is the entry's own
  std::string_view tag;
};

// Sets parent and parent_same_origin from a whole URL.
void set_parent(QueueEntry& entry, std::string_view parent, std::string_view origin);
std::string parent_url(const QueueEntry& entry, std::string_view origin);

void append_queue_entry(std::string& out, const QueueEntry& entry);
std::optional<QueueEntry> decode_queue_entry(std::string_view bytes);  // nullopt: damaged

}  // namespace weir::frontier::local
