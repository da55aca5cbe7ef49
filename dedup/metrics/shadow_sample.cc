// Counting, halving and the payload.
//
//   payload   | format u32 = 1 | 0 u32 | one_in u64 | false negatives u64 | swallowed u64 |
//             | swallowed key 16 bytes x swallowed | payload of the exact set of watched keys |
#include "dedup/metrics/shadow_sample.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/coding.h"

namespace weir::dedup {
namespace {

constexpr std::uint32_t kFormat = 1;
constexpr std::uint64_t kHeaderBytes = 4 + 4 + 8 + 8 + 8;
constexpr double kFalsePositivesWanted = 43;  // +-30 % at 95 %: (1.96 / 0.3)^2
constexpr std::uint64_t kOneInMax = std::uint64_t{1} << 40;

// The finaliser of MurmurHash3: every bit of both words reaches every bit of the slice.
std::uint64_t slice(const Fingerprint& key) {
  std::uint64_t mixed = key.hi ^ std::rotl(key.lo, 32) * 0x9e3779b97f4a7c15ULL;
  mixed = (mixed ^ mixed >> 33) * 0xff51afd7ed558ccdULL;
  mixed = (mixed ^ mixed >> 33) * 0xc4ceb9fe1a85ec53ULL;
  return mixed ^ mixed >> 33;
}

bool is_watched(const Fingerprint& key, std::uint64_t one_in) { return (slice(key) & (one_in - 1)) == 0; }

ShadowSample::Counts counts(std::uint64_t first_sightings, std::uint64_t false_positives) {
  ShadowSample::Counts result{first_sightings, false_positives, 0,
                              wilson_interval(false_positives, first_sightings)};
  if (first_sightings > 0) {
    result.rate = static_cast<double>(false_positives) / static_cast<double>(first_sightings);
  }
  return result;
}

}  // namespace

ShadowOptions plan_shadow(std::uint64_t capacity, double fpr) {
  const double one_in = static_cast<double>(capacity) * fpr / kFalsePositivesWanted;
  if (!(one_in >= 2)) return {};
  return {std::bit_floor(static_cast<std::uint64_t>(std::min(one_in, static_cast<double>(kOneInMax))))};
}

Result<std::unique_ptr<ShadowSample>> ShadowSample::create(const ShadowOptions& options) {
  if (!std::has_single_bit(options.one_in) || options.one_in > kOneInMax || options.keys_max == 0) {
    return fail(ErrorCode::kUsage,
                "a shadow sample watches one key in a power of two, not in " + std::to_string(options.one_in));
  }
  auto watched = ExactSet::create(0);
  if (!watched) return std::unexpected(watched.error());
  return std::unique_ptr<ShadowSample>(new ShadowSample(options, std::move(*watched)));
}

void ShadowSample::pick_watched(std::span<const Fingerprint> batch) {
  picked_.clear();
  picked_at_.clear();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (!is_watched(batch[i], one_in_)) continue;
    picked_.push_back(batch[i]);
    picked_at_.push_back(i);
  }
  picked_verdicts_.resize(picked_.size());
}

void ShadowSample::count(const Fingerprint& key, bool known, Verdict filter) {
  const bool called_seen = filter == Verdict::kSeen;
  if (known && called_seen) return;
  if (known) {
    // A filter rebuilt from the log forgets what it had swallowed; then the key is admitted at last.
    if (std::erase(swallowed_, key) == 0) ++false_negatives_;
    return;
  }
  ++window_.first_sightings;
  if (!called_seen) return;
  ++window_.false_positives;
  swallowed_.push_back(key);
}

Result<void> ShadowSample::observe(std::span<const Fingerprint> batch, std::span<const Verdict> verdicts) {
  WEIR_CHECK(batch.size() == verdicts.size());
  pick_watched(batch);
  if (auto asked = watched_->test_and_set(picked_, picked_verdicts_); !asked) return asked;
  for (std::size_t i = 0; i < picked_.size(); ++i) {
    count(picked_[i], picked_verdicts_[i] == Verdict::kSeen, verdicts[picked_at_[i]]);
  }
  return halve_while_full();
}

Result<void> ShadowSample::replay(std::span<const Fingerprint> admitted) {
  pick_watched(admitted);
  if (auto inserted = watched_->insert(picked_); !inserted) return inserted;
  return halve_while_full();
}

Result<void> ShadowSample::halve_while_full() {
  while (watched_->size() > options_.keys_max && one_in_ < kOneInMax) {
    one_in_ *= 2;
    std::vector<Fingerprint> kept;
    watched_->for_each([&](const Fingerprint& key) {
      if (is_watched(key, one_in_)) kept.push_back(key);
    });
    auto fresh = ExactSet::create(kept.size());
    if (!fresh) return std::unexpected(fresh.error());
    if (auto inserted = (*fresh)->insert(kept); !inserted) return inserted;
    watched_ = std::move(*fresh);
    std::erase_if(swallowed_, [&](const Fingerprint& key) { return !is_watched(key, one_in_); });
  }
  return {};
}

ShadowSample::Report ShadowSample::report() const {
  Report report;
  report.total = counts(watched_->size(), swallowed_.size());
  report.window = counts(window_.first_sightings, window_.false_positives);
  report.one_in = one_in_;
  report.lost_urls = static_cast<double>(one_in_) * static_cast<double>(swallowed_.size());
  report.false_negatives_observed = false_negatives_;
  return report;
}

std::uint64_t ShadowSample::payload_bytes() const {
  return kHeaderBytes + swallowed_.size() * sizeof(Fingerprint) + watched_->payload_bytes();
}

Result<void> ShadowSample::write_payload(PayloadSink& sink) const {
  std::string header;
  put_u32(header, kFormat);
  put_u32(header, 0);
  put_u64(header, one_in_);
  put_u64(header, false_negatives_);
  put_u64(header, swallowed_.size());
  if (auto written = sink.append(header); !written) return written;
  const std::string_view keys(reinterpret_cast<const char*>(swallowed_.data()),
                              swallowed_.size() * sizeof(Fingerprint));
  if (auto written = sink.append(keys); !written) return written;
  return watched_->write_payload(sink);
}

Result<void> ShadowSample::read_payload(PayloadSource& source) {
  std::array<char, kHeaderBytes> header;
  if (auto read = source.read(std::as_writable_bytes(std::span(header))); !read) return read;
  Reader reader({header.data(), header.size()});
  const std::uint32_t format = reader.u32();
  reader.u32();
  const std::uint64_t one_in = reader.u64();
  const std::uint64_t false_negatives = reader.u64();
  const std::uint64_t swallowed = reader.u64();
  if (format != kFormat || !std::has_single_bit(one_in) || one_in > kOneInMax ||
      swallowed > source.remaining() / sizeof(Fingerprint)) {
    return fail(ErrorCode::kState, "the shadow sample's parameters make no sense (format " +
                                       std::to_string(format) + ", one in " + std::to_string(one_in) + ")");
  }
  std::vector<Fingerprint> keys(swallowed);
  if (auto read = source.read(std::as_writable_bytes(std::span(keys))); !read) return read;
  if (auto read = watched_->read_payload(source); !read) return read;
  swallowed_ = std::move(keys);
  one_in_ = one_in;
  false_negatives_ = false_negatives;
  window_ = {};
  return halve_while_full();
}

bool lies_too_often(const ShadowSample::Counts& counts, double expected_fpr) {
  return counts.interval.low > 2 * expected_fpr;
}

}  // namespace weir::dedup
