// The fixture of the conformance suite: a frontier of each kind, robots and the address gate off unless a test
// switches them on. The rules are in conformance_*_test.cc; a new engine adds one line to Engine and make().
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/frontier_world.h"
#include "tests/support/memory_frontier.h"

namespace weir::test {

enum class Engine { kMemory, kLocal };

// Engines round due times up to a tick of this.
inline constexpr Duration kTick = std::chrono::milliseconds(16);

class Conformance : public ::testing::TestWithParam<Engine> {
 protected:
  Conformance() {
    options.politeness.obey_robots = false;
    options.politeness.per_ip_delay = Duration(0);
  }

  FrontierWorld make() {
    if (GetParam() == Engine::kMemory) {
      return FrontierWorld(std::make_unique<MemoryFrontier>(
          MemoryOptions{options.politeness, options.retry, options.lease_duration}));
    }
    options.path = folder.path();
    auto opened = frontier::local::LocalFrontier::open(options, std::make_unique<ExactUrlSet>(), *log,
                                                       FrontierWorld::start());
    EXPECT_TRUE(opened) << opened.error().message();
    return FrontierWorld(std::move(*opened));
  }

  ScratchFolder folder;
  std::unique_ptr<Log> log = Log::discard();
  frontier::local::LocalOptions options;
};

inline std::string engine_name(const ::testing::TestParamInfo<Engine>& engine) {
  return engine.param == Engine::kMemory ? "Memory" : "Local";
}

using Urls = std::vector<std::string>;

inline Urls urls_of(const std::vector<frontier::Lease>& leases) {
  Urls urls;
  for (const auto& lease : leases) urls.push_back(lease.url);
  std::ranges::sort(urls);
  return urls;
}

}  // namespace weir::test
