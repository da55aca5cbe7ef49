// One crawl from seeds to summary: builds the frontier, the fetchers and the owner's loop, runs them and takes
// them apart in the right order. Blocks the calling thread, which becomes the owner of the frontier.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "crawler/fetch/http_client.h"
#include "crawler/html/extractor.h"
#include "crawler/output/progress.h"
#include "crawler/output/summary.h"
#include "crawler/page/page_reader.h"
#include "crawler/run/owner_loop.h"
#include "dedup/registry.h"
#include "frontier/local/engine.h"
#include "frontier/scope/scope.h"

namespace weir::crawler {

// Hands the seeds, batch by batch, to a sink that admits each durably before it returns. Fingerprints need
// the state's secret, which exists only once the state is open.
using SeedSink = std::function<Result<void>(const frontier::CandidateBatch&)>;
using SeedFeed = std::function<Result<void>(const dedup::Secret& secret, const SeedSink& sink)>;

struct CrawlSetup {
  frontier::local::LocalOptions frontier;
  dedup::SetOptions dedup;
  frontier::ScopeOptions scope;
  HttpOptions http;
  std::vector<std::string> allow_networks;
  std::string engine = "stream";  // of link extraction
  bool sitemaps = false;          // take those that robots.txt names
  ExtractorLimits extractor;
  PageReaderOptions page;
  OwnerOptions owner;
  std::string robots_agent;  // product token that robots groups are matched with
  std::uint32_t fetcher_threads = 2;
  std::string fetch_log_path;    // empty: no fetch log
  std::string dropped_log_path;  // empty: refused links are only counted
  SeedFeed seeds;
  std::function<void(const ProgressSnapshot&, Now)> show_progress;
};

struct CrawlResult {
  CrawlEnd end = CrawlEnd::kDrained;
  CrawlSummary summary;
};

// Errors carry the exit code's meaning (base/error.h). Whatever happens, what was acknowledged stays.
Result<CrawlResult> run_crawl(const CrawlSetup& setup, const Clock& clock, Log& log);

}  // namespace weir::crawler
