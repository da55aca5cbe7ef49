// ShadowSample: an exact set of a known share of the key space, which watches a set that may lie. It is the
// only alarm for a broken hash: fill and formulas saw nothing wrong with filters that lost every second URL.
//
// A key is watched when its slice, a hash of all its bits and so independent of the filter's use of them, is 0
// modulo 1/rate. Of watched keys it counts first sightings (n) and those of them the filter called seen (x).
// Memory is bounded: when keys_max are watched, the rate is halved and half of them forgotten, with their
// counts, so n and x always belong to one rate.
// Save it before the filter, load both and replay what the filter replays: an older shadow takes what it missed
// for false positives. One owner, no locks.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dedup/exact_set.h"
#include "dedup/metrics/wilson.h"
#include "dedup/url_set.h"

namespace weir::dedup {

struct ShadowOptions {
  std::uint64_t one_in = 1;          // a power of two; 1 watches every key
  std::uint64_t keys_max = 1 << 20;  // at most 32 MiB
};

// The rate that sees about 43 false positives while `capacity` keys come in: enough for +-30 %. Where that
// would take more than keys_max keys, the shadow can only give an upper bound.
ShadowOptions plan_shadow(std::uint64_t capacity, double fpr);

class ShadowSample final : public Snapshotable {
 public:
  static constexpr std::string_view kName = "shadow";  // for the snapshot functions

  struct Counts {
    std::uint64_t first_sightings = 0;  // n
    std::uint64_t false_positives = 0;  // x
    double rate = 0;                    // x / n
    Interval interval;                  // 95 %, of the rate
  };
  struct Report {
    Counts total;   // since the beginning, at the present one_in
    Counts window;  // since start_window()
    std::uint64_t one_in = 1;
    double lost_urls = 0;                        // one_in * x: URLs called seen that never were
    std::uint64_t false_negatives_observed = 0;  // watched, known, and yet called new: must stay 0
  };

  static Result<std::unique_ptr<ShadowSample>> create(const ShadowOptions& options);

  // Each batch and the filter's verdicts, in the order of the filter's calls.
  Result<void> observe(std::span<const Fingerprint> batch, std::span<const Verdict> verdicts);
  // Fingerprints of the admitted log after a restart; those inside already change nothing.
  Result<void> replay(std::span<const Fingerprint> admitted);
  void start_window() { window_ = {}; }
  Report report() const;

  std::uint64_t payload_bytes() const override;
  Result<void> write_payload(PayloadSink& sink) const override;
  Result<void> read_payload(PayloadSource& source) override;

 private:
  explicit ShadowSample(const ShadowOptions& options, std::unique_ptr<ExactSet> watched)
      : options_(options), one_in_(options.one_in), watched_(std::move(watched)) {}

  void pick_watched(std::span<const Fingerprint> batch);
  void count(const Fingerprint& key, bool known, Verdict filter);
  Result<void> halve_while_full();

  struct Window {
    std::uint64_t first_sightings = 0;
    std::uint64_t false_positives = 0;
  };

  ShadowOptions options_;
  std::uint64_t one_in_;
  std::unique_ptr<ExactSet> watched_;   // every watched key that was offered
  std::vector<Fingerprint> swallowed_;  // those of them that the filter called seen at first sight
  std::uint64_t false_negatives_ = 0;
  Window window_;
  std::vector<Fingerprint> picked_;  // scratch of observe()
  std::vector<std::size_t> picked_at_;
  std::vector<Verdict> picked_verdicts_;
};

// True where the filter lies more than twice as often as its own bits explain: its hash or layout is broken.
bool lies_too_often(const ShadowSample::Counts& counts, double expected_fpr);

}  // namespace weir::dedup
