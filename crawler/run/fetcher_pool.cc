// Placing leases and ending threads.
#include "crawler/run/fetcher_pool.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/limits.h"

namespace weir::crawler {
namespace {

// A fetcher this much busier than the idlest one (times two, plus this) lets others help with its hosts.
constexpr std::size_t kHelpThreshold = 8;

}  // namespace

Result<std::unique_ptr<FetcherPool>> FetcherPool::start(std::uint32_t count, std::uint32_t transfers_max,
                                                        const Factory& factory) {
  std::unique_ptr<FetcherPool> pool(new FetcherPool(transfers_max));
  for (std::uint32_t index = 0; index < count; ++index) {
    Worker worker;
    worker.leases = std::make_unique<LeaseQueue>(transfers_max);
    auto fetcher = factory(index, *worker.leases);
    if (!fetcher) return std::unexpected(fetcher.error());
    worker.fetcher = *std::move(fetcher);
    auto thread = WorkerThread::start("fetcher-" + std::to_string(index), limits::kParserStackBytes,
                                      [raw = worker.fetcher.get()] { raw->run(); });
    if (!thread) return std::unexpected(thread.error());
    worker.thread = *std::move(thread);
    pool->workers_.push_back(std::move(worker));
  }
  return pool;
}

FetcherPool::~FetcherPool() {
  abort();
  close_and_join();
}

std::size_t FetcherPool::room() const { return workers_.size() * transfers_max_ - in_flight_total_; }

FetcherPool::Worker& FetcherPool::choose(frontier::HostId host) {
  Worker& home = workers_[host % workers_.size()];
  Worker& idlest = *std::ranges::min_element(workers_, {}, &Worker::in_flight);
  const bool help = home.in_flight >= transfers_max_ || home.in_flight > 2 * idlest.in_flight + kHelpThreshold;
  return help ? idlest : home;
}

void FetcherPool::assign(frontier::Lease lease) {
  Worker& worker = choose(lease.host);
  WEIR_CHECK(worker.in_flight < transfers_max_);
  const bool pushed = worker.leases->try_push(std::move(lease));
  WEIR_CHECK(pushed);
  ++worker.in_flight;
  ++in_flight_total_;
  worker.woken = false;
}

void FetcherPool::settled(std::uint32_t fetcher) {
  Worker& worker = workers_[fetcher];
  WEIR_CHECK(worker.in_flight > 0);
  --worker.in_flight;
  --in_flight_total_;
}

void FetcherPool::wake() {
  for (Worker& worker : workers_) {
    if (!worker.woken) worker.fetcher->wake();
    worker.woken = true;
  }
}

void FetcherPool::drain() {
  for (Worker& worker : workers_) worker.fetcher->drain();
}

void FetcherPool::abort() {
  for (Worker& worker : workers_) worker.fetcher->abort();
}

void FetcherPool::close_and_join() {
  for (Worker& worker : workers_) {
    worker.leases->close();
    worker.fetcher->wake();
  }
  for (Worker& worker : workers_) worker.thread->join();
}

}  // namespace weir::crawler
