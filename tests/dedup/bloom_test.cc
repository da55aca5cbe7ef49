// The bloom filter's promises in numbers: predicted against measured rates, kernels against each other, and
// what the bits say about the keys inside.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <iostream>
#include <vector>

#include "dedup/bloom/bloom_set.h"
#include "dedup/bloom/occupancy_model.h"
#include "dedup/bloom/sizing.h"
#include "dedup/metrics/wilson.h"
#include "tests/dedup/keys.h"

namespace weir::dedup {
namespace {

using bloom::Instructions;
using bloom::Layout;
using testing::keys;

constexpr std::uint64_t kBatch = 8192;

std::unique_ptr<BloomSet> make(const bloom::Plan& plan,
                               Instructions instructions = bloom::best_instructions()) {
  auto set = BloomSet::create(plan, instructions);
  EXPECT_TRUE(set) << set.error().message();
  return std::move(*set);
}

// Offers numbered keys on from as many as are counted, up to `wanted`.
void fill(BloomSet& set, std::uint64_t wanted, std::uint64_t seed) {
  for (std::uint64_t from = set.stats().keys; from < wanted; from += kBatch) {
    ASSERT_TRUE(set.insert(keys(from, std::min(kBatch, wanted - from), seed)));
  }
}

std::uint64_t strangers_seen(const BloomSet& set, std::uint64_t strangers, std::uint64_t seed) {
  std::vector<Verdict> verdicts(kBatch);
  std::uint64_t seen = 0;
  for (std::uint64_t from = 0; from < strangers; from += kBatch) {
    EXPECT_TRUE(set.test(keys((std::uint64_t{1} << 40) + from, kBatch, seed), verdicts));
    for (const Verdict verdict : verdicts) seen += static_cast<std::uint64_t>(verdict == Verdict::kSeen);
  }
  return seen;
}

TEST(BloomSizing, RatePicksTheLayoutAndMeetsItExactly) {
  struct Row {
    double fpr;
    Layout layout;
    double bits_min;
    double bits_max;
  };
  const Row rows[] = {
      {1e-1, Layout::kWords, 5, 7.5},     {1e-2, Layout::kWords, 9.5, 10.8},
      {1e-3, Layout::kWords, 14.5, 16.2}, {5e-4, Layout::kWords, 16, 18.5},
      {1e-4, Layout::kAnyBit, 20, 22.5},  {2e-5, Layout::kAnyBit, 25, 29},
      {1e-5, Layout::kTwoBlocks, 24, 26}, {1e-6, Layout::kTwoBlocks, 30, 32},
      {1e-9, Layout::kTwoBlocks, 48, 60},
  };
  for (const Row& row : rows) {
    const auto plan = bloom::plan(10'000'000, row.fpr);
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->layout, row.layout) << row.fpr;
    EXPECT_GE(plan->bits_per_key(), row.bits_min) << row.fpr;
    EXPECT_LE(plan->bits_per_key(), row.bits_max) << row.fpr;
    EXPECT_NEAR(plan->expected_fpr / row.fpr, 1, 0.01) << row.fpr;
  }
}

TEST(BloomSizing, OneBlockOfOneKeyIsSeenAsOftenAsItsBitsSay) {
  // kWords: 1 of 64 positions in each of 8 words. kAnyBit, 8 probes: E[distinct^8] / 512^8, dominated by 8/512.
  EXPECT_NEAR(bloom::block_curve(Layout::kWords, 8)[1], std::pow(1.0 / 64, 8), 1e-18);
  EXPECT_NEAR(bloom::block_curve(Layout::kAnyBit, 8)[1] / std::pow(8.0 / 512, 8), 0.95, 0.06);
  EXPECT_EQ(bloom::block_curve(Layout::kAnyBit, 8)[0], 0);
}

class BloomRate : public ::testing::TestWithParam<double> {};

// Design: measured within 0.9 to 1.1 of predicted at load 1, where chance allows to tell.
TEST_P(BloomRate, MeasuredIsWithinATenthOfPredicted) {
  const double fpr = GetParam();
  const std::uint64_t capacity = fpr < 1e-5 ? 400'000 : 1'000'000;
  const std::uint64_t strangers = fpr < 1e-5 ? 64'000'000 : 16'000'000;
  const auto plan = bloom::plan(capacity, fpr);
  ASSERT_TRUE(plan);
  const auto set = make(*plan);
  for (const double load : {0.5, 1.0}) {
    fill(*set, static_cast<std::uint64_t>(load * static_cast<double>(capacity)), 1);
    const double expected = set->stats().expected_fpr;
    const std::uint64_t seen = strangers_seen(*set, strangers, 1);
    const Interval interval = wilson_interval(seen, strangers, 3.3);
    const double measured = static_cast<double>(seen) / static_cast<double>(strangers);
    std::cout << "fpr " << fpr << " load " << load << ": measured " << measured << ", from the bits "
              << expected << "\n";
    EXPECT_LE(interval.low, expected * 1.1);
    EXPECT_GE(interval.high, expected * 0.9);
    if (load == 1.0) {
      EXPECT_LE(interval.low, fpr * 1.1);
      EXPECT_GE(interval.high, fpr * 0.9);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rates, BloomRate, ::testing::Values(1e-2, 1e-3, 1e-4, 1e-5, 1e-6),
                         [](const auto& rate) {
                           return "OneIn1e" +
                                  std::to_string(static_cast<int>(std::lround(-std::log10(rate.param))));
                         });

TEST(BloomKernels, ScalarAndAvx2SetTheSameBitsAndGiveTheSameVerdicts) {
  if (bloom::best_instructions() != Instructions::kAvx2) GTEST_SKIP() << "no AVX2 here";
  for (const double fpr : {1e-2, 3e-4, 1e-4, 3e-5, 1e-6}) {
    const auto plan = bloom::plan(50'000, fpr);
    const auto scalar = make(*plan, Instructions::kScalar);
    const auto vector = make(*plan, Instructions::kAvx2);
    for (std::uint64_t round = 0; round < 200; ++round) {
      // Sizes around the prefetch group; half of the keys were offered before.
      const auto batch = keys(round * 300, round * 37 % 700, 5);
      std::vector<Verdict> by_scalar(batch.size());
      std::vector<Verdict> by_vector(batch.size());
      ASSERT_TRUE(scalar->test_and_set(batch, by_scalar));
      ASSERT_TRUE(vector->test_and_set(batch, by_vector));
      ASSERT_EQ(by_scalar, by_vector) << "fpr " << fpr << ", round " << round;
    }
    const std::size_t bytes = scalar->blocks().size_bytes();
    ASSERT_EQ(std::memcmp(scalar->blocks().data(), vector->blocks().data(), bytes), 0) << "fpr " << fpr;
    EXPECT_EQ(scalar->stats().keys, vector->stats().keys);
    const auto others = keys(1'000'000, 50'000, 6);
    std::vector<Verdict> by_scalar(others.size());
    std::vector<Verdict> by_vector(others.size());
    ASSERT_TRUE(scalar->test(others, by_scalar));
    ASSERT_TRUE(vector->test(others, by_vector));
    ASSERT_EQ(by_scalar, by_vector);
  }
}

TEST(BloomOccupancy, KeysAreEstimatedFromTheBits) {
  for (const double fpr : {1e-2, 1e-4, 1e-6}) {
    const auto plan = bloom::plan(1'000'000, fpr);
    const auto set = make(*plan);
    for (const double load : {0.5, 1.0, 1.5}) {
      const double keys_wanted = load * 1e6;
      fill(*set, static_cast<std::uint64_t>(keys_wanted), 3);
      EXPECT_NEAR(set->occupancy().keys / keys_wanted, 1, 0.002) << "fpr " << fpr << ", load " << load;
    }
  }
}

TEST(BloomSet, FullFilterSaysSoAndGoesOn) {
  const auto set = make(*bloom::plan(10'000, 1e-3));
  fill(*set, 10'000, 1);
  EXPECT_NEAR(set->stats().load, 1, 0.01);
  ASSERT_TRUE(set->insert(keys(0, 100'000, 2)));
  EXPECT_GT(set->stats().load, 2);
  EXPECT_GT(set->stats().expected_fpr, 0.1);
}

}  // namespace
}  // namespace weir::dedup
