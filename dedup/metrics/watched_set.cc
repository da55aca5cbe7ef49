// Forwarding, and one payload made of two.
#include "dedup/metrics/watched_set.h"

#include <array>
#include <string>

#include "base/coding.h"
#include "dedup/registry.h"

namespace weir::dedup {
namespace {

constexpr std::size_t kLengthBytes = 8;

// The first `limit` bytes of another source.
class LimitedSource final : public PayloadSource {
 public:
  LimitedSource(PayloadSource& source, std::uint64_t limit) : source_(source), left_(limit) {}
  Result<void> read(std::span<std::byte> into) override {
    if (into.size() > left_) return fail(ErrorCode::kState, "the shadow sample ends early");
    left_ -= into.size();
    return source_.read(into);
  }
  std::uint64_t remaining() const override { return left_; }

 private:
  PayloadSource& source_;
  std::uint64_t left_;
};

}  // namespace

Result<std::unique_ptr<UrlSet>> watched(std::unique_ptr<UrlSet> set, const SetOptions& options) {
  auto shadow = ShadowSample::create(plan_shadow(options.capacity, options.fpr));
  if (!shadow) return std::unexpected(shadow.error());
  return std::make_unique<WatchedSet>(std::move(set), *std::move(shadow));
}

Result<void> WatchedSet::test_and_set(std::span<const Fingerprint> batch, std::span<Verdict> verdicts) {
  if (auto asked = set_->test_and_set(batch, verdicts); !asked) return asked;
  return shadow_->observe(batch, verdicts);
}

Result<void> WatchedSet::test(std::span<const Fingerprint> batch, std::span<Verdict> verdicts) const {
  return set_->test(batch, verdicts);
}

Result<void> WatchedSet::insert(std::span<const Fingerprint> batch) {
  if (auto inserted = set_->insert(batch); !inserted) return inserted;
  return shadow_->replay(batch);
}

SetStats WatchedSet::stats() const {
  SetStats stats = set_->stats();
  const ShadowSample::Report report = shadow_->report();
  stats.observed = ObservedRate{report.total.rate,          report.total.interval.low,
                                report.total.interval.high, report.total.first_sightings,
                                report.lost_urls,           report.false_negatives_observed};
  return stats;
}

std::uint64_t WatchedSet::payload_bytes() const {
  return kLengthBytes + shadow_->payload_bytes() + set_->snapshotable()->payload_bytes();
}

Result<void> WatchedSet::write_payload(PayloadSink& sink) const {
  std::string length;
  put_u64(length, shadow_->payload_bytes());
  if (auto written = sink.append(length); !written) return written;
  if (auto written = shadow_->write_payload(sink); !written) return written;
  return set_->snapshotable()->write_payload(sink);
}

Result<void> WatchedSet::read_payload(PayloadSource& source) {
  std::array<std::byte, kLengthBytes> bytes{};
  if (auto read = source.read(bytes); !read) return read;
  const std::uint64_t length = Reader({reinterpret_cast<const char*>(bytes.data()), bytes.size()}).u64();
  if (length > source.remaining()) return fail(ErrorCode::kState, "the shadow sample is longer than the file");
  LimitedSource shadow(source, length);
  if (auto read = shadow_->read_payload(shadow); !read) return read;
  if (shadow.remaining() != 0) return fail(ErrorCode::kState, "the shadow sample has bytes left over");
  return set_->snapshotable()->read_payload(source);
}

}  // namespace weir::dedup
