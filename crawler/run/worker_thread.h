// WorkerThread: a named thread with a stack of a chosen size, joined by its destructor. The only place where
// weir makes threads. A body that ends by an exception ends the process: no thread ends silently.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "base/error.h"

namespace weir::crawler {

class WorkerThread {
 public:
  // `name` has at most 15 characters (Linux). kRuntime when the system refuses another thread.
  static Result<std::unique_ptr<WorkerThread>> start(const std::string& name, std::size_t stack_bytes,
                                                     std::function<void()> body);
  ~WorkerThread();
  WorkerThread(const WorkerThread&) = delete;
  WorkerThread& operator=(const WorkerThread&) = delete;

  void join();

 private:
  explicit WorkerThread(std::function<void()> body) : body_(std::move(body)) {}
  static void* entry(void* self);

  std::function<void()> body_;
  pthread_t thread_{};
  bool joinable_ = false;
};

}  // namespace weir::crawler
