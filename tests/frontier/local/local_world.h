// What the local engine's own tests share: opening a folder with the test's exact set, killing (dropping the
// object: nothing is flushed or closed in order), and checking the folder from outside.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "frontier/local/state_reader.h"
#include "tests/support/exact_url_set.h"
#include "tests/support/frontier_world.h"

namespace weir::test {

class LocalTest : public ::testing::Test {
 protected:
  LocalTest() {
    options.path = folder.path() + "/state";
    options.politeness.obey_robots = false;
    options.politeness.per_ip_delay = Duration(0);
  }

  Result<std::unique_ptr<frontier::local::LocalFrontier>> try_open(Now now = FrontierWorld::start()) {
    return frontier::local::LocalFrontier::open(options, std::make_unique<ExactUrlSet>(), *log, now);
  }

  FrontierWorld open() {
    auto opened = try_open();
    EXPECT_TRUE(opened) << opened.error().message();
    return FrontierWorld(std::move(*opened));
  }

  // As kill -9 and a new start at the same moment.
  void kill_and_reopen(FrontierWorld& world) {
    world.subject().reset();
    auto opened = try_open(world.now());
    ASSERT_TRUE(opened) << opened.error().message();
    world.subject() = std::move(*opened);
  }

  // The state of a folder that is not open, by the test's fingerprints.
  frontier::local::CheckReport check() {
    auto reader = frontier::local::StateReader::open(options.path, *log);
    EXPECT_TRUE(reader) << reader.error().message();
    const auto loaded = (*reader)->load_filter(std::make_unique<ExactUrlSet>());
    EXPECT_TRUE(loaded) << loaded.error().message();
    const auto report = (*reader)->check(fingerprint_of);
    EXPECT_TRUE(report) << report.error().message();
    return *report;
  }

  ScratchFolder folder;
  std::unique_ptr<Log> log = Log::discard();
  frontier::local::LocalOptions options;
};

inline std::string describe(const frontier::local::CheckReport& report) {
  return "queued " + std::to_string(report.queued) + " done " + std::to_string(report.done) + " keys " +
         std::to_string(report.keys) + " lost " + std::to_string(report.lost) + " unmarked " +
         std::to_string(report.unmarked) + " twice " + std::to_string(report.queued_twice) + " hosts wrong " +
         std::to_string(report.hosts_wrong) + " below cursor " + std::to_string(report.below_cursor);
}

}  // namespace weir::test
