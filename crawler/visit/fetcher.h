// Fetcher: one thread that owns its transfers from lease to settlement. It takes leases from its queue, asks
// robots rules, starts requests, reads what comes back, writes the fetch log and settles. It decides what an
// answer means (done, retry, failed); when a host may be asked again is the frontier's business.
// run() blocks until the lease queue is closed and everything taken has been settled.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/bounded_queue.h"
#include "base/clock.h"
#include "crawler/fetch/http_client.h"
#include "crawler/metrics/counters.h"
#include "crawler/output/dropped_log.h"
#include "crawler/output/fetch_log.h"
#include "crawler/page/page_reader.h"
#include "crawler/visit/robots_cache.h"
#include "frontier/messages.h"

namespace weir::crawler {

using LeaseQueue = BoundedQueue<frontier::Lease>;
using SettlementQueue = BoundedQueue<frontier::Settlement>;

struct FetcherOptions {
  std::uint32_t index = 0;
  std::uint32_t transfers_max = 256;
  std::string robots_agent;                    // product token, "weir"
  bool sitemaps = false;                       // take those that robots.txt names
  Duration hold_max = std::chrono::hours(24);  // cap of Retry-After
};

// Everything a fetcher is given. Borrowed parts outlive it; owned parts are moved in.
struct FetcherParts {
  LeaseQueue& leases;
  SettlementQueue& settlements;
  std::unique_ptr<HttpClient> client;
  std::unique_ptr<PageReader> reader;
  std::unique_ptr<FetchLog> fetch_log;  // null: no log
  const Clock& clock;
  CrawlCounters& counters;
  StageTimes& times;
  std::unique_ptr<DroppedLog> dropped_log = nullptr;  // null: no log; the reader writes to it
};

class Fetcher {
 public:
  Fetcher(const FetcherOptions& options, FetcherParts parts);

  void run();

  // From any thread: take no new work; leases that come now are released. Transfers go on.
  void drain();
  // From any thread: abort transfers too; their leases are released.
  void abort();
  // From any thread: there is something in the lease queue.
  void wake() { parts_.client->wake(); }

 private:
  struct Visit {
    frontier::Lease lease;
    std::string url;    // of the request under way (robots redirects change it)
    int redirects = 0;  // of robots.txt
    bool robots_checked = false;
  };

  void take_leases(Now now);
  void begin(frontier::Lease lease, Now now);
  bool refused_by_robots(const frontier::Lease& lease, const frontier::Url& page);
  void start(Visit visit, Now now);
  void finish(const HttpAnswer& answer, Now now);
  void finish_page(Visit& visit, const HttpAnswer& answer, Now now);
  void finish_robots(Visit& visit, const HttpAnswer& answer, Now now);
  bool follow_robots_redirect(Visit& visit, const HttpAnswer& answer, Now now);
  void settle_untried(const frontier::Lease& lease, frontier::Outcome outcome, frontier::Reason reason,
                      Now now);
  void settle_answer(const Visit& visit, const HttpAnswer& answer, frontier::Settlement settlement,
                     const PageReading& reading, Now now);
  void send_settlements(Now now);
  void flush_outputs();

  const FetcherOptions options_;
  FetcherParts parts_;
  RobotsCache robots_;
  std::unordered_map<std::uint64_t, Visit> visits_;  // by lease id
  std::vector<frontier::Lease> incoming_;
  std::vector<HttpAnswer> answers_;
  std::vector<frontier::Settlement> outgoing_;
  std::uint64_t lines_lost_ = 0;  // counted so far
  std::atomic<bool> draining_{false};
  std::atomic<bool> aborting_{false};
};

}  // namespace weir::crawler
