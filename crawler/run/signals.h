// Signals as calls: SIGTERM and SIGINT are blocked in the whole process and read by one thread, which hands
// each to a callback. SIGPIPE is ignored. Make it before any other thread starts, so that all inherit the mask.
#pragma once

#include <functional>
#include <memory>

#include "base/error.h"
#include "crawler/run/worker_thread.h"

namespace weir::crawler {

class StopSignals {
 public:
  // `on_stop(n)` runs on the signal thread for the n-th SIGTERM or SIGINT, n from 1.
  static Result<std::unique_ptr<StopSignals>> listen(std::function<void(int)> on_stop);
  ~StopSignals();  // ends the thread and restores the mask

 private:
  StopSignals() = default;
  void read_signals();

  std::function<void(int)> on_stop_;
  int signal_descriptor_ = -1;
  int end_descriptor_ = -1;
  std::unique_ptr<WorkerThread> thread_;
};

}  // namespace weir::crawler
