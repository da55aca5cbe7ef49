// The gauge that comes with every set that may lie: it counts lies, survives a snapshot, and does not take a
// replayed log for lies.
#include "dedup/metrics/watched_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <unistd.h>

#include "dedup/registry.h"
#include "dedup/snapshot.h"
#include "tests/dedup/keys.h"

namespace weir::dedup {
namespace {

std::vector<Fingerprint> numbered(std::uint64_t first, std::uint64_t count) {
  std::vector<Fingerprint> keys;
  for (std::uint64_t i = 0; i < count; ++i) {
    keys.push_back(fingerprint("http://a.test/" + std::to_string(first + i), testing::secret(3)));
  }
  return keys;
}

std::uint64_t seen(UrlSet& set, const std::vector<Fingerprint>& batch) {
  std::vector<Verdict> verdicts(batch.size());
  EXPECT_TRUE(set.test_and_set(batch, verdicts));
  return static_cast<std::uint64_t>(std::ranges::count(verdicts, Verdict::kSeen));
}

const SetOptions kSmall{"bloom", 10'000, 1e-2};

TEST(WatchedSet, SetsThatMayLieAreWatchedAndExactOnesAreNot) {
  EXPECT_TRUE((*make_set(kSmall))->stats().observed.has_value());
  EXPECT_FALSE((*make_set({"exact", 0, 0}))->stats().observed.has_value());
}

TEST(WatchedSet, TheObservedRateIsTheShareOfStrangersCalledSeen) {
  auto set = make_set(kSmall);
  ASSERT_TRUE(set);
  const std::uint64_t lies = seen(**set, numbered(0, 20'000));  // twice the capacity
  const auto observed = *(*set)->stats().observed;
  ASSERT_GT(lies, 20U);
  const double truth = static_cast<double>(lies) / 20'000;
  EXPECT_LE(observed.low, truth);
  EXPECT_GE(observed.high, truth);
  EXPECT_EQ(observed.false_negatives, 0U);
}

TEST(WatchedSet, SnapshotAndReplayKeepTheCountAndAddNoLies) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("weir_watched_" + std::to_string(::getpid()))).string();
  auto set = make_set(kSmall);
  seen(**set, numbered(0, 15'000));
  const auto before = *(*set)->stats().observed;
  ASSERT_TRUE(save_snapshot(**set, 9, {path, testing::secret(1), "", {}}));
  auto loaded = make_set(kSmall);
  ASSERT_EQ(load_snapshot(**loaded, path, testing::secret(1)).value_or(0), 9U);
  std::filesystem::remove(path);
  const auto log = numbered(15'000, 2'000);  // admitted after the snapshot, then lost with the process
  ASSERT_TRUE((*loaded)->insert(log));
  EXPECT_EQ(seen(**loaded, log), log.size());
  const auto after = *(*loaded)->stats().observed;
  EXPECT_GT(after.sample, before.sample);  // replayed keys were sighted
  EXPECT_NEAR(after.fpr * static_cast<double>(after.sample), before.fpr * static_cast<double>(before.sample),
              1e-6);
}

}  // namespace
}  // namespace weir::dedup
