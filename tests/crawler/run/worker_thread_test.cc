// Threads of weir: they run, they are joined, they have the stack that parsers need, and signals reach the
// one thread that reads them.
#include "crawler/run/worker_thread.h"

#include <gtest/gtest.h>

#include <unistd.h>
#include <atomic>
#include <csignal>
#include <future>

#include "base/limits.h"
#include "crawler/run/signals.h"
#include "crawler/run/stop_flag.h"

namespace weir::crawler {
namespace {

TEST(WorkerThread, RunsItsBodyOnTheStackThatWasAskedFor) {
  std::atomic<std::size_t> stack_bytes{0};
  auto worker = WorkerThread::start("test", limits::kParserStackBytes, [&] {
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    std::size_t size = 0;
    pthread_attr_getstacksize(&attributes, &size);
    pthread_attr_destroy(&attributes);
    stack_bytes = size;
  });
  ASSERT_TRUE(worker.has_value());
  (*worker)->join();
  EXPECT_GE(stack_bytes.load(), limits::kParserStackBytes);
}

TEST(StopFlag, WaitingEndsWhenItIsRaised) {
  StopFlag flag;
  EXPECT_FALSE(flag.wait_for(Duration(0)));
  auto worker = WorkerThread::start("raiser", 256 << 10, [&] { flag.raise(); });
  ASSERT_TRUE(worker.has_value());
  EXPECT_TRUE(flag.wait_for(std::chrono::seconds(30)));
  EXPECT_EQ(flag.count(), 1);
}

TEST(StopSignals, EverySigtermIsCounted) {
  std::promise<void> first;
  std::promise<void> second;
  auto signals = StopSignals::listen([&](int count) { (count == 1 ? first : second).set_value(); });
  ASSERT_TRUE(signals.has_value());
  ASSERT_EQ(::kill(::getpid(), SIGTERM), 0);
  ASSERT_EQ(first.get_future().wait_for(std::chrono::seconds(30)), std::future_status::ready);
  ASSERT_EQ(::kill(::getpid(), SIGINT), 0);
  ASSERT_EQ(second.get_future().wait_for(std::chrono::seconds(30)), std::future_status::ready);
}

}  // namespace
}  // namespace weir::crawler
