// ExactUrlSet: a set of fingerprints that is obviously right: the standard library's. Stands in for the real
// backends where a test is about the frontier, and is the oracle's memory. Snapshots as a list. One thread.
#pragma once

#include <unordered_set>

#include "dedup/url_set.h"

namespace weir::test {

class ExactUrlSet final : public dedup::UrlSet, public dedup::Snapshotable {
 public:
  Result<void> test_and_set(std::span<const dedup::Fingerprint> batch,
                            std::span<dedup::Verdict> verdicts) override;
  Result<void> test(std::span<const dedup::Fingerprint> batch,
                    std::span<dedup::Verdict> verdicts) const override;
  Result<void> insert(std::span<const dedup::Fingerprint> batch) override;
  dedup::SetStats stats() const override;
  bool exact() const override { return true; }
  std::string_view name() const override { return "test-exact"; }
  dedup::Snapshotable* snapshotable() override { return this; }

  std::uint64_t payload_bytes() const override;
  Result<void> write_payload(dedup::PayloadSink& sink) const override;
  Result<void> read_payload(dedup::PayloadSource& source) override;

 private:
  struct Hash {
    std::size_t operator()(const dedup::Fingerprint& fingerprint) const { return fingerprint.lo; }
  };
  std::unordered_set<dedup::Fingerprint, Hash> keys_;
};

}  // namespace weir::test
