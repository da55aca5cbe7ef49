// BloomSet: a blocked Bloom filter. One cache line per key (two at rates of 1e-5 and less), 10 to 31 bits per
// key, never a false negative; a stranger reads kSeen at most at the planned rate up to the planned capacity.
// Beyond capacity it goes on, and stats().expected_fpr says what that costs; it grows by being rebuilt larger
// from the admitted log, which the frontier keeps for it. Nothing can be removed.
// Memory: plan().bytes(), fixed. Cost with AVX2, in batches: 5 to 12 ns per key
// at 1e6 keys, 11 to 26 ns at 5e7 (a busy machine; tests/bench/dedup_bench.cc prints yours). One owner, no
// locks.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "dedup/bloom/kernel.h"
#include "dedup/bloom/occupancy.h"
#include "dedup/bloom/sizing.h"
#include "dedup/registry.h"
#include "dedup/url_set.h"
#include "dedup/zeroed_memory.h"

namespace weir::dedup {

class BloomSet final : public UrlSet, public Snapshotable {
 public:
  static Result<std::unique_ptr<BloomSet>> create(
      const bloom::Plan& plan, bloom::Instructions instructions = bloom::best_instructions());

  Result<void> test_and_set(std::span<const Fingerprint> batch, std::span<Verdict> verdicts) override;
  Result<void> test(std::span<const Fingerprint> batch, std::span<Verdict> verdicts) const override;
  // Repeating what is inside changes nothing; keys whose bits were all set already are not counted again.
  Result<void> insert(std::span<const Fingerprint> batch) override;
  // keys is counted, not estimated; expected_fpr comes from the bits as they are (bloom/occupancy.h).
  SetStats stats() const override;
  bool exact() const override { return false; }
  std::string_view name() const override { return "bloom"; }
  Snapshotable* snapshotable() override { return this; }
  bool wants_whole_log() const override { return true; }

  std::uint64_t payload_bytes() const override;
  Result<void> write_payload(PayloadSink& sink) const override;
  Result<void> read_payload(PayloadSource& source) override;

  const bloom::Plan& plan() const { return plan_; }
  bloom::Occupancy occupancy() const { return bloom::measure(plan_.layout, blocks_); }
  std::span<const bloom::Block> blocks() const { return {blocks_.data, blocks_.count}; }

 private:
  BloomSet(const bloom::Plan& plan, const bloom::Kernel& kernel, ZeroedMemory memory);

  bloom::Plan plan_;
  bloom::Kernel kernel_;
  ZeroedMemory memory_;
  bloom::BlockArray blocks_;  // inside memory_
  std::uint64_t keys_ = 0;    // admitted
};

Backend bloom_backend();

}  // namespace weir::dedup
