// The laws of dedup/url_set.h, run over every backend of the registry by name against a slow, obviously right
// oracle. A new backend is picked up without touching this file (toy_backend.sh proves it). Law 4 belongs to
// the frontier and is tested there.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <unordered_set>
#include <vector>

#include "dedup/metrics/wilson.h"
#include "dedup/registry.h"
#include "dedup/snapshot.h"
#include "dedup/url_set.h"
#include "tests/dedup/keys.h"

namespace weir::dedup {
namespace {

using testing::FingerprintHash;
using testing::key;
using testing::keys;
using testing::secret;

constexpr std::uint64_t kCapacity = 20000;
constexpr std::uint64_t kSeed = 20261201;

std::vector<std::string> backend_names() {
  std::vector<std::string> names;
  for (const Backend& backend : backends()) names.emplace_back(backend.name);
  return names;
}

class Conformance : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    set_ = make(1e-3);
    folder_ = std::filesystem::temp_directory_path() / ("weir_dedup_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<UrlSet> make(double fpr, std::uint64_t capacity = kCapacity) const {
    auto set = make_set({GetParam(), capacity, fpr});
    EXPECT_TRUE(set) << set.error().message();
    return set ? std::move(*set) : nullptr;
  }
  std::vector<Verdict> offer(std::span<const Fingerprint> batch) {
    std::vector<Verdict> verdicts(batch.size());
    EXPECT_TRUE(set_->test_and_set(batch, verdicts));
    return verdicts;
  }
  std::vector<Verdict> ask(std::span<const Fingerprint> batch) const {
    std::vector<Verdict> verdicts(batch.size());
    EXPECT_TRUE(set_->test(batch, verdicts));
    return verdicts;
  }
  SnapshotOptions file(unsigned char fill = 1) const {
    SnapshotOptions options;
    options.path = (folder_ / "set.snapshot").string();
    options.secret = secret(fill);
    return options;
  }
  static std::ptrdiff_t count(const std::vector<Verdict>& verdicts, Verdict verdict) {
    return std::ranges::count(verdicts, verdict);
  }

  std::unique_ptr<UrlSet> set_;
  std::filesystem::path folder_;
};

TEST_P(Conformance, NameIsTheRegistrysName) { EXPECT_EQ(set_->name(), GetParam()); }

TEST_P(Conformance, EmptySetKnowsNothingAndTakesAnEmptyBatch) {
  EXPECT_TRUE(offer({}).empty());
  EXPECT_EQ(count(ask(keys(0, 1000)), Verdict::kNew), 1000);
  EXPECT_EQ(set_->stats().keys, 0U);
}

TEST_P(Conformance, Law1_WithinABatchTheFirstOfferWins) {
  // Each key at distances 1, 2, 63, 64, 65 and 200, so that repeats fall in and out of one prefetch group.
  for (const std::size_t distance : {1U, 2U, 63U, 64U, 65U, 200U}) {
    set_ = make(1e-9);
    std::vector<Fingerprint> batch(3 * distance);
    for (std::size_t i = 0; i < batch.size(); ++i) batch[i] = key(i % distance, distance);
    const auto verdicts = offer(batch);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      ASSERT_EQ(verdicts[i], i < distance ? Verdict::kNew : Verdict::kSeen)
          << "place " << i << " of " << distance;
    }
  }
}

TEST_P(Conformance, Law1_NoSecondWinnerInLaterBatchesOfAnySize) {
  const auto all = keys(0, kCapacity);
  std::size_t winners = 0;
  for (std::size_t from = 0, size = 1; from < all.size(); from += size, size = size % 700 + 1) {
    size = std::min(size, all.size() - from);
    winners += static_cast<std::size_t>(count(offer(std::span(all).subspan(from, size)), Verdict::kNew));
  }
  EXPECT_EQ(set_->stats().keys, winners);
  EXPECT_EQ(count(offer(all), Verdict::kNew), 0);
}

TEST_P(Conformance, Law2_WhatWasAdmittedReadsSeenAtEveryMomentOfGrowth) {
  const std::uint64_t total = set_->exact() ? 20 * kCapacity : kCapacity;
  constexpr std::uint64_t kBatch = 512;
  for (std::uint64_t from = 0; from < total; from += kBatch) {
    offer(keys(from, kBatch));
    // The newest, the oldest, and a stretch that wanders through all that came before.
    for (const std::uint64_t old :
         {from, std::uint64_t{0}, from / kBatch * 7919 % (from / kBatch + 1) * kBatch}) {
      ASSERT_EQ(count(ask(keys(old, kBatch)), Verdict::kNew), 0) << "after " << from << ", from " << old;
    }
  }
}

TEST_P(Conformance, Law2_ABatchFarBeyondTheCapacityIsTakenWhole) {
  const auto all = keys(0, 10 * kCapacity);
  offer(all);
  EXPECT_EQ(count(offer(all), Verdict::kNew), 0);
}

