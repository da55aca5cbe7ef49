// RekeySort: which of the known URLs keep their place under the new keys. A store of its own, in which RocksDB
// does the sorting, so that memory does not grow with the state. Filled with everything that is known, then
// settled, then asked. Thrown away with its folder; one thread.
//
//   done     new key | rank u8 | fetched u64 BE | old fingerprint  -> DoneRecord          the first of a key
//   stays queued   new key | class u8 | discovered u64 BE | queue key    -> ()                  the first of a
//   key stays removed  queue key                                             -> ()                  what does
//   not stay
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/log.h"
#include "base/store.h"
#include "dedup/fingerprint.h"
#include "frontier/local/done_record.h"
#include "frontier/local/layout.h"
#include "frontier/local/queue_entry.h"

namespace weir::frontier::local {

class RekeySort {
 public:
  static Result<std::unique_ptr<RekeySort>> open(const std::string& path, Log& log);

  // `leads_home`: a redirect to another spelling of its own page (Candidate::same_page).
  Result<void> add_done(const dedup::Fingerprint& fingerprint, const dedup::Fingerprint& old,
                        const DoneRecord& record, bool leads_home);
  Result<void> add_queued(const dedup::Fingerprint& fingerprint, const QueueKey& key, const QueueEntry& entry);

  struct Counts {
    std::uint64_t queued = 0;
    std::uint64_t queued_merged = 0;
    std::uint64_t queued_already_done = 0;
    std::uint64_t done = 0;
    std::uint64_t done_merged = 0;
    std::uint64_t failed = 0;         // of done
    std::uint64_t failed_merged = 0;  // of done_merged
  };
  // Decides. Calls back in order of fingerprint: every record that stays, every key that is known.
  using DoneVisitor = std::function<Result<void>(const dedup::Fingerprint&, std::string_view record)>;
  using KeyVisitor = std::function<Result<void>(const dedup::Fingerprint&)>;
  Result<Counts> settle(const DoneVisitor& keep_done, const KeyVisitor& keep_key);

  // After settle(): in order of queue key, everything in [from, to) that does not stay.
  Result<void> for_each_removed(std::string_view from, std::string_view to,
                                const std::function<void(const QueueKey&)>& visit) const;

 private:
  explicit RekeySort(std::unique_ptr<Store> store) : store_(std::move(store)), batch_(store_->batch()) {}
  Result<void> put(std::size_t family, std::string_view value);  // under key_
  Result<void> flush();
  Result<void> settle_done(StoreCursor& done, const std::string& fingerprint, const DoneVisitor& keep_done,
                           bool& closes_key);
  Result<void> settle_queued(StoreCursor& queued, const std::string& fingerprint, bool closed);

  std::unique_ptr<Store> store_;
  StoreBatch batch_;
  std::uint32_t in_batch_ = 0;
  std::string key_;
  std::string value_;
  Counts counts_;
};

}  // namespace weir::frontier::local
