// Faults from outside: a real kill -9 of another process, a disk that is full at any write, two processes.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/frontier/local/local_world.h"
#include "tests/support/faulty_file_system.h"

namespace weir::test {
namespace {

using frontier::CandidateBatch;
using frontier::Lease;
using frontier::Settlement;

constexpr int kPages = 300;
constexpr int kKills = 25;

// A small web: page i of host i % 7 links to 2i+1, 2i+2 and some repeats.
std::string page(int number) {
  return "http://h" + std::to_string(number % 7) + ".test/" + std::to_string(number);
}

Settlement fetched(const Lease& lease) {
  Settlement settlement = answered(lease);
  const int number = std::stoi(lease.url.substr(lease.url.rfind('/') + 1));
  for (const int link : {2 * number + 1, 2 * number + 2, number / 2, 0}) {
    if (link < kPages) add_link(settlement.links, page(link));
  }
  settlement.links.parent = lease.url;
  return settlement;
}

class Fault : public LocalTest {
 protected:
  Fault() {
    options.politeness.delay = Duration(0);
    options.checkpoint.fingerprints_min = 20;
    options.checkpoint.growth = 0;
  }

  void crawl(FrontierWorld& world, int rounds) {
    CandidateBatch seed = links({page(0)});
    world.add(seed);
    for (int i = 0; i < rounds && !world->drained(); ++i) {
      for (const auto& lease : world.lease(3)) world.settle(fetched(lease));
      world.advance(std::chrono::milliseconds(16));
    }
  }
};

TEST_F(Fault, KilledProcessesTogetherFetchEveryPage) {
  for (int round = 0; round < kKills; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      auto world = open();
      crawl(world, round % 5 + 1);
      ::kill(::getpid(), SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    const auto report = check();
    ASSERT_TRUE(report.sound()) << "round " << round << ": " << describe(report);
  }
  auto world = open();
  crawl(world, 100'000);
  EXPECT_EQ(world->stats().done, static_cast<std::uint64_t>(kPages));
  EXPECT_EQ(world->stats().admitted, static_cast<std::uint64_t>(kPages));
}

TEST_F(Fault, SecondProcessIsRefusedNamingTheFirst) {
  const auto held = try_open();
  ASSERT_TRUE(held);
  const std::string first = std::to_string(::getpid());
  const pid_t child = ::fork();
  if (child == 0) {
    const auto refused = try_open();
    const bool right = !refused && refused.error().code() == ErrorCode::kState &&
                       refused.error().message().find("process " + first) != std::string::npos;
    ::_exit(right ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(Fault, LockOfADeadProcessStandsInNobodysWay) {
  const pid_t child = ::fork();
  if (child == 0) {
    const auto held = try_open();
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(try_open());
}

// The disk fills at the n-th byte, for growing n, until a whole crawl fits: at each, the failed turn says
// kRetry, recover() works once there is space, the same turn then counts once, and nothing is lost.
TEST_F(Fault, FullDiskAtAnyByteCostsNothing) {
  int failures = 0;
  for (std::int64_t space = 0; space < 60'000; space += 1499) {
    SCOPED_TRACE("space " + std::to_string(space));
    ScratchFolder place;
    options.path = place.path() + "/state";
    const auto disk = std::make_shared<FaultyFileSystem>();
    options.file_system = disk;
    auto world = open();
    disk->set_space(space);
    const CandidateBatch seed = links({page(0)});
    auto added = world->turn({}, {&seed, 1}, world.now());
    for (int round = 0; round < 2000 && !world->drained(); ++round) {
      std::vector<Lease> out;
      std::vector<Settlement> settlements;
      if (world->lease(3, world.now(), out)) {
        for (const auto& lease : out) settlements.push_back(fetched(lease));
      }
      auto report = added ? world->turn(settlements, {}, world.now()) : added;
      while (!report) {
        ++failures;
        ASSERT_EQ(report.error().code(), ErrorCode::kRetry) << report.error().message();
        disk->set_space(FaultyFileSystem::kUnlimited);
        ASSERT_TRUE(world->recover(world.now()));
        report = added ? world->turn(settlements, {}, world.now()) : world->turn({}, {&seed, 1}, world.now());
        added = report;
      }
      world.advance(std::chrono::milliseconds(16));
    }
    EXPECT_TRUE(world->drained());
    EXPECT_EQ(world->stats().done, static_cast<std::uint64_t>(kPages));
    world.subject().reset();
    const auto report = check();
    EXPECT_TRUE(report.sound()) << describe(report);
  }
  EXPECT_GT(failures, 10);
}

TEST_F(Fault, UnwritableFolderIsRefusedWithItsName) {
  options.path = "/proc/weir-state";
  const auto refused = try_open();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kState);
  EXPECT_NE(refused.error().message().find("/proc/weir-state"), std::string::npos);
}

}  // namespace
}  // namespace weir::test