TEST_P(Conformance, Law2_KeysThatLookAlikeAreToldApartOrSeen) {
  // Zero, all ones, equal halves: what a slot or a mask could mistake for "empty".
  const std::uint64_t ones = ~std::uint64_t{0};
  const std::vector<Fingerprint> odd = {{0, 0}, {0, 1}, {1, 0}, {ones, ones}, {ones, 0}, {0, ones}, {1, 1}};
  std::vector<Fingerprint> single(1);
  for (const Fingerprint& one : odd) {
    single[0] = one;
    const Verdict first = offer(single)[0];
    if (set_->exact()) {
      EXPECT_EQ(first, Verdict::kNew);
    }
    EXPECT_EQ(offer(single)[0], Verdict::kSeen);
  }
  EXPECT_EQ(count(ask(odd), Verdict::kNew), 0);
}

TEST_P(Conformance, Law2_KeysOfOneHomeAreAllKept) {
  std::vector<Fingerprint> clump;
  for (std::uint64_t i = 0; i < 3000; ++i) clump.push_back({~std::uint64_t{0} - i % 3, testing::mix(i)});
  offer(clump);
  EXPECT_EQ(count(ask(clump), Verdict::kNew), 0);
}

// Symptom: an exact set forgot keys that had spilled over the end of its table while it grew.
TEST_P(Conformance, Law2_AClumpThatArrivesWithTheFirstBatchOfGrowthIsKept) {
  const auto members = keys(0, kCapacity * 19 / 20);
  offer(members);
  std::vector<Fingerprint> clump;
  for (std::uint64_t i = 0; i < kCapacity * 13 / 100; ++i)
    clump.push_back({~std::uint64_t{0}, testing::mix(i)});
  offer(clump);
  for (std::uint64_t from = 0; from < kCapacity; from += 1000) {
    offer(keys(1'000'000 + from, 1000));
    ASSERT_EQ(count(ask(clump), Verdict::kNew), 0) << "after " << from;
  }
  EXPECT_EQ(count(ask(members), Verdict::kNew), 0);
}

TEST_P(Conformance, TestAsksWithoutRemembering) {
  const auto some = keys(0, 1000);
  ask(some);
  EXPECT_EQ(set_->stats().keys, 0U);
  EXPECT_GE(count(offer(some), Verdict::kNew), 980);
}

TEST_P(Conformance, InsertIsIdempotentAndCountsOnce) {
  const auto some = keys(0, 5000);
  ASSERT_TRUE(set_->insert(some));
  const std::uint64_t once = set_->stats().keys;
  ASSERT_TRUE(set_->insert(some));
  EXPECT_EQ(set_->stats().keys, once);
  EXPECT_EQ(count(offer(some), Verdict::kNew), 0);
}

TEST_P(Conformance, Law3_StrangersReadSeenAtMostAtTheStatedRate) {
  offer(keys(0, kCapacity));
  const SetStats stats = set_->stats();
  constexpr std::uint64_t kStrangers = 2'000'000;
  std::uint64_t seen = 0;
  for (std::uint64_t from = 0; from < kStrangers; from += 10000) {
    seen += static_cast<std::uint64_t>(count(ask(keys(1'000'000 + from, 10000)), Verdict::kSeen));
  }
  const Interval interval = wilson_interval(seen, kStrangers);
  EXPECT_LE(interval.low, stats.expected_fpr * 1.1) << seen << " of " << kStrangers << " read as seen";
  EXPECT_LE(stats.expected_fpr, set_->exact() ? 0 : 1.1e-3);
}

TEST_P(Conformance, Law5_MembersAreRemovedAndStrangersRefused) {
  Removable* removable = set_->removable();
  if (removable == nullptr) GTEST_SKIP() << GetParam() << " cannot remove";
  const auto members = keys(0, 5000);
  offer(members);
  // Only keys that read new are proven strangers.
  std::vector<Fingerprint> strangers = keys(1'000'000, 5000);
  const auto verdicts = ask(strangers);
  std::size_t place = 0;
  std::erase_if(strangers, [&](const Fingerprint&) { return verdicts[place++] == Verdict::kSeen; });
  auto removed = std::make_unique<bool[]>(5000);
  ASSERT_TRUE(removable->remove(strangers, {removed.get(), strangers.size()}));
  EXPECT_EQ(std::count(removed.get(), removed.get() + strangers.size(), true), 0);
  EXPECT_EQ(set_->stats().removals_refused, strangers.size());
  EXPECT_EQ(count(ask(members), Verdict::kNew), 0) << "a refused removal took a member with it";

  const auto gone = std::span(members).first(2500);
  ASSERT_TRUE(removable->remove(gone, {removed.get(), gone.size()}));
  EXPECT_EQ(std::count(removed.get(), removed.get() + gone.size(), true), 2500);
  EXPECT_EQ(count(ask(std::span(members).subspan(2500)), Verdict::kNew), 0);
  if (set_->exact()) {
    EXPECT_EQ(set_->stats().keys, 2500U);
    EXPECT_EQ(count(offer(gone), Verdict::kNew), 2500);
  }
}

