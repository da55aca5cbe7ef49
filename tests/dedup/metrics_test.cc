// The shadow sample tells the truth about a filter, and Wilson's interval the truth about the shadow.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>
#include <unordered_set>

#include "dedup/metrics/shadow_sample.h"
#include "dedup/metrics/wilson.h"
#include "dedup/registry.h"
#include "dedup/snapshot.h"
#include "tests/dedup/keys.h"

namespace weir::dedup {
namespace {

using testing::keys;

std::unique_ptr<ShadowSample> shadow(const ShadowOptions& options) {
  auto made = ShadowSample::create(options);
  EXPECT_TRUE(made) << made.error().message();
  return std::move(*made);
}

TEST(Wilson, KnownIntervals) {
  struct Row {
    std::uint64_t events;
    std::uint64_t trials;
    double low;
    double high;
  };
  const Row rows[] = {
      {0, 0, 0, 1},               // nothing known
      {0, 100, 0, 0.0370},        // close to the rule of three
      {100, 100, 0.9630, 1},      //
      {1, 10, 0.0179, 0.4042},    // Wilson's own range for one in ten
      {50, 100, 0.4038, 0.5962},  //
      {81, 263, 0.2553, 0.3662},  // Newcombe 1998, table I, method 3
      {15, 148, 0.0624, 0.1605},  // the same
      {1, 29, 0.0061, 0.1718},    // the same
  };
  for (const Row& row : rows) {
    const Interval interval = wilson_interval(row.events, row.trials);
    EXPECT_NEAR(interval.low, row.low, 6e-5) << row.events << "/" << row.trials;
    EXPECT_NEAR(interval.high, row.high, 6e-5) << row.events << "/" << row.trials;
  }
}

struct Truth {
  std::uint64_t strangers = 0;
  std::uint64_t swallowed = 0;
  double rate() const { return static_cast<double>(swallowed) / static_cast<double>(strangers); }
};

// Offers keys, a fifth of them new, to the set and the shadow; the truth is counted from all of them.
Truth crawl(UrlSet& set, ShadowSample& sample, std::uint64_t from, std::uint64_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Truth truth;
  std::vector<Verdict> verdicts;
  for (std::uint64_t done = 0; done < count;) {
    std::vector<Fingerprint> batch;
    const std::uint64_t fresh = std::min<std::uint64_t>(100, count - done);
    for (std::uint64_t i = 0; i < fresh; ++i) batch.push_back(testing::key(from + done + i, seed));
    const std::uint64_t known = from + done;
    for (std::uint64_t i = 0; i < 4 * fresh && known > 0; ++i) {
      batch.push_back(testing::key(random() % known, seed));
    }
    verdicts.resize(batch.size());
    EXPECT_TRUE(set.test_and_set(batch, verdicts));
    EXPECT_TRUE(sample.observe(batch, verdicts));
    truth.strangers += fresh;
    truth.swallowed += static_cast<std::uint64_t>(
        std::count(verdicts.begin(), verdicts.begin() + static_cast<long>(fresh), Verdict::kSeen));
    done += fresh;
  }
  return truth;
}

TEST(Shadow, TruthLiesInsideTheIntervalAtLoadOne) {
  constexpr std::uint64_t kCapacity = 50'000;
  int inside = 0;
  constexpr int kRuns = 20;
  for (int run = 0; run < kRuns; ++run) {
    const auto seed = static_cast<std::uint64_t>(run) + 100;
    auto set = make_set({"bloom", kCapacity, 1e-2});
    const auto sample = shadow({8});
    const Truth filling = crawl(**set, *sample, 0, kCapacity, seed);
    EXPECT_NEAR((*set)->stats().load, 1, 0.02);
    sample->start_window();
    const Truth full = crawl(**set, *sample, kCapacity, kCapacity / 5, seed);
    const auto report = sample->report();
    inside += report.window.interval.contains(full.rate()) ? 1 : 0;
    EXPECT_EQ(report.false_negatives_observed, 0U) << "seed " << seed;
    const auto lost = static_cast<double>(filling.swallowed + full.swallowed);
    EXPECT_NEAR(report.lost_urls, lost, 5 * std::sqrt(8 * lost) + 8) << "seed " << seed;
    EXPECT_FALSE(lies_too_often(report.total, (*set)->stats().expected_fpr)) << "seed " << seed;
  }
  EXPECT_GE(inside, 17) << "of " << kRuns << " 95 % intervals";
}

TEST(Shadow, AtRateOneItCountsEverything) {
  auto set = make_set({"bloom", 2'000, 5e-2});
  const auto sample = shadow({1});
  const Truth truth = crawl(**set, *sample, 0, 4'000, 7);
  const auto report = sample->report();
  EXPECT_EQ(report.total.first_sightings, truth.strangers);
  EXPECT_EQ(report.total.false_positives, truth.swallowed);
  EXPECT_EQ(report.lost_urls, static_cast<double>(truth.swallowed));
  EXPECT_GT(truth.swallowed, 0U);
}

// A filter whose hash is broken: every third stranger reads as seen, and no bit of it shows.
TEST(Shadow, ABrokenHashIsAlarmedThoughTheFilterLooksEmpty) {
  const auto sample = shadow({4});
  const auto batch = keys(0, 10'000);
  std::vector<Verdict> verdicts(batch.size(), Verdict::kNew);
  for (std::size_t i = 0; i < verdicts.size(); i += 3) verdicts[i] = Verdict::kSeen;
  ASSERT_TRUE(sample->observe(batch, verdicts));
  EXPECT_TRUE(lies_too_often(sample->report().total, 4e-24));
  EXPECT_NEAR(sample->report().total.rate, 1.0 / 3, 0.04);
}

TEST(Shadow, AMemberCalledNewAgainIsAFalseNegative) {
  const auto sample = shadow({1});
  const auto batch = keys(0, 1000);
  const std::vector<Verdict> verdicts(batch.size(), Verdict::kNew);
  ASSERT_TRUE(sample->observe(batch, verdicts));
  EXPECT_EQ(sample->report().false_negatives_observed, 0U);
  ASSERT_TRUE(sample->observe(std::span(batch).first(3), std::span(verdicts).first(3)));
  EXPECT_EQ(sample->report().false_negatives_observed, 3U);
}

TEST(Shadow, AKeySwallowedOnceMayBeAdmittedAfterARebuild) {
  const auto sample = shadow({1});
  const auto batch = keys(0, 1);
  const std::vector<Verdict> seen(1, Verdict::kSeen);
  const std::vector<Verdict> fresh(1, Verdict::kNew);
  ASSERT_TRUE(sample->observe(batch, seen));
  EXPECT_EQ(sample->report().total.false_positives, 1U);
  ASSERT_TRUE(sample->observe(batch, fresh));
  EXPECT_EQ(sample->report().total.false_positives, 0U);
  EXPECT_EQ(sample->report().false_negatives_observed, 0U);
}

TEST(Shadow, MemoryIsBoundedAndTheRateStaysRight) {
  auto set = make_set({"bloom", 20'000, 5e-2});
  const auto sample = shadow({1, 5'000});
  const Truth truth = crawl(**set, *sample, 0, 100'000, 11);
  const auto report = sample->report();
  EXPECT_LE(report.total.first_sightings, 5'000U);
  EXPECT_EQ(report.one_in, 32U);
  EXPECT_NEAR(static_cast<double>(report.one_in * report.total.first_sightings), 1e5, 1e4);
  EXPECT_NEAR(report.total.rate, truth.rate(), 0.05);
}

TEST(Shadow, SavedReloadedAndReplayedItGoesOnCounting) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("weir_shadow_" + std::to_string(::getpid()))).string();
  auto set = make_set({"bloom", 2'000, 5e-2});
  const auto sample = shadow({2});
  crawl(**set, *sample, 0, 4'000, 7);
  const auto before = sample->report();
  ASSERT_TRUE(save_snapshot(*sample, ShadowSample::kName, 5, {path, testing::secret(1), "", {}}));

  const auto loaded = shadow({2});
  EXPECT_EQ(load_snapshot(*loaded, ShadowSample::kName, path, testing::secret(1)).value_or(0), 5U);
  std::filesystem::remove(path);
  const auto after = loaded->report();
  EXPECT_EQ(after.total.first_sightings, before.total.first_sightings);
  EXPECT_EQ(after.total.false_positives, before.total.false_positives);

  // The log after the snapshot: its keys are not taken for false positives when they come again.
  const auto later = keys(1'000'000, 1000, 7);
  ASSERT_TRUE(loaded->replay(later));
  ASSERT_TRUE(loaded->replay(later));
  ASSERT_TRUE(loaded->observe(later, std::vector<Verdict>(later.size(), Verdict::kSeen)));
  EXPECT_EQ(loaded->report().total.false_positives, before.total.false_positives);
  EXPECT_GT(loaded->report().total.first_sightings, before.total.first_sightings);
}

TEST(Shadow, SliceIsIndependentOfTheBlockOfAFilter) {
  // Among watched keys the top bits of both words are as even as among all.
  const auto all = keys(0, 200'000);
  const auto sample = shadow({16});
  std::vector<Verdict> verdicts(all.size(), Verdict::kSeen);
  ASSERT_TRUE(sample->observe(all, verdicts));
  EXPECT_NEAR(static_cast<double>(sample->report().total.first_sightings), 12'500, 500);
  // Keys that share their high word, and keys that share their low word, are still watched one in 16.
  for (const bool share_high : {true, false}) {
    const auto other = shadow({16});
    std::vector<Fingerprint> alike;
    for (std::uint64_t i = 0; i < 200'000; ++i) {
      alike.push_back(share_high ? Fingerprint{42, testing::mix(i)} : Fingerprint{testing::mix(i), 42});
    }
    ASSERT_TRUE(other->observe(alike, verdicts));
    EXPECT_NEAR(static_cast<double>(other->report().total.first_sightings), 12'500, 500) << share_high;
  }
}

TEST(Shadow, PlanSeesAboutFortyFalsePositives) {
  EXPECT_EQ(plan_shadow(1'000'000'000, 1e-4).one_in, 2048U);
  EXPECT_EQ(plan_shadow(1'000'000, 1e-6).one_in, 1U);
  EXPECT_EQ(plan_shadow(1'000'000'000, 1e-6).one_in, 16U);
  EXPECT_FALSE(ShadowSample::create({3}));
  EXPECT_FALSE(ShadowSample::create({0}));
}

}  // namespace
}  // namespace weir::dedup
