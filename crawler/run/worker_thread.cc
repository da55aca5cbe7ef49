// pthreads, because std::thread has no stack size. All signals are blocked in workers: the signal thread
// (signals.h) is their one receiver.
#include "crawler/run/worker_thread.h"

#include <csignal>
#include <cstring>

namespace weir::crawler {

// noexcept: an exception that reaches this frame terminates the process, loudly.
void* WorkerThread::entry(void* self) {
  [](WorkerThread* worker) noexcept { worker->body_(); }(static_cast<WorkerThread*>(self));
  return nullptr;
}

Result<std::unique_ptr<WorkerThread>> WorkerThread::start(const std::string& name, std::size_t stack_bytes,
                                                          std::function<void()> body) {
  std::unique_ptr<WorkerThread> worker(new WorkerThread(std::move(body)));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack_bytes);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int failure = pthread_create(&worker->thread_, &attributes, &WorkerThread::entry, worker.get());
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (failure != 0) {
    return fail(ErrorCode::kRuntime, "cannot start thread '" + name + "': " + std::strerror(failure));
  }
  worker->joinable_ = true;
  pthread_setname_np(worker->thread_, name.c_str());
  return worker;
}

WorkerThread::~WorkerThread() { join(); }

void WorkerThread::join() {
  if (!joinable_) return;
  pthread_join(thread_, nullptr);
  joinable_ = false;
}

}  // namespace weir::crawler
