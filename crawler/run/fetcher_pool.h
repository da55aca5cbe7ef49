// FetcherPool: the fetcher threads with their lease queues, and the choice of who gets a lease. Used by the
// owner thread alone. A host goes to the same fetcher each time, because that one holds its connections and
// robots rules; only when that fetcher is far busier than another does the other help out.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/error.h"
#include "crawler/run/worker_thread.h"
#include "crawler/visit/fetcher.h"

namespace weir::crawler {

class FetcherPool {
 public:
  // Makes fetcher `index` on its lease queue; the queue outlives it.
  using Factory = std::function<Result<std::unique_ptr<Fetcher>>(std::uint32_t index, LeaseQueue& leases)>;

  static Result<std::unique_ptr<FetcherPool>> start(std::uint32_t count, std::uint32_t transfers_max,
                                                    const Factory& factory);
  ~FetcherPool();  // closes and joins

  // How many leases the pool has room for now.
  std::size_t room() const;
  std::size_t in_flight() const { return in_flight_total_; }

  void assign(frontier::Lease lease);   // room() must be positive
  void settled(std::uint32_t fetcher);  // one of its leases came back
  void wake();                          // after a round of assign()

  void drain();           // release what has not begun
  void abort();           // end transfers too
  void close_and_join();  // no more leases; waits until all are settled

 private:
  struct Worker {
    std::unique_ptr<LeaseQueue> leases;
    std::unique_ptr<Fetcher> fetcher;
    std::unique_ptr<WorkerThread> thread;
    std::size_t in_flight = 0;
    bool woken = true;  // no assign() since the last wake()
  };

  explicit FetcherPool(std::uint32_t transfers_max) : transfers_max_(transfers_max) {}
  Worker& choose(frontier::HostId host);

  const std::uint32_t transfers_max_;
  std::vector<Worker> workers_;
  std::size_t in_flight_total_ = 0;
};

}  // namespace weir::crawler
