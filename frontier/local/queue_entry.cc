// Optional fields are announced in the flags, so that the common entry (no limit, no retry, no tag) stays
// small.
#include "frontier/local/queue_entry.h"

#include "base/coding.h"

namespace weir::frontier::local {
namespace {

constexpr std::uint8_t kHasDepthLimit = 1;
constexpr std::uint8_t kIsRetry = 2;
constexpr std::uint8_t kHasParent = 4;
constexpr std::uint8_t kParentSameOrigin = 8;
constexpr std::uint8_t kHasTag = 16;
constexpr std::uint8_t kIsOffScope = 32;

std::uint8_t flags_of(const QueueEntry& entry) {
  unsigned flags = 0;
  if (entry.depth_limit != kNoDepthLimit) flags |= kHasDepthLimit;
  if (entry.attempt != 0) flags |= kIsRetry;
  if (!entry.parent.empty()) flags |= kHasParent;
  if (entry.parent_same_origin) flags |= kParentSameOrigin;
  if (!entry.tag.empty()) flags |= kHasTag;
  if (entry.off_scope_hops != 0) flags |= kIsOffScope;
  return static_cast<std::uint8_t>(flags);
}

}  // namespace

void set_parent(QueueEntry& entry, std::string_view parent, std::string_view origin) {
  entry.parent_same_origin =
      parent.size() > origin.size() && parent.starts_with(origin) && parent[origin.size()] == '/';
  entry.parent = entry.parent_same_origin ? parent.substr(origin.size()) : parent;
}

std::string parent_url(const QueueEntry& entry, std::string_view origin) {
  std::string url(entry.parent_same_origin ? origin : std::string_view());
  return url.append(entry.parent);
}

void append_queue_entry(std::string& out, const QueueEntry& entry) {
  const std::uint8_t flags = flags_of(entry);
  put_u8(out, flags);
  put_varint(out, entry.depth);
  if (flags & kHasDepthLimit) put_varint(out, entry.depth_limit);
  put_u8(out, entry.redirect_hops);
  if (flags & kIsOffScope) put_u8(out, entry.off_scope_hops);
  if (flags & kIsRetry) {
    put_u8(out, entry.attempt);
    put_u64(out, static_cast<std::uint64_t>(entry.not_before.time_since_epoch().count()));
  }
  const auto seconds = std::chrono::floor<std::chrono::seconds>(entry.discovered).time_since_epoch().count();
  put_u32(out, static_cast<std::uint32_t>(seconds));
  put_bytes(out, entry.path);
  if (flags & kHasParent) put_bytes(out, entry.parent);
  if (flags & kHasTag) put_bytes(out, entry.tag);
}

std::optional<QueueEntry> decode_queue_entry(std::string_view bytes) {
  Reader reader(bytes);
  QueueEntry entry;
  const std::uint8_t flags = reader.u8();
  entry.depth = static_cast<std::uint16_t>(reader.varint());
  if (flags & kHasDepthLimit) entry.depth_limit = static_cast<std::uint16_t>(reader.varint());
  entry.redirect_hops = reader.u8();
  if (flags & kIsOffScope) entry.off_scope_hops = reader.u8();
  if (flags & kIsRetry) {
    entry.attempt = reader.u8();
    entry.not_before = WallTime(Duration(static_cast<std::int64_t>(reader.u64())));
  }
  entry.discovered = WallTime(std::chrono::seconds(reader.u32()));
  entry.path = reader.bytes();
  if (flags & kHasParent) entry.parent = reader.bytes();
  entry.parent_same_origin = (flags & kParentSameOrigin) != 0;
  if (flags & kHasTag) entry.tag = reader.bytes();
  if (!reader.ok() || !reader.at_end()) return std::nullopt;
  return entry;
}

}  // namespace weir::frontier::local
