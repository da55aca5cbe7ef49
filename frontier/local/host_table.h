// The hosts that are in memory: those with URLs that wait or are leased, and some that went idle lately. A host
// sits in a slot that stays its own until it is removed; origins are found through an open-addressing index.
// About 300 bytes per host beside its window. Single-threaded; knows nothing of time or the store.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "frontier/local/host_record.h"
#include "frontier/local/queue_window.h"
#include "frontier/messages.h"

namespace weir::frontier::local {

using Slot = std::uint32_t;
inline constexpr Slot kNoSlot = 0xffffffff;

// One class of one host: [window][on disk from read_from on], and leased ones below read_from.
struct ClassQueue {
  std::uint8_t queue_class = 0;
  std::uint16_t leased = 0;
  std::uint32_t pending = 0;    // waiting and leased
  std::uint64_t read_from = 0;  // every waiting URL with a lower seq is in the window
  MonoTime head_due{};          // of a retry at the window's front
  QueueWindow window;

  std::uint32_t waiting() const { return pending - leased; }
  bool complete() const { return window.size() == waiting(); }  // nothing waits on disk only
};

struct LeasedUrl {
  std::uint8_t queue_class;
  std::uint64_t seq;
};

struct Host {
  std::string origin;
  std::uint64_t hash = 0;  // of origin
  HostId id = 0;
  std::uint64_t next_seq = 1;
  std::vector<ClassQueue> queues;  // in order of class; only those ever used
  std::vector<LeasedUrl> leased;
  MonoTime not_before{};  // no request earlier: delay, hold, backoff
  MonoTime hold_until{};  // the part of it that outlives a restart
  MonoTime robots_until{};
  std::optional<RobotsState> robots;
  std::optional<Reason> given_up;
  std::uint8_t failures = 0;
  std::uint8_t overloads = 0;
  std::uint64_t robots_version = 0;
  Duration crawl_delay{0};
  MonoTime ip_reserved{};  // start granted by the IP gate; zero: none
  IpAddress ip;
  std::uint64_t touched_in = 0;  // number of the turn that changed it last
  bool contacted = false;
  bool robots_leased = false;
  bool on_record = false;  // family h or the journal has its origin
  bool dirty = false;      // differs from family h
  bool in_idle = false;
  bool in_use = false;

  ClassQueue& queue(std::uint8_t queue_class);  // made when missing
  std::uint32_t waiting() const;
  std::uint32_t leases() const { return static_cast<std::uint32_t>(leased.size()) + (robots_leased ? 1 : 0); }
  bool idle() const { return waiting() == 0 && leases() == 0; }
  // The lowest seq of the class that is waiting or leased: what the durable cursor says.
  std::uint64_t lowest_unfinished(const ClassQueue& queue) const;
  bool is_leased(std::uint8_t queue_class, std::uint64_t seq) const;
  void add_lease(ClassQueue& queue, std::uint64_t seq);
  void drop_lease(ClassQueue& queue, std::uint64_t seq);
};

HostRecord record_of(const Host& host, bool with_origin, Now now);
// Queues, counters and clocks of `record`; windows stay empty, reading starts at the cursors.
void restore(Host& host, const HostRecord& record, Now now);

class HostTable {
 public:
  HostTable() : index_(kIndexMin) {}

  Slot find(std::string_view origin) const;      // kNoSlot: not in memory
  Slot add(std::string_view origin, HostId id);  // not when it is inside
  void remove(Slot slot);
  Host& at(Slot slot) { return chunks_[slot / kChunk][slot % kChunk]; }
  const Host& at(Slot slot) const { return chunks_[slot / kChunk][slot % kChunk]; }
  std::size_t size() const { return size_; }
  Slot slots() const { return slots_; }  // for walks; skip those not in_use

 private:
  static constexpr std::size_t kIndexMin = 1024;  // a power of two
  static constexpr Slot kChunk = 256;             // hosts per allocation

  // The upper half of the hash beside the slot saves the look at hosts that only share a place.
  struct Entry {
    Slot slot = kNoSlot;
    std::uint32_t tag = 0;
  };

  std::size_t place_of(std::uint64_t hash) const { return hash & (index_.size() - 1); }
  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }
  void enter(Slot slot);
  void grow();

  std::vector<std::unique_ptr<Host[]>> chunks_;  // references stay valid while it grows
  Slot slots_ = 0;
  std::vector<Slot> free_;
  std::vector<Entry> index_;
  std::size_t size_ = 0;
};

}  // namespace weir::frontier::local
