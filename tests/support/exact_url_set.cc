// Payload: count u64, then 16 bytes per fingerprint in no order.
#include "tests/support/exact_url_set.h"

#include "base/coding.h"

namespace weir::test {

Result<void> ExactUrlSet::test_and_set(std::span<const dedup::Fingerprint> batch,
                                       std::span<dedup::Verdict> verdicts) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    verdicts[i] = keys_.insert(batch[i]).second ? dedup::Verdict::kNew : dedup::Verdict::kSeen;
  }
  return {};
}

Result<void> ExactUrlSet::test(std::span<const dedup::Fingerprint> batch,
                               std::span<dedup::Verdict> verdicts) const {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    verdicts[i] = keys_.contains(batch[i]) ? dedup::Verdict::kSeen : dedup::Verdict::kNew;
  }
  return {};
}

Result<void> ExactUrlSet::insert(std::span<const dedup::Fingerprint> batch) {
  keys_.insert(batch.begin(), batch.end());
  return {};
}

dedup::SetStats ExactUrlSet::stats() const {
  dedup::SetStats stats;
  stats.keys = keys_.size();
  stats.bytes = keys_.size() * sizeof(dedup::Fingerprint);
  return stats;
}

std::uint64_t ExactUrlSet::payload_bytes() const {
  return sizeof(std::uint64_t) + keys_.size() * sizeof(dedup::Fingerprint);
}

Result<void> ExactUrlSet::write_payload(dedup::PayloadSink& sink) const {
  std::string bytes;
  put_u64(bytes, keys_.size());
  for (const auto& key : keys_) {
    put_u64(bytes, key.hi);
    put_u64(bytes, key.lo);
  }
  return sink.append(bytes);
}

Result<void> ExactUrlSet::read_payload(dedup::PayloadSource& source) {
  keys_.clear();
  std::string bytes(source.remaining(), '\0');
  if (auto read = source.read(std::as_writable_bytes(std::span(bytes))); !read) return read;
  Reader reader(bytes);
  const std::uint64_t count = reader.u64();
  if (!reader.ok() || reader.remaining() != count * sizeof(dedup::Fingerprint)) {
    return fail(ErrorCode::kState, "the payload has the wrong length");
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t hi = reader.u64();
    keys_.insert({hi, reader.u64()});
  }
  return {};
}

}  // namespace weir::test
