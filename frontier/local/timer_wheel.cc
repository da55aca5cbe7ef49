// Doubly linked lists, not the singly linked ones of the classic wheel: a host that waits for a retry must move
// forward when a fresh URL arrives for it.
#include "frontier/local/timer_wheel.h"

#include <algorithm>
#include <bit>

#include "base/check.h"

namespace weir::frontier::local {
namespace {

std::uint64_t tick_at_or_before(MonoTime time) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, time.time_since_epoch() / TimerWheel::kTick));
}

std::uint64_t tick_at_or_after(MonoTime time) {
  return tick_at_or_before(time + TimerWheel::kTick - Duration(1));
}

MonoTime time_of(std::uint64_t tick) { return MonoTime(TimerWheel::kTick * static_cast<std::int64_t>(tick)); }

}  // namespace

TimerWheel::TimerWheel(MonoTime start) : current_(tick_at_or_before(start)), buckets_(kBuckets) {}

bool TimerWheel::contains(std::uint32_t item) const {
  return item < nodes_.size() && nodes_[item].bucket != kNone;
}

std::uint32_t TimerWheel::bucket_for(std::uint64_t tick) const {
  if (tick <= current_) return kReady;
  if (tick - current_ < kNearSlots) return static_cast<std::uint32_t>(tick % kNearSlots);
  const std::uint64_t turns = (tick >> kNearBits) - (current_ >> kNearBits);
  if (turns < kFarSlots) return kNearSlots + static_cast<std::uint32_t>((tick >> kNearBits) % kFarSlots);
  return kBeyond;
}

void TimerWheel::append(std::uint32_t bucket, std::uint32_t item) {
  Bucket& list = buckets_[bucket];
  Node& node = nodes_[item];
  node.bucket = bucket;
  node.previous = list.tail;
  node.next = kNone;
  (list.tail == kNone ? list.head : nodes_[list.tail].next) = item;
  list.tail = item;
  if (bucket < kNearSlots) occupied_[bucket / 64] |= std::uint64_t{1} << (bucket % 64);
}

void TimerWheel::remove(std::uint32_t item) {
  if (!contains(item)) return;
  Node& node = nodes_[item];
  Bucket& list = buckets_[node.bucket];
  (node.previous == kNone ? list.head : nodes_[node.previous].next) = node.next;
  (node.next == kNone ? list.tail : nodes_[node.next].previous) = node.previous;
  if (node.bucket < kNearSlots && list.head == kNone) {
    occupied_[node.bucket / 64] &= ~(std::uint64_t{1} << (node.bucket % 64));
  }
  node.bucket = kNone;
}

void TimerWheel::schedule(std::uint32_t item, MonoTime due) {
  remove(item);
  if (item >= nodes_.size()) nodes_.resize(item + 1);
  nodes_[item].tick = tick_at_or_after(due);
  append(bucket_for(nodes_[item].tick), item);
}

void TimerWheel::make_ready(std::uint32_t item) {
  remove(item);
  if (item >= nodes_.size()) nodes_.resize(item + 1);
  append(kReady, item);
}

std::optional<std::uint32_t> TimerWheel::pop_ready() {
  const std::uint32_t item = buckets_[kReady].head;
  if (item == kNone) return std::nullopt;
  remove(item);
  return item;
}

void TimerWheel::cascade(std::uint32_t bucket) {
  const std::uint32_t last = buckets_[bucket].tail;  // what comes back is appended behind it
  std::uint32_t item = buckets_[bucket].head;
  while (item != kNone) {
    const std::uint32_t next = item == last ? kNone : nodes_[item].next;
    remove(item);
    append(bucket_for(nodes_[item].tick), item);
    item = next;
  }
}

void TimerWheel::make_bucket_ready(std::uint32_t bucket) {
  while (buckets_[bucket].head != kNone) {
    const std::uint32_t item = buckets_[bucket].head;
    remove(item);
    append(kReady, item);
  }
}

std::optional<std::uint64_t> TimerWheel::next_near_tick() const {
  const auto start = static_cast<std::uint32_t>((current_ + 1) % kNearSlots);
  constexpr std::uint32_t kWords = kNearSlots / 64;
  for (std::uint32_t i = 0; i <= kWords; ++i) {
    const std::uint32_t word = (start / 64 + i) % kWords;
    std::uint64_t bits = occupied_[word];
    if (i == 0) bits &= ~std::uint64_t{0} << (start % 64);
    if (bits == 0) continue;
    const std::uint32_t bucket = word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
    return current_ + 1 + (bucket + kNearSlots - start) % kNearSlots;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> TimerWheel::next_far_turn() const {
  const std::uint64_t turn = current_ >> kNearBits;
  for (std::uint64_t ahead = 1; ahead < kFarSlots; ++ahead) {
    if (buckets_[kNearSlots + (turn + ahead) % kFarSlots].head != kNone) return turn + ahead;
  }
  if (buckets_[kBeyond].head != kNone) return turn + 1;
  return std::nullopt;
}

void TimerWheel::advance(MonoTime now) {
  const std::uint64_t target = tick_at_or_before(now);
  while (current_ < target) {
    const std::uint64_t turn_start = ((current_ >> kNearBits) + 1) << kNearBits;
    const std::uint64_t near = next_near_tick().value_or(target);
    current_ = std::min({target, near, turn_start});
    if (current_ == turn_start) {
      cascade(kNearSlots + static_cast<std::uint32_t>((current_ >> kNearBits) % kFarSlots));
      cascade(kBeyond);
    }
    make_bucket_ready(static_cast<std::uint32_t>(current_ % kNearSlots));
  }
}

std::optional<MonoTime> TimerWheel::next() const {
  const auto near = next_near_tick();
  const auto far = next_far_turn();
  if (near && far) return time_of(std::min(*near, *far << kNearBits));
  if (near) return time_of(*near);
  if (far) return time_of(*far << kNearBits);
  return std::nullopt;
}

}  // namespace weir::frontier::local
