// The queue between threads: bounded, in order, and nobody is left waiting after close().
#include "base/bounded_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace weir {
namespace {

constexpr Duration kNoWait{0};
constexpr Duration kLong = std::chrono::seconds(30);  // never reached unless the queue is broken

std::vector<int> popped(BoundedQueue<int>& queue, std::size_t limit, Duration timeout = kNoWait) {
  std::vector<int> out;
  const std::size_t count = queue.pop_into(out, limit, timeout);
  EXPECT_EQ(count, out.size());
  return out;
}

TEST(BoundedQueue, ItemsComeOutInTheOrderTheyWentIn) {
  BoundedQueue<int> queue(8);
  for (int i = 1; i <= 5; ++i) EXPECT_TRUE(queue.try_push(int{i}));
  EXPECT_EQ(popped(queue, 2), (std::vector{1, 2}));
  EXPECT_EQ(popped(queue, 100), (std::vector{3, 4, 5}));
}

TEST(BoundedQueue, AFullQueueRefusesAndLeavesTheItemUntouched) {
  BoundedQueue<std::unique_ptr<int>> queue(1);
  EXPECT_TRUE(queue.try_push(std::make_unique<int>(1)));
  auto second = std::make_unique<int>(2);
  EXPECT_FALSE(queue.try_push(std::move(second)));
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(*second, 2);
  EXPECT_EQ(queue.size(), queue.capacity());
}

TEST(BoundedQueue, AClosedQueueRefusesItemsButGivesBackWhatIsInside) {
  BoundedQueue<int> queue(4);
  EXPECT_TRUE(queue.try_push(1));
  queue.close();
  EXPECT_FALSE(queue.try_push(2));
  EXPECT_EQ(popped(queue, 10, kLong), std::vector{1});
  EXPECT_TRUE(popped(queue, 10, kLong).empty());
}

TEST(BoundedQueue, PopAppendsToWhatTheCallerHas) {
  BoundedQueue<int> queue(4);
  EXPECT_TRUE(queue.try_push(2));
  std::vector<int> out{1};
  EXPECT_EQ(queue.pop_into(out, 10, kNoWait), 1u);
  EXPECT_EQ(out, (std::vector{1, 2}));
}

TEST(BoundedQueue, PopGivesUpAfterItsTimeout) {
  BoundedQueue<int> queue(4);
  EXPECT_TRUE(popped(queue, 10, std::chrono::milliseconds(1)).empty());
}

TEST(BoundedQueue, EveryPushAndTheCloseCallTheWaker) {
  int calls = 0;
  BoundedQueue<int> queue(2, [&calls] { ++calls; });
  EXPECT_TRUE(queue.try_push(1));
  EXPECT_TRUE(queue.try_push(2));
  EXPECT_FALSE(queue.try_push(3));
  EXPECT_EQ(calls, 2) << "a refused push woke the consumer";
  queue.close();
  EXPECT_EQ(calls, 3);
}

TEST(BoundedQueue, TheWakerMayUseTheQueueItself) {
  BoundedQueue<int>* self = nullptr;
  std::size_t seen = 0;
  BoundedQueue<int> queue(2, [&] { seen = self->size(); });
  self = &queue;
  EXPECT_TRUE(queue.try_push(1));
  EXPECT_EQ(seen, 1u);
}

TEST(BoundedQueue, CloseEndsAWaitingPop) {
  BoundedQueue<int> queue(4);
  std::thread closer([&queue] { queue.close(); });
  EXPECT_TRUE(popped(queue, 10, kLong).empty());
  closer.join();
}

TEST(BoundedQueue, NothingIsLostOrReorderedBetweenManyProducersAndOneConsumer) {
  constexpr int kProducers = 4;
  constexpr int kItems = 20'000;
  BoundedQueue<std::pair<int, int>> queue(16);
  std::vector<std::thread> producers;
  for (int producer = 0; producer < kProducers; ++producer) {
    producers.emplace_back([&queue, producer] {
      for (int i = 0; i < kItems; ++i) {
        while (!queue.try_push({producer, i})) std::this_thread::yield();
      }
    });
  }
  std::vector<int> next(kProducers, 0);
  std::vector<std::pair<int, int>> batch;
  for (int received = 0; received < kProducers * kItems;) {
    batch.clear();
    ASSERT_GT(queue.pop_into(batch, 7, kLong), 0u) << "after " << received;
    for (const auto& [producer, item] : batch) {
      ASSERT_EQ(item, next[static_cast<std::size_t>(producer)]++) << "producer " << producer;
    }
    received += static_cast<int>(batch.size());
  }
  for (std::thread& producer : producers) producer.join();
  EXPECT_EQ(queue.size(), 0u);
}

}  // namespace
}  // namespace weir
