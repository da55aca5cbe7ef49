// HostRecord: what is durable of a host, the same bytes in the journal and in family h. All values are
// absolute, never deltas: replaying a record twice, or an old one before a newer one, ends in the newest state.
// Times are wall times with the remaining span beside them, because the wall clock may jump between two runs:
// what is restored waits at most the span.
//
//   flags u8 | [origin bytes] | next_seq varint | queues u8 | queues x (class u8, pending varint, cursor
//   varint) | failures u8 | overloads u8 | [given_up reason u8] | [hold: until u64, span varint] | [robots:
//   state u8, until u64, span varint, version varint] | [crawl_delay_ms varint]
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "frontier/messages.h"

namespace weir::frontier::local {

inline constexpr std::size_t kQueueClasses = 5;  // the values of Priority

// A moment that outlives the process.
struct Deadline {
  WallTime until{};
  Duration span{0};  // from when it was written to `until`

  static Deadline from(MonoTime until, Now now);
  // Never more than `span` from now, never in the past.
  MonoTime restored(Now now) const;
};

struct QueueRecord {
  std::uint8_t queue_class = 0;
  std::uint64_t pending = 0;  // waiting and leased
  std::uint64_t cursor = 0;   // no unfinished URL has a lower seq: reading starts here, past all tombstones
};

struct HostRecord {
  std::string_view origin;  // empty in a journal record of a host that is known already
  std::uint64_t next_seq = 0;
  std::array<QueueRecord, kQueueClasses> queues{};
  std::uint8_t queue_count = 0;
  std::uint8_t failures = 0;   // in a row
  std::uint8_t overloads = 0;  // 429 or 503 in a row
  bool contacted = false;      // a request ever reached it
  std::optional<Reason> given_up;
  std::optional<Deadline> hold;  // Retry-After or backoff; the ordinary delay is not stored
  std::optional<RobotsState> robots;
  Deadline robots_until;
  std::uint64_t robots_version = 0;
  Duration crawl_delay{0};  // whole milliseconds

  std::uint64_t pending() const;
};

void append_host_record(std::string& out, const HostRecord& record);
std::optional<HostRecord> decode_host_record(std::string_view bytes);  // nullopt: damaged

}  // namespace weir::frontier::local
