// The filter as a UrlSet, as bytes, and as a row of the registry.
//
//   payload   | format u32 = 1 | layout u8 | probes u8 | 0 u16 | blocks u64 | capacity u64 | keys u64 |
//             | block 64 bytes x blocks, as in block_layout.h |
#include "dedup/bloom/bloom_set.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/coding.h"

namespace weir::dedup {
namespace {

constexpr std::uint32_t kFormat = 1;
constexpr std::uint64_t kHeaderBytes = 4 + 1 + 1 + 2 + 8 + 8 + 8;
constexpr std::size_t kInsertChunk = 4096;
constexpr std::uint64_t kBlocksPerChunk = 1 << 14;
static_assert(std::endian::native == std::endian::little, "blocks are stored as they lie in memory");

std::string describe(bloom::Layout layout, unsigned probes, std::uint64_t blocks) {
  constexpr std::array<std::string_view, 3> kNames = {"words", "any-bit", "two-blocks"};
  const auto index = static_cast<std::size_t>(layout);
  return std::string(index < kNames.size() ? kNames[index] : "unknown") + " layout, " + std::to_string(probes) +
         " bits per key, " + std::to_string(blocks) + " blocks";
}

}  // namespace

BloomSet::BloomSet(const bloom::Plan& plan, const bloom::Kernel& kernel, ZeroedMemory memory)
    : plan_(plan),
      kernel_(kernel),
      memory_(std::move(memory)),
      blocks_{static_cast<bloom::Block*>(memory_.data()), plan.blocks, plan.probes} {}

Result<std::unique_ptr<BloomSet>> BloomSet::create(const bloom::Plan& plan, bloom::Instructions instructions) {
  const auto kernel = bloom::kernel(plan.layout, instructions);
  if (!kernel) return fail(ErrorCode::kUsage, "this processor has no AVX2: take the scalar kernel");
  auto memory = ZeroedMemory::allocate(plan.bytes());
  if (!memory) return std::unexpected(memory.error());
  return std::unique_ptr<BloomSet>(new BloomSet(plan, *kernel, std::move(*memory)));
}

Result<void> BloomSet::test_and_set(std::span<const Fingerprint> batch, std::span<Verdict> verdicts) {
  WEIR_CHECK(batch.size() == verdicts.size());
  keys_ += kernel_.test_and_set(blocks_, batch, verdicts.data());
  return {};
}

Result<void> BloomSet::test(std::span<const Fingerprint> batch, std::span<Verdict> verdicts) const {
  WEIR_CHECK(batch.size() == verdicts.size());
  kernel_.test(blocks_, batch, verdicts.data());
  return {};
}

Result<void> BloomSet::insert(std::span<const Fingerprint> batch) {
  std::array<Verdict, kInsertChunk> unused;
  while (!batch.empty()) {
    const auto part = batch.first(std::min(batch.size(), kInsertChunk));
    keys_ += kernel_.test_and_set(blocks_, part, unused.data());
    batch = batch.subspan(part.size());
  }
  return {};
}

SetStats BloomSet::stats() const {
  SetStats stats;
  stats.keys = keys_;
  stats.capacity = plan_.capacity;
  stats.bytes = memory_.bytes();
  stats.load = static_cast<double>(keys_) / static_cast<double>(plan_.capacity);
  stats.expected_fpr = occupancy().expected_fpr;
  return stats;
}

std::uint64_t BloomSet::payload_bytes() const { return kHeaderBytes + plan_.bytes(); }

Result<void> BloomSet::write_payload(PayloadSink& sink) const {
  std::string header;
  put_u32(header, kFormat);
  put_u8(header, static_cast<std::uint8_t>(plan_.layout));
  put_u8(header, static_cast<std::uint8_t>(plan_.probes));
  put_u16(header, 0);
  put_u64(header, plan_.blocks);
  put_u64(header, plan_.capacity);
  put_u64(header, keys_);
  if (auto written = sink.append(header); !written) return written;
  const std::string_view bytes(reinterpret_cast<const char*>(blocks_.data), plan_.bytes());
  for (std::size_t from = 0; from < bytes.size(); from += kBlocksPerChunk * sizeof(bloom::Block)) {
    auto written = sink.append(bytes.substr(from, kBlocksPerChunk * sizeof(bloom::Block)));
    if (!written) return written;
  }
  return {};
}

Result<void> BloomSet::read_payload(PayloadSource& source) {
  std::array<char, kHeaderBytes> header;
  if (auto read = source.read(std::as_writable_bytes(std::span(header))); !read) return read;
  Reader reader({header.data(), header.size()});
  const std::uint32_t format = reader.u32();
  const auto layout = static_cast<bloom::Layout>(reader.u8());
  const unsigned probes = reader.u8();
  reader.u16();
  const std::uint64_t blocks = reader.u64();
  reader.u64();  // capacity: follows from the others and the rate, which the operator may round otherwise
  const std::uint64_t keys = reader.u64();
  if (format != kFormat) {
    return fail(ErrorCode::kState, "bloom filter of format " + std::to_string(format) +
                                       ", this version reads " + std::to_string(kFormat) +
                                       ": use the version of weir that wrote it");
  }
  if (layout != plan_.layout || probes != plan_.probes || blocks != plan_.blocks) {
    return fail(ErrorCode::kState,
                "the file's bloom filter is of another shape (" + describe(layout, probes, blocks) +
                    ") than the " + "configured one (" + describe(plan_.layout, plan_.probes, plan_.blocks) +
                    "): set dedup.capacity and dedup.fpr back, or let it be rebuilt from the admitted log");
  }
  if (source.remaining() != plan_.bytes()) {
    return fail(ErrorCode::kState, "bloom filter of " + std::to_string(plan_.bytes()) + " bytes, but " +
                                       std::to_string(source.remaining()) + " follow");
  }
  auto read = source.read(std::as_writable_bytes(std::span(blocks_.data, blocks_.count)));
  keys_ = read ? keys : 0;
  if (!read) memory_.release(0, memory_.bytes());
  return read;
}

namespace {

Result<std::unique_ptr<UrlSet>> make_bloom(const SetOptions& options) {
  const auto plan = bloom::plan(options.capacity, options.fpr);
  if (!plan) return std::unexpected(plan.error());
  return BloomSet::create(*plan);
}

}  // namespace

Backend bloom_backend() {
  return {"bloom", "blocked Bloom filter; 10 to 31 bits per key, drops a known share of new URLs", true,
          make_bloom};
}

}  // namespace weir::dedup
