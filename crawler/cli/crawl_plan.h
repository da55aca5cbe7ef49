// CrawlPlan: what the seeds decide before anything is touched: whether a contact is needed, and which hosts are
// in scope when the config names none. Reads the seed files once; the crawl reads them again when it feeds
// them.
#pragma once

#include "base/error.h"
#include "crawler/config/config.h"
#include "crawler/seeds/seed_feed.h"
#include "frontier/scope/scope.h"

namespace weir::crawler {

struct CrawlPlan {
  SeedSources seeds;  // readable twice: standard input has been copied
  frontier::ScopeOptions scope;
  SeedReport report;         // of the first reading
  bool all_loopback = true;  // every seed is on this machine
};

// The scope is the configured one with what the seeds add to it (seed_scope.h).
// kUsage: no usable seed; a seed elsewhere than on this machine while agent.contact is missing.
Result<CrawlPlan> plan_crawl(const Config& config);

}  // namespace weir::crawler
