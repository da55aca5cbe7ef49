// The exact set as bytes and as a row of the registry.
//
//   payload   | format u32 = 1 | keys u64 | key 16 bytes (hi, lo little-endian) x keys |
#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/coding.h"
#include "dedup/exact_set.h"

namespace weir::dedup {
namespace {

constexpr std::uint32_t kFormat = 1;
constexpr std::uint64_t kHeaderBytes = 4 + 8;
constexpr std::size_t kKeysPerChunk = 4096;
static_assert(std::endian::native == std::endian::little, "keys are stored as they lie in memory");
static_assert(sizeof(Fingerprint) == 16);

}  // namespace

std::uint64_t ExactSet::payload_bytes() const { return kHeaderBytes + keys_ * sizeof(Fingerprint); }

Result<void> ExactSet::write_payload(PayloadSink& sink) const {
  std::string bytes;
  put_u32(bytes, kFormat);
  put_u64(bytes, keys_);
  Result<void> written = sink.append(bytes);
  std::vector<Fingerprint> chunk;
  chunk.reserve(kKeysPerChunk);
  const auto flush = [&] {
    if (written) written = sink.append({reinterpret_cast<const char*>(chunk.data()), chunk.size() * 16});
    chunk.clear();
  };
  for_each([&](const Fingerprint& key) {
    chunk.push_back(key);
    if (chunk.size() == kKeysPerChunk) flush();
  });
  flush();
  return written;
}

Result<void> ExactSet::read_payload(PayloadSource& source) {
  std::array<char, kHeaderBytes> header;
  if (auto read = source.read(std::as_writable_bytes(std::span(header))); !read) return read;
  Reader reader({header.data(), header.size()});
  const std::uint32_t format = reader.u32();
  const std::uint64_t keys = reader.u64();
  if (format != kFormat) {
    return fail(ErrorCode::kState, "exact set of format " + std::to_string(format) + ", this version reads " +
                                       std::to_string(kFormat) + ": use the version of weir that wrote it");
  }
  if (keys != source.remaining() / sizeof(Fingerprint) || source.remaining() % sizeof(Fingerprint) != 0) {
    return fail(ErrorCode::kState, "exact set promises " + std::to_string(keys) + " keys, but " +
                                       std::to_string(source.remaining()) + " bytes follow");
  }
  auto fresh = create(keys);
  if (!fresh) return std::unexpected(fresh.error());
  std::vector<Fingerprint> chunk(kKeysPerChunk);
  for (std::uint64_t left = keys; left > 0;) {
    const std::span<Fingerprint> part(chunk.data(), std::min<std::uint64_t>(left, kKeysPerChunk));
    if (auto read = source.read(std::as_writable_bytes(part)); !read) return read;
    if (auto inserted = (*fresh)->insert(part); !inserted) return inserted;
    left -= part.size();
  }
  *this = std::move(**fresh);
  return {};
}

namespace {

Result<std::unique_ptr<UrlSet>> make_exact(const SetOptions& options) {
  return ExactSet::create(options.capacity);
}

}  // namespace

Backend exact_backend() {
  return {"exact", "every fingerprint in memory; never wrong, 21 to 32 bytes per key", false, make_exact};
}

}  // namespace weir::dedup
