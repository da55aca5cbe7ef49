// The reference walk and the comparison with what a crawler did. The walk follows the graph's own nodes, never
// HTML or URLs, so it shares no code with any crawler.
#pragma once

#include <string>
#include <vector>

#include "tests/web/graph.h"
#include "tests/web/record.h"

namespace weir::testweb {

// Every URL that a crawl from http://h0.test/ must ask once: pages, redirects and errors that can be reached
// without stepping on what robots.txt forbids. Endless traps are left out even where robots.txt leaves them
// open.
std::vector<Node> reference_set(const Graph& graph);

struct Report {
  std::uint64_t expected = 0;        // size of the reference set
  std::uint64_t expected_pages = 0;  // those of it that answer 200
  std::uint64_t fetched = 0;         // of the reference set, asked and finally answered
  std::uint64_t fetched_pages = 0;
  std::uint64_t missed = 0;
  std::uint64_t doubled = 0;     // URLs asked again after a final answer
  std::uint64_t repeats = 0;     // such requests
  std::uint64_t retried = 0;     // requests repeated because the answer was 5xx or did not get out
  std::uint64_t forbidden = 0;   // requests that robots.txt forbids
  std::uint64_t traps = 0;       // requests into endless traps
  std::uint64_t strays = 0;      // requests outside the graph
  std::uint64_t unexpected = 0;  // URLs of the graph outside the reference set that are none of the above
  std::vector<std::string> missed_urls, doubled_urls, forbidden_urls, stray_urls;  // the first few of each
};

Report compare(const Graph& graph, const Record& record);

std::string to_json(const WebOptions& options, const Report& report, const Record& record);

}  // namespace weir::testweb