TEST_P(Conformance, SnapshotBringsBackSetAndStamp) {
  if (set_->snapshotable() == nullptr) GTEST_SKIP() << GetParam() << " keeps its memory elsewhere";
  const auto members = keys(0, kCapacity);
  offer(members);
  const SetStats before = set_->stats();
  ASSERT_TRUE(save_snapshot(*set_, 4711, file()));
  const auto strangers = keys(1'000'000, 50000);
  const auto verdicts = ask(strangers);

  set_ = make(1e-3);
  offer(keys(5'000'000, 3000));  // contents of before are replaced, not added to
  const auto stamp = load_snapshot(*set_, file().path, file().secret);
  ASSERT_TRUE(stamp) << stamp.error().message();
  EXPECT_EQ(*stamp, 4711U);
  EXPECT_EQ(set_->stats().keys, before.keys);
  EXPECT_EQ(count(ask(members), Verdict::kNew), 0);
  EXPECT_EQ(ask(strangers), verdicts);
}

// One seeded run of random operations; the oracle is what the set itself said it admitted.
class OracleRun {
 public:
  using MakeSet = std::function<std::unique_ptr<UrlSet>()>;

  OracleRun(std::uint64_t seed, MakeSet make, SnapshotOptions file)
      : seed_(seed), random_(seed), make_(std::move(make)), file_(std::move(file)), set_(make_()) {}

  void step() {
    batch_.resize(random_() % 300);
    for (Fingerprint& one : batch_) one = key(random_() % kCapacity, seed_);
    verdicts_.assign(batch_.size(), Verdict::kNew);
    const auto choice = random_() % 50;
    if (choice < 30) {
      offer();
    } else if (choice < 35) {
      ASSERT_TRUE(set_->insert(batch_));
      oracle_.insert(batch_.begin(), batch_.end());
    } else if (choice < 40) {
      ask();
    } else if (choice < 48) {
      remove();
    } else {
      reload();
    }
    if (set_->exact()) {
      ASSERT_EQ(set_->stats().keys, oracle_.size());
    }
  }

  void finish() {
    batch_.assign(oracle_.begin(), oracle_.end());
    verdicts_.assign(batch_.size(), Verdict::kNew);
    ask();
    const double allowed = set_->exact() ? 0 : 2e-3;
    ASSERT_LE(wilson_interval(swallowed_, strangers_).low, allowed) << swallowed_ << " of " << strangers_;
  }

 private:
  void offer() {
    ASSERT_TRUE(set_->test_and_set(batch_, verdicts_));
    for (std::size_t i = 0; i < batch_.size(); ++i) {
      const bool known = oracle_.contains(batch_[i]);
      ASSERT_FALSE(known && verdicts_[i] == Verdict::kNew) << "a second winner";
      if (known) continue;
      ++strangers_;
      if (verdicts_[i] == Verdict::kSeen) {
        ++swallowed_;
      } else {
        oracle_.insert(batch_[i]);
      }
    }
  }

  void ask() {
    ASSERT_TRUE(set_->test(batch_, verdicts_));
    for (std::size_t i = 0; i < batch_.size(); ++i) {
      const bool known = oracle_.contains(batch_[i]);
      ASSERT_FALSE(known && verdicts_[i] == Verdict::kNew) << "a key was forgotten";
      ASSERT_FALSE(set_->exact() && !known && verdicts_[i] == Verdict::kSeen) << "a stranger is known";
    }
  }

  void remove() {
    if (set_->removable() == nullptr) return;
    std::erase_if(batch_, [&](const Fingerprint& one) { return oracle_.erase(one) == 0; });
    const auto removed = std::make_unique<bool[]>(batch_.size() + 1);
    ASSERT_TRUE(set_->removable()->remove(batch_, {removed.get(), batch_.size()}));
    ASSERT_EQ(std::count(removed.get(), removed.get() + batch_.size(), false), 0) << "a member was refused";
  }

  void reload() {
    if (set_->snapshotable() == nullptr) return;
    const std::uint64_t stamp = random_();
    ASSERT_TRUE(save_snapshot(*set_, stamp, file_));
    set_ = make_();
    ASSERT_EQ(load_snapshot(*set_, file_.path, file_.secret).value_or(~stamp), stamp);
  }

  std::uint64_t seed_;
  std::mt19937_64 random_;
  MakeSet make_;
  SnapshotOptions file_;
  std::unique_ptr<UrlSet> set_;
  std::unordered_set<Fingerprint, FingerprintHash> oracle_;
  std::vector<Fingerprint> batch_;
  std::vector<Verdict> verdicts_;
  std::uint64_t strangers_ = 0;
  std::uint64_t swallowed_ = 0;
};

TEST_P(Conformance, RandomOperationsAgreeWithTheOracle) {
  for (std::uint64_t seed = kSeed; seed < kSeed + 8; ++seed) {
    OracleRun run(seed, [this] { return make(1e-3); }, file());
    for (int step = 0; step < 400; ++step) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", step " + std::to_string(step));
      run.step();
      if (HasFatalFailure()) return;
    }
    run.finish();
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, Conformance, ::testing::ValuesIn(backend_names()), [](const auto& backend) {
  std::string name = backend.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace weir::dedup
