// WatchedSet: a set that may lie, with the shadow sample that counts its lies (shadow_sample.h). make_set()
// puts one around every backend that is not exact, so that no operator has a filter without a gauge. The
// snapshot holds both: an older shadow beside a newer filter would take what it missed for false positives. One
// owner.
#pragma once

#include <memory>

#include "dedup/metrics/shadow_sample.h"
#include "dedup/url_set.h"

namespace weir::dedup {

class WatchedSet final : public UrlSet, public Snapshotable {
 public:
  WatchedSet(std::unique_ptr<UrlSet> set, std::unique_ptr<ShadowSample> shadow)
      : set_(std::move(set)), shadow_(std::move(shadow)) {}

  Result<void> test_and_set(std::span<const Fingerprint> batch, std::span<Verdict> verdicts) override;
  Result<void> test(std::span<const Fingerprint> batch, std::span<Verdict> verdicts) const override;
  Result<void> insert(std::span<const Fingerprint> batch) override;
  SetStats stats() const override;  // those of the set, and what the shadow observed
  bool exact() const override { return set_->exact(); }
  std::string_view name() const override { return set_->name(); }
  Snapshotable* snapshotable() override { return set_->snapshotable() == nullptr ? nullptr : this; }
  Removable* removable() override { return set_->removable(); }
  bool wants_whole_log() const override { return set_->wants_whole_log(); }

  // Payload: u64 length of the shadow's payload, that payload, the set's payload.
  std::uint64_t payload_bytes() const override;
  Result<void> write_payload(PayloadSink& sink) const override;
  Result<void> read_payload(PayloadSource& source) override;

 private:
  std::unique_ptr<UrlSet> set_;
  std::unique_ptr<ShadowSample> shadow_;
};

}  // namespace weir::dedup
