// Two small memories that spare work on links seen a moment ago: nine links in ten repeat.
//   PageHrefs    the href texts of the page at hand: the same text on the same page is the same link.
//   RecentLinks  fingerprints this fetcher judged lately, with what became of them: sent to the frontier, or
//                out of scope. Forgetting is harmless (the dedup stage answers); remembering wrongly is not,
//                so whole fingerprints are kept, and only verdicts that do not depend on the page.
// Both are fixed-size tables of one thread; one probe each, no allocation after construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "dedup/fingerprint.h"

namespace weir::crawler {

class PageHrefs {
 public:
  PageHrefs() : slots_(kSlots) {}

  void start_page() { ++page_; }

  // True the first time `href` is seen on this page; may say true again when slots collide.
  bool first(std::string_view href) {
    const std::uint64_t hash = hash64(href);
    Slot& slot = slots_[hash % kSlots];
    if (slot.page == page_ && slot.hash == hash) return false;
    slot = {hash, page_};
    return true;
  }

 private:
  static constexpr std::size_t kSlots = 1 << 12;  // 64 KiB: stays in the L2 cache
  struct Slot {
    std::uint64_t hash = 0;
    std::uint64_t page = 0;
  };
  std::vector<Slot> slots_;
  std::uint64_t page_ = 0;
};

enum class RecentVerdict : std::uint8_t { kUnknown, kSent, kOutOfScope };

class RecentLinks {
 public:
  RecentLinks() : slots_(kSlots) {}

  RecentVerdict find(const dedup::Fingerprint& fingerprint) const {
    const Slot& slot = slots_[fingerprint.lo % kSlots];
    return slot.fingerprint == fingerprint ? slot.verdict : RecentVerdict::kUnknown;
  }
  void remember(const dedup::Fingerprint& fingerprint, RecentVerdict verdict) {
    slots_[fingerprint.lo % kSlots] = {fingerprint, verdict};
  }

 private:
  static constexpr std::size_t kSlots = 1 << 15;  // 768 KiB
  struct Slot {
    dedup::Fingerprint fingerprint;
    RecentVerdict verdict = RecentVerdict::kUnknown;
  };
  std::vector<Slot> slots_;
};

}  // namespace weir::crawler
