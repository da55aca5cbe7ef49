// Dedup sets side by side: test-and-set of a stream with 80 % repeats (what a crawl offers), look-ups of
// strangers, and the longest batch while the exact set grows. Control: std::unordered_set of the same keys.
// Run on a quiet machine; the 5e7 rows need 4 GiB. Times are CPU time per key, in batches of 1024.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/clock.h"
#include "dedup/bloom/bloom_set.h"
#include "dedup/exact_set.h"
#include "tests/dedup/keys.h"

namespace weir::dedup {
namespace {

using bloom::Instructions;
using testing::FingerprintHash;
using testing::key;

constexpr std::size_t kBatch = 1024;
constexpr std::uint64_t kOffersPerRound = 1 << 21;
constexpr int kRounds = 5;

// The control behind the same interface.
class UnorderedSet final : public UrlSet {
 public:
  explicit UnorderedSet(std::uint64_t capacity) { keys_.reserve(capacity); }
  Result<void> test_and_set(std::span<const Fingerprint> batch, std::span<Verdict> verdicts) override {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      verdicts[i] = keys_.insert(batch[i]).second ? Verdict::kNew : Verdict::kSeen;
    }
    return {};
  }
  Result<void> test(std::span<const Fingerprint> batch, std::span<Verdict> verdicts) const override {
    for (std::size_t i = 0; i < batch.size(); ++i) {
      verdicts[i] = keys_.contains(batch[i]) ? Verdict::kSeen : Verdict::kNew;
    }
    return {};
  }
  Result<void> insert(std::span<const Fingerprint> batch) override {
    keys_.insert(batch.begin(), batch.end());
    return {};
  }
  SetStats stats() const override { return {}; }
  bool exact() const override { return true; }
  std::string_view name() const override { return "unordered"; }

 private:
  std::unordered_set<Fingerprint, FingerprintHash> keys_;
};

using MakeSet = std::unique_ptr<UrlSet> (*)(std::uint64_t capacity);

std::unique_ptr<UrlSet> make_unordered(std::uint64_t capacity) {
  return std::make_unique<UnorderedSet>(capacity);
}
std::unique_ptr<UrlSet> make_exact(std::uint64_t capacity) { return std::move(*ExactSet::create(capacity)); }
template <Instructions kInstructions, int kTenToMinus>
std::unique_ptr<UrlSet> make_bloom(std::uint64_t capacity) {
  double fpr = 1;
  for (int i = 0; i < kTenToMinus; ++i) fpr /= 10;
  return std::move(*BloomSet::create(*bloom::plan(capacity, fpr), kInstructions));
}

void fill(UrlSet& set, std::uint64_t count) {
  std::vector<Fingerprint> batch(kBatch);
  for (std::uint64_t from = 0; from < count; from += kBatch) {
    for (std::size_t i = 0; i < kBatch; ++i) batch[i] = key(from + i);
    benchmark::DoNotOptimize(set.insert(batch).has_value());
  }
}

void report(benchmark::State& state, std::uint64_t offers) {
  state.counters["ns/key"] =
      benchmark::Counter(static_cast<double>(offers) * 1e-9,
                         benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void test_and_set_80(benchmark::State& state, MakeSet make) {
  const auto keys = static_cast<std::uint64_t>(state.range(0));
  const std::uint64_t offers = std::min(kOffersPerRound, keys / kBatch * kBatch);
  const auto set = make(keys + kRounds * offers / 5);
  fill(*set, keys);
  std::vector<Fingerprint> stream(offers);
  std::vector<Verdict> verdicts(kBatch);
  std::uint64_t known = keys;
  std::uint64_t random = 1;
  for (auto _ : state) {
    state.PauseTiming();
    for (Fingerprint& one : stream) {
      random = testing::mix(random);
      one = random % 5 == 0 ? key(known++) : key(random / 8 % keys);
    }
    state.ResumeTiming();
    for (std::size_t from = 0; from < offers; from += kBatch) {
      benchmark::DoNotOptimize(set->test_and_set({&stream[from], kBatch}, verdicts).has_value());
    }
  }
  report(state, offers);
}

void look_up_strangers(benchmark::State& state, MakeSet make) {
  const auto keys = static_cast<std::uint64_t>(state.range(0));
  const std::uint64_t offers = std::min(kOffersPerRound, keys / kBatch * kBatch);
  const auto set = make(keys);
  fill(*set, keys);
  std::vector<Fingerprint> stream(offers);
  std::vector<Verdict> verdicts(kBatch);
  std::uint64_t next = std::uint64_t{1} << 40;
  for (auto _ : state) {
    state.PauseTiming();
    for (Fingerprint& one : stream) one = key(next++);
    state.ResumeTiming();
    for (std::size_t from = 0; from < offers; from += kBatch) {
      benchmark::DoNotOptimize(set->test({&stream[from], kBatch}, verdicts).has_value());
    }
  }
  report(state, offers);
}

// From empty, nothing reserved: the mean cost of a key and the longest batch of 1024.
void grow(benchmark::State& state, MakeSet make) {
  const auto keys = static_cast<std::uint64_t>(state.range(0)) / kBatch * kBatch;
  const SystemClock clock;
  std::vector<Fingerprint> batch(kBatch);
  std::vector<Verdict> verdicts(kBatch);
  Duration longest{0};
  for (auto _ : state) {
    const auto set = make(0);
    for (std::uint64_t from = 0; from < keys; from += kBatch) {
      for (std::size_t i = 0; i < kBatch; ++i) batch[i] = key(from + i);
      const MonoTime start = clock.now().mono;
      benchmark::DoNotOptimize(set->test_and_set(batch, verdicts).has_value());
      longest = std::max(longest, clock.now().mono - start);
    }
  }
  report(state, keys);
  state.counters["longest_us"] = static_cast<double>(longest.count());
}

struct Contender {
  const char* name;
  MakeSet make;
};

constexpr Contender kContenders[] = {
    {"unordered_set", make_unordered},
    {"exact", make_exact},
    {"bloom_1e-3_scalar", make_bloom<Instructions::kScalar, 3>},
    {"bloom_1e-3_avx2", make_bloom<Instructions::kAvx2, 3>},
    {"bloom_1e-4_scalar", make_bloom<Instructions::kScalar, 4>},
    {"bloom_1e-4_avx2", make_bloom<Instructions::kAvx2, 4>},
    {"bloom_1e-6_scalar", make_bloom<Instructions::kScalar, 6>},
    {"bloom_1e-6_avx2", make_bloom<Instructions::kAvx2, 6>},
};

void register_all() {
  for (const std::int64_t keys : {1'000'000, 50'000'000}) {
    for (const Contender& contender : kContenders) {
      const std::string name = contender.name;
      if (name.ends_with("avx2") && bloom::best_instructions() != Instructions::kAvx2) continue;
      benchmark::RegisterBenchmark(("test_and_set_80/" + name).c_str(), test_and_set_80, contender.make)
          ->Arg(keys)
          ->Iterations(kRounds)
          ->Unit(benchmark::kMillisecond);
      benchmark::RegisterBenchmark(("strangers/" + name).c_str(), look_up_strangers, contender.make)
          ->Arg(keys)
          ->Iterations(kRounds)
          ->Unit(benchmark::kMillisecond);
    }
  }
  for (const Contender& contender : {kContenders[0], kContenders[1]}) {
    benchmark::RegisterBenchmark((std::string("grow/") + contender.name).c_str(), grow, contender.make)
        ->Arg(20'000'000)
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace
}  // namespace weir::dedup

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  weir::dedup::register_all();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
