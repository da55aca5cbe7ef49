// Counters of one run: the metric atomics that fetchers and the owner share (nothing else is shared but
// queues). Each moves when its event happens, so a sample at any moment adds up. Relaxed order: they count,
// they do not publish.
#pragma once

#include <atomic>
#include <cstdint>

namespace weir::crawler {

class Counter {
 public:
  void add(std::uint64_t amount = 1) { value_.fetch_add(amount, std::memory_order_relaxed); }
  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

struct CrawlCounters {
  Counter fetched;     // pages answered 2xx
  Counter redirected;  // answers that only said where to go
  Counter failed;      // final failures: 4xx, 5xx, network, bad redirects
  Counter retried;     // tries that will be repeated
  Counter robots_denied;
  Counter robots_fetched;
  Counter addresses_refused;  // URLs on private or loopback addresses that no setting allows
  Counter out_of_scope;       // links refused by scope
  Counter repeats;            // links dropped before the dedup call
  Counter invalid_links;      // links that are not URLs
  Counter credentials_dropped;
  Counter body_bytes;     // decoded
  Counter truncated;      // bodies cut at the cap
  Counter parse_limited;  // pages that ran into a parser guard
  Counter lines_lost;     // of fetch.jsonl and dropped.jsonl: a full disk
};

}  // namespace weir::crawler
