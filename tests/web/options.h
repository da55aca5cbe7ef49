// WebOptions: everything that shapes the synthetic web and its server, and the command line that fills it.
// Plain values. The same options make the same web.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"

namespace weir::testweb {

// What the web may contain besides plain pages. Names on the command line are those without the k, in lower
// case and with hyphens (`open-traps`).
struct Features {
  bool redirects = false;    // 301/302/307/308, chains of up to five, across hosts, one loop
  bool errors = false;       // 404 and 500
  bool flaky = false;        // one page of a quarter of the hosts answers 503 the first time
  bool slow = false;         // the first byte of some hosts comes late
  bool robots = false;       // robots.txt with rules, and links to what it forbids
  bool sessions = false;     // endless copies of a page under /trap/
  bool calendar = false;     // endless months under /calendar/
  bool open_traps = false;   // robots.txt leaves the traps open
  bool aliases = false;      // links spelled in ways that URL identity must see through
  bool encodings = false;    // chunked and gzip for a share of the pages
  bool decoys = false;       // comments, scripts and text that only look like links
  bool robots_down = false;  // robots.txt of some hosts answers 503
};

struct WebOptions {
  std::uint64_t seed = 1;
  std::uint32_t hosts = 50;
  std::uint64_t pages = 2000;
  double links = 20;                // mean of the links that are there by chance, per page
  std::uint32_t body_bytes = 2000;  // mean of the filler text, per page
  Features features;
  Duration slow_delay = std::chrono::milliseconds(200);

  std::string bind = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any free one; part of every absolute link
  bool address_per_host = false;
  std::string names_file;      // written at the start: the names as weir's [dns] section
  std::string report_file;     // written at the end; "-" is standard output
  std::string log_file;        // a line per request
  Duration polite_gap{0};      // shorter gaps between two requests of a host are impolite
  double measure_seconds = 0;  // not 0: load ourselves, print the rate, end
};

inline constexpr std::string_view kDefaultFeatures =
    "redirects,errors,flaky,slow,robots,sessions,calendar,aliases,encodings,decoys";

// kUsage with one line that names the wrong word and the right ones.
Result<Features> parse_features(std::string_view list);
Result<WebOptions> parse_options(std::span<const std::string_view> arguments);
std::string_view usage();

}  // namespace weir::testweb
