// CrawlSummary: what one run did, and the JSON line that `weir crawl` leaves on standard output. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "dedup/url_set.h"

namespace weir::crawler {

// Processor time by stage, in seconds, all threads together.
struct CpuSeconds {
  double fetch = 0;   // HTTP, DNS, decoding
  double parse = 0;   // charset and link extraction
  double links = 0;   // resolution, keys, scope, fingerprints
  double settle = 0;  // fetch log, messages
  double dedup = 0;   // the dedup stage
  double store = 0;   // queues, journal, commit
  double lease = 0;   // choosing what is due
};

struct CrawlSummary {
  std::uint64_t fetched = 0;  // pages answered 2xx
  std::uint64_t redirected = 0;
  std::uint64_t admitted = 0;    // new URLs
  std::uint64_t duplicates = 0;  // links and seeds that were seen before, repeats in a page included
  std::uint64_t out_of_scope = 0;
  std::uint64_t robots_denied = 0;
  std::uint64_t failed = 0;
  std::uint64_t retried = 0;
  std::uint64_t queued = 0;      // left for the next run
  std::uint64_t bytes = 0;       // of bodies, decoded
  std::uint64_t lines_lost = 0;  // of fetch.jsonl and dropped.jsonl, for want of space
  Duration elapsed{0};
  std::string dedup_backend;
  dedup::SetStats dedup;
  CpuSeconds cpu;
};

// One JSON object without newline; "seconds" has milliseconds.
std::string format_summary(const CrawlSummary& summary);

}  // namespace weir::crawler
