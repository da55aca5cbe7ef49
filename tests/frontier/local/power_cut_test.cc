// Power loss, played by cutting every file back to what was synced of it: what was seen must not be nowhere.
// The mutant that publishes the filter without syncing the log first has to be caught by the same check.
#include <random>

#include "tests/frontier/local/local_world.h"
#include "tests/support/faulty_file_system.h"

namespace weir::test {
namespace {

using frontier::CandidateBatch;
using frontier::Durability;
using frontier::Settlement;
using frontier::local::CheckpointOrder;
using std::chrono::milliseconds;

constexpr int kRuns = 30;
constexpr int kTurnsMax = 120;
constexpr int kUrlsPerTurn = 40;

class PowerCut : public LocalTest {
 protected:
  PowerCut() {
    options.politeness.delay = Duration(0);
    options.checkpoint.fingerprints_min = 500;
    options.checkpoint.growth = 0;
  }

  CandidateBatch random_links(std::mt19937_64& random) {
    CandidateBatch batch;
    for (int i = 0; i < kUrlsPerTurn; ++i) {
      add_link(batch,
               "http://h" + std::to_string(random() % 50) + ".test/" + std::to_string(random() % 100'000));
    }
    return batch;
  }

  // Crawls for a random number of turns, then the power fails; returns what the folder looks like.
  frontier::local::CheckReport run(std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    ScratchFolder place;
    options.path = place.path() + "/state";
    const auto disk = std::make_shared<FaultyFileSystem>();
    options.file_system = disk;
    auto world = open();
    const auto turns = 5 + random() % kTurnsMax;
    for (std::uint64_t turn = 0; turn < turns; ++turn) {
      world.add(random_links(random));
      std::vector<Settlement> settlements;
      for (const auto& lease : world.lease(random() % 10)) {
        settlements.push_back(answered(lease));
        settlements.back().links = random_links(random);
      }
      if (!settlements.empty()) world.settle(settlements);
      world.advance(milliseconds(random() % 50));
    }
    admitted = world->stats().admitted;
    world.subject().reset();
    disk->cut_power();
    // A start after the cut must succeed, and what it makes must be sound.
    world.subject() = std::move(*try_open(world.now()));
    kept = world->stats().admitted;
    world.subject().reset();
    return check();
  }

  std::uint64_t admitted = 0;
  std::uint64_t kept = 0;
};

TEST_F(PowerCut, NothingThatReadsSeenIsLost) {
  std::uint64_t forgotten = 0;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    const auto report = run(seed);
    EXPECT_TRUE(report.sound()) << "seed " << seed << ": " << describe(report);
    EXPECT_EQ(report.keys, kept);
    forgotten += admitted - kept;
  }
  // Else the cut did not cut, and the test proves nothing.
  EXPECT_GT(forgotten, 0U);
}

TEST_F(PowerCut, CommitDurabilityLosesNothing) {
  options.durability = Durability::kCommit;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto report = run(seed);
    EXPECT_TRUE(report.sound()) << "seed " << seed << ": " << describe(report);
    EXPECT_EQ(kept, admitted);
  }
}

TEST_F(PowerCut, MutantThatPublishesWithoutSyncIsCaught) {
  options.durability = Durability::kOs;
  options.checkpoint_order = CheckpointOrder::kPublishWithoutSync;
  int caught = 0;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) caught += run(seed).lost > 0 ? 1 : 0;
  EXPECT_GT(caught, kRuns / 2) << "of " << kRuns;
}

// The second line of defence: whatever the order was, a filter that is ahead of the store is not believed.
TEST_F(PowerCut, FilterAheadOfTheStoreIsNotBelieved) {
  options.durability = Durability::kOs;
  const auto disk = std::make_shared<FaultyFileSystem>();
  options.file_system = disk;
  options.checkpoint_order = CheckpointOrder::kPublishWithoutSync;
  {
    auto world = open();
    world.add({"http://a.test/1"});
    ASSERT_TRUE(world->checkpoint(world.now()));
  }
  disk->cut_power();
  options.checkpoint_order = CheckpointOrder::kSyncThenPublish;
  auto world = open();
  EXPECT_EQ(world.add({"http://a.test/1"}).admitted, 1U);
}

}  // namespace
}  // namespace weir::test
