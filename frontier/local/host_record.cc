// Optional parts are announced in the flags: the common record is about 15 bytes.
#include "frontier/local/host_record.h"

#include <algorithm>

#include "base/coding.h"

namespace weir::frontier::local {
namespace {

constexpr std::uint8_t kHasOrigin = 1;
constexpr std::uint8_t kContacted = 2;
constexpr std::uint8_t kGivenUp = 4;
constexpr std::uint8_t kHasHold = 8;
constexpr std::uint8_t kHasRobots = 16;
constexpr std::uint8_t kHasCrawlDelay = 32;

std::uint8_t flags_of(const HostRecord& record) {
  unsigned flags = 0;
  if (!record.origin.empty()) flags |= kHasOrigin;
  if (record.contacted) flags |= kContacted;
  if (record.given_up) flags |= kGivenUp;
  if (record.hold) flags |= kHasHold;
  if (record.robots) flags |= kHasRobots;
  if (record.crawl_delay.count() != 0) flags |= kHasCrawlDelay;
  return static_cast<std::uint8_t>(flags);
}

void append_deadline(std::string& out, const Deadline& deadline) {
  put_u64(out, static_cast<std::uint64_t>(deadline.until.time_since_epoch().count()));
  put_varint(out, static_cast<std::uint64_t>(deadline.span.count()));
}

Deadline read_deadline(Reader& reader) {
  Deadline deadline;
  deadline.until = WallTime(Duration(static_cast<std::int64_t>(reader.u64())));
  deadline.span = Duration(static_cast<std::int64_t>(reader.varint()));
  return deadline;
}

void append_queues(std::string& out, const HostRecord& record) {
  put_u8(out, record.queue_count);
  for (std::size_t i = 0; i < record.queue_count; ++i) {
    put_u8(out, record.queues[i].queue_class);
    put_varint(out, record.queues[i].pending);
    put_varint(out, record.queues[i].cursor);
  }
}

bool read_queues(Reader& reader, HostRecord& record) {
  record.queue_count = reader.u8();
  if (record.queue_count > kQueueClasses) return false;
  for (std::size_t i = 0; i < record.queue_count; ++i) {
    record.queues[i].queue_class = reader.u8();
    record.queues[i].pending = reader.varint();
    record.queues[i].cursor = reader.varint();
  }
  return true;
}

}  // namespace

Deadline Deadline::from(MonoTime until, Now now) {
  const Duration span = std::max(Duration(0), until - now.mono);
  return {now.wall + span, span};
}

MonoTime Deadline::restored(Now now) const {
  return now.mono + std::clamp(Duration(until - now.wall), Duration(0), std::max(span, Duration(0)));
}

std::uint64_t HostRecord::pending() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < queue_count; ++i) sum += queues[i].pending;
  return sum;
}

void append_host_record(std::string& out, const HostRecord& record) {
  put_u8(out, flags_of(record));
  if (!record.origin.empty()) put_bytes(out, record.origin);
  put_varint(out, record.next_seq);
  append_queues(out, record);
  put_u8(out, record.failures);
  put_u8(out, record.overloads);
  if (record.given_up) put_u8(out, static_cast<std::uint8_t>(*record.given_up));
  if (record.hold) append_deadline(out, *record.hold);
  if (record.robots) {
    put_u8(out, static_cast<std::uint8_t>(*record.robots));
    append_deadline(out, record.robots_until);
    put_varint(out, record.robots_version);
  }
  if (record.crawl_delay.count() != 0) {
    put_varint(out, static_cast<std::uint64_t>(record.crawl_delay / std::chrono::milliseconds(1)));
  }
}

std::optional<HostRecord> decode_host_record(std::string_view bytes) {
  Reader reader(bytes);
  HostRecord record;
  const std::uint8_t flags = reader.u8();
  if (flags & kHasOrigin) record.origin = reader.bytes();
  record.next_seq = reader.varint();
  if (!read_queues(reader, record)) return std::nullopt;
  record.failures = reader.u8();
  record.overloads = reader.u8();
  record.contacted = (flags & kContacted) != 0;
  if (flags & kGivenUp) record.given_up = static_cast<Reason>(reader.u8());
  if (flags & kHasHold) record.hold = read_deadline(reader);
  if (flags & kHasRobots) {
    record.robots = static_cast<RobotsState>(reader.u8());
    record.robots_until = read_deadline(reader);
    record.robots_version = reader.varint();
  }
  if (flags & kHasCrawlDelay) record.crawl_delay = std::chrono::milliseconds(reader.varint());
  if (!reader.ok() || !reader.at_end()) return std::nullopt;
  return record;
}

}  // namespace weir::frontier::local
