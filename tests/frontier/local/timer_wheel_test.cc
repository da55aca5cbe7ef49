// TimerWheel against a sorted list, and its edges: ticks, turns of the near wheel, far waits, clock jumps.
#include "frontier/local/timer_wheel.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace weir::test {
namespace {

using frontier::local::TimerWheel;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

const MonoTime kStart(hours(1000));

std::vector<std::uint32_t> ready(TimerWheel& wheel) {
  std::vector<std::uint32_t> items;
  while (const auto item = wheel.pop_ready()) items.push_back(*item);
  return items;
}

TEST(TimerWheel, NothingIsReadyBeforeItsTime) {
  TimerWheel wheel(kStart);
  wheel.schedule(1, kStart + milliseconds(100));
  wheel.advance(kStart + milliseconds(99));
  EXPECT_FALSE(wheel.has_ready());
  wheel.advance(kStart + milliseconds(100) + TimerWheel::kTick);
  EXPECT_EQ(ready(wheel), std::vector<std::uint32_t>{1});
}

TEST(TimerWheel, ReadyItemsKeepTheirOrderOfArrival) {
  TimerWheel wheel(kStart);
  for (const std::uint32_t item : {3U, 1U, 2U}) wheel.make_ready(item);
  EXPECT_EQ(ready(wheel), (std::vector<std::uint32_t>{3, 1, 2}));
}

TEST(TimerWheel, SchedulingAgainMovesTheItem) {
  TimerWheel wheel(kStart);
  wheel.schedule(1, kStart + hours(1));
  wheel.schedule(1, kStart + seconds(1));
  wheel.advance(kStart + seconds(2));
  EXPECT_EQ(ready(wheel), std::vector<std::uint32_t>{1});
  wheel.advance(kStart + hours(2));
  EXPECT_FALSE(wheel.has_ready());
}

TEST(TimerWheel, RemovedItemNeverComes) {
  TimerWheel wheel(kStart);
  wheel.schedule(1, kStart + seconds(1));
  wheel.remove(1);
  wheel.remove(1);
  EXPECT_FALSE(wheel.contains(1));
  wheel.advance(kStart + hours(1));
  EXPECT_FALSE(wheel.has_ready());
  EXPECT_EQ(wheel.next(), std::nullopt);
}

TEST(TimerWheel, PastTimesAreReadyAtOnce) {
  TimerWheel wheel(kStart);
  wheel.schedule(1, kStart - hours(1));
  EXPECT_TRUE(wheel.has_ready());
}

TEST(TimerWheel, ClockThatStandsOrGoesBackDoesNoHarm) {
  TimerWheel wheel(kStart);
  wheel.schedule(1, kStart + seconds(1));
  wheel.advance(kStart - hours(1));
  wheel.advance(kStart);
  EXPECT_FALSE(wheel.has_ready());
  wheel.advance(kStart + seconds(2));
  EXPECT_TRUE(wheel.has_ready());
}

TEST(TimerWheel, NextIsExactInsideATurnAndNeverLate) {
  TimerWheel wheel(kStart);
  wheel.schedule(1, kStart + seconds(100));
  ASSERT_TRUE(wheel.next());
  EXPECT_GE(*wheel.next(), kStart + seconds(100));
  EXPECT_LE(*wheel.next(), kStart + seconds(100) + TimerWheel::kTick);
  wheel.remove(1);
  wheel.schedule(2, kStart + hours(20));
  ASSERT_TRUE(wheel.next());
  EXPECT_LE(*wheel.next(), kStart + hours(20) + TimerWheel::kTick);
  EXPECT_GT(*wheel.next(), kStart);
}

// Near, far and beyond: random waits up to four days, random steps, now and then a leap.
TEST(TimerWheel, AgreesWithASortedList) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    TimerWheel wheel(kStart);
    std::map<std::uint32_t, MonoTime> list;
    MonoTime now = kStart;
    const Duration spans[] = {seconds(1), seconds(200), hours(10), hours(96)};
    for (int step = 0; step < 3000; ++step) {
      const auto item = static_cast<std::uint32_t>(random() % 300);
      const Duration span = spans[random() % 4];
      if (random() % 5 == 0) {
        wheel.remove(item);
        list.erase(item);
      } else {
        list[item] =
            now + Duration(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(span.count())));
        wheel.schedule(item, list[item]);
      }
      const Duration stride = spans[random() % 100 == 0 ? 2 : random() % 2] / 10;
      now += Duration(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(stride.count())));
      wheel.advance(now);

      for (const auto popped : ready(wheel)) {
        ASSERT_TRUE(list.contains(popped));
        ASSERT_LE(list[popped], now) << "too early";
        list.erase(popped);
      }
      for (const auto& [left, due] : list) ASSERT_GT(due + TimerWheel::kTick, now) << left << " is late";
      if (!list.empty()) {
        ASSERT_TRUE(wheel.next());
        MonoTime first = list.begin()->second;
        for (const auto& [left, due] : list) first = std::min(first, due);
        ASSERT_LE(*wheel.next(), first + TimerWheel::kTick);
      }
    }
  }
}

}  // namespace
}  // namespace weir::test
