// TimerWheel: items (small integers: host slots) ordered by due time, and the FIFO of those that are due. A
// near wheel of 16 ms ticks, a far wheel whose slot is one turn of the near one, and a list beyond (37 hours).
// Due times round up to a tick: an item never comes early, at most 16 ms late. Costs: schedule and remove O(1);
// advance O(items that came due + turns of the near wheel); 24 bytes per item and 150 KiB fixed.
// Single-threaded; time is handed in and may only grow (a smaller one is ignored).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/clock.h"

namespace weir::frontier::local {

class TimerWheel {
 public:
  static constexpr Duration kTick = std::chrono::milliseconds(16);

  explicit TimerWheel(MonoTime start);

  // Puts `item` at `due`, wherever it was before; what is due already becomes ready, last in line.
  void schedule(std::uint32_t item, MonoTime due);
  void make_ready(std::uint32_t item);
  void remove(std::uint32_t item);  // no effect when it is not inside
  bool contains(std::uint32_t item) const;
  bool is_ready(std::uint32_t item) const { return contains(item) && nodes_[item].bucket == kReady; }

  void advance(MonoTime now);
  bool has_ready() const { return buckets_[kReady].head != kNone; }
  std::optional<std::uint32_t> pop_ready();

  // A time at or before the next item becomes ready (exact within one turn of the near wheel, else the moment
  // to look again); nullopt: nothing waits. Does not look at ready items.
  std::optional<MonoTime> next() const;

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;
  static constexpr std::uint32_t kNearBits = 13;
  static constexpr std::uint32_t kNearSlots = 1 << kNearBits;
  static constexpr std::uint32_t kFarSlots = 1024;
  static constexpr std::uint32_t kBeyond = kNearSlots + kFarSlots;
  static constexpr std::uint32_t kReady = kBeyond + 1;
  static constexpr std::uint32_t kBuckets = kReady + 1;

  struct Node {
    std::uint32_t previous = kNone;
    std::uint32_t next = kNone;
    std::uint32_t bucket = kNone;
    std::uint64_t tick = 0;
  };
  struct Bucket {
    std::uint32_t head = kNone;
    std::uint32_t tail = kNone;
  };

  std::uint32_t bucket_for(std::uint64_t tick) const;
  void append(std::uint32_t bucket, std::uint32_t item);
  void cascade(std::uint32_t bucket);  // puts every item of it where it belongs now
  void make_bucket_ready(std::uint32_t bucket);
  std::optional<std::uint64_t> next_near_tick() const;
  std::optional<std::uint64_t> next_far_turn() const;

  std::uint64_t current_;  // ticks up to and including this one are ready
  std::vector<Node> nodes_;
  std::vector<Bucket> buckets_;
  std::array<std::uint64_t, kNearSlots / 64> occupied_{};  // near buckets that hold something
};

}  // namespace weir::frontier::local
