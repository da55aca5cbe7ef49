// OwnerLoop: the one thread that owns the frontier. Each round: take the settlements that came in, commit
// them as one turn, lease what is due and hand it to fetchers, report. It never waits on a queue that it fills;
// every wait ends with a settlement, a stop or the next due time.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "crawler/metrics/counters.h"
#include "crawler/metrics/stage_times.h"
#include "crawler/run/fetcher_pool.h"
#include "crawler/run/stop_flag.h"
#include "frontier/frontier.h"

namespace weir::crawler {

struct OwnerOptions {
  std::uint64_t limit_pages = 0;                      // stop after so many pages; 0: no limit
  Duration drain_timeout = std::chrono::seconds(30);  // from the first stop to the abort of transfers
  Duration progress_interval = std::chrono::seconds(10);
  Duration checkpoint_interval = std::chrono::minutes(5);  // dedup snapshot and host table
};

struct OwnerParts {
  frontier::Frontier& frontier;
  FetcherPool& pool;
  SettlementQueue& settlements;
  StopFlag& stop;
  const Clock& clock;
  CrawlCounters& counters;
  StageTimes& times;
  Log& log;
  std::function<void(Now)> report_progress;
};

enum class CrawlEnd : std::uint8_t { kDrained, kPageLimit, kStopped };

// What this run did, as the frontier reported it.
struct TurnTotals {
  std::uint64_t admitted = 0;
  std::uint64_t duplicates = 0;
  std::uint64_t retries_exhausted = 0;  // tries that were to be repeated, but it was the last
  std::uint64_t stale = 0;
};

class OwnerLoop {
 public:
  OwnerLoop(const OwnerOptions& options, OwnerParts parts);

  // Admits candidates that come from outside (seeds) as one durable turn.
  Result<frontier::TurnReport> inject(const frontier::CandidateBatch& batch);

  // Runs until nothing is left, the page limit is reached or a stop was asked for and drained. An error is
  // the state directory's (kState) and leaves transfers running; the caller aborts them.
  Result<CrawlEnd> run();

  const TurnTotals& totals() const { return totals_; }

 private:
  void react_to_stop(Now now);
  Result<void> hand_out(Now now);
  bool ended() const;
  Duration time_to_wait(Now now) const;
  Result<frontier::TurnReport> commit(std::span<const frontier::CandidateBatch> injected);
  Result<void> wait_for_space(const Error& error);
  Result<void> housekeeping(Now now);
  std::uint64_t pages_allowed() const;
  CrawlEnd end_state() const;

  const OwnerOptions options_;
  OwnerParts parts_;
  TurnTotals totals_;
  std::vector<frontier::Settlement> arrived_;
  std::vector<frontier::Lease> leases_;
  bool draining_ = false;
  bool aborted_ = false;
  MonoTime drain_deadline_;
  MonoTime next_progress_;
  MonoTime next_checkpoint_;
};

}  // namespace weir::crawler
