// TimedSet: a dedup set whose test_and_set adds its CPU time to a counter, so that the share of the dedup stage
// is known. Everything else is handed through. One owner, as every set.
#pragma once

#include <memory>
#include <utility>

#include "crawler/metrics/stage_times.h"
#include "dedup/url_set.h"

namespace weir::crawler {

class TimedSet final : public dedup::UrlSet {
 public:
  TimedSet(std::unique_ptr<dedup::UrlSet> set, Counter& nanoseconds)
      : set_(std::move(set)), nanoseconds_(nanoseconds) {}

  Result<void> test_and_set(std::span<const dedup::Fingerprint> batch,
                            std::span<dedup::Verdict> verdicts) override {
    StageTimer timer;
    auto asked = set_->test_and_set(batch, verdicts);
    timer.next(nanoseconds_);
    return asked;
  }
  Result<void> test(std::span<const dedup::Fingerprint> batch,
                    std::span<dedup::Verdict> verdicts) const override {
    return set_->test(batch, verdicts);
  }
  Result<void> insert(std::span<const dedup::Fingerprint> batch) override { return set_->insert(batch); }
  dedup::SetStats stats() const override { return set_->stats(); }
  bool exact() const override { return set_->exact(); }
  std::string_view name() const override { return set_->name(); }
  dedup::Snapshotable* snapshotable() override { return set_->snapshotable(); }
  dedup::Removable* removable() override { return set_->removable(); }
  bool wants_whole_log() const override { return set_->wants_whole_log(); }

 private:
  std::unique_ptr<dedup::UrlSet> set_;
  Counter& nanoseconds_;
};

}  // namespace weir::crawler
