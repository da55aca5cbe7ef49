// StopFlag: how often the operator asked to stop. Raised on the signal thread, read by the owner, which can
// also wait on it with a deadline. Thread-safe.
#pragma once

#include <condition_variable>
#include <mutex>

#include "base/clock.h"

namespace weir::crawler {

class StopFlag {
 public:
  void raise() {
    {
      const std::scoped_lock lock(mutex_);
      ++count_;
    }
    raised_.notify_all();
  }

  int count() const {
    const std::scoped_lock lock(mutex_);
    return count_;
  }

  // True when the flag is raised within `timeout`.
  bool wait_for(Duration timeout) {
    std::unique_lock lock(mutex_);
    return raised_.wait_for(lock, timeout, [this] { return count_ > 0; });
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable raised_;
  int count_ = 0;
};

}  // namespace weir::crawler
