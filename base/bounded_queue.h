// A bounded queue between two threads: many producers, one consumer, one mutex. Producers that may not
// wait use try_push; a consumer that waits in a poll of its own sets a waker, which each push calls.
// wake() ends a wait without an item; close() ends it for good, and what is inside can still be popped.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "base/clock.h"

namespace weir {

template <typename T>
class BoundedQueue {
 public:
  // `waker` runs on the producer's thread after each push, outside the lock; empty means none.
  explicit BoundedQueue(std::size_t capacity, std::function<void()> waker = {})
      : capacity_(capacity), waker_(std::move(waker)) {}
  BoundedQueue(const BoundedQueue&) = delete;
  BoundedQueue& operator=(const BoundedQueue&) = delete;

  // False, and `item` untouched, when the queue is full or closed.
  [[nodiscard]] bool try_push(T&& item) {
    {
      const std::scoped_lock lock(mutex_);
      if (closed_ || items_.size() >= capacity_) return false;
      items_.push_back(std::move(item));
    }
    not_empty_.notify_one();
    if (waker_) waker_();
    return true;
  }

  // Moves everything inside to the end of `out`, at most `limit`; waits up to `timeout` for the first, or
  // until wake() or close(). Returns how many were moved.
  std::size_t pop_into(std::vector<T>& out, std::size_t limit, Duration timeout) {
    std::unique_lock lock(mutex_);
    not_empty_.wait_for(lock, timeout, [this] { return closed_ || woken_ || !items_.empty(); });
    woken_ = false;
    std::size_t count = 0;
    for (; count < limit && !items_.empty(); ++count) {
      out.push_back(std::move(items_.front()));
      items_.pop_front();
    }
    return count;
  }

  // Ends a running pop_into, or the next one, early.
  void wake() {
    {
      const std::scoped_lock lock(mutex_);
      woken_ = true;
    }
    not_empty_.notify_all();
  }

  void close() {
    {
      const std::scoped_lock lock(mutex_);
      closed_ = true;
    }
    not_empty_.notify_all();
    if (waker_) waker_();
  }

  // Nothing inside and nothing will come.
  bool closed_and_empty() const {
    const std::scoped_lock lock(mutex_);
    return closed_ && items_.empty();
  }

  std::size_t size() const {
    const std::scoped_lock lock(mutex_);
    return items_.size();
  }
  std::size_t capacity() const { return capacity_; }

 private:
  const std::size_t capacity_;
  const std::function<void()> waker_;
  mutable std::mutex mutex_;
  std::condition_variable not_empty_;
  std::deque<T> items_;
  bool closed_ = false;
  bool woken_ = false;
};

}  // namespace weir
