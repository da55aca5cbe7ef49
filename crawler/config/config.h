// Config: every setting of a crawl as plain values, one struct per section of the TOML file. Names, ranges,
// units and costs stand in crawler/config/key_table.cc; the initialisers here are the built-in defaults.
// Filled by crawler/config/loader.h, read by crawler/config/options.h. A value type without behaviour.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"

namespace weir::crawler {

using TextList = std::vector<std::string>;
using TextMap = std::vector<std::pair<std::string, std::string>>;  // in the order of the file, names unique

struct CrawlSection {
  TextList seeds;                    // URLs
  TextList seed_files;               // "-" is standard input
  std::string state = "weir-state";  // folder that a crawl resumes from
  std::uint64_t depth = 65535;       // 65535: no limit
  std::uint64_t limit_pages = 0;     // 0: no limit
  bool sitemaps = false;
  std::uint64_t fetcher_threads = 0;  // 0: one per core
  Duration drain_timeout = std::chrono::seconds(30);
  Duration checkpoint_interval = std::chrono::minutes(5);
};

struct AgentSection {
  std::string name = "weir";
  std::string contact;
};

struct FetchSection {
  std::uint64_t transfers = 256;  // per fetcher thread
  std::uint64_t connections_max = 512;
  std::uint64_t body_bytes_max = 16u << 20;
  std::uint64_t redirects_max = 10;
  std::uint64_t retries = 3;
  Duration retry_backoff = std::chrono::seconds(10);
  Duration retry_backoff_max = std::chrono::hours(1);
  Duration connect_timeout = std::chrono::seconds(15);
  Duration first_byte_timeout = std::chrono::seconds(30);
  Duration total_timeout = std::chrono::seconds(120);
  std::uint64_t low_speed = 100;  // bytes a second
  Duration low_speed_time = std::chrono::seconds(30);
  bool verify_tls = true;
  std::string ca_file;
  std::string accept = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5";
  TextList allow_networks;
};

struct PolitenessSection {
  Duration delay = std::chrono::seconds(1);
  Duration per_ip_delay = std::chrono::milliseconds(100);  // the loader: a tenth of delay unless named
  std::uint64_t connections_per_host = 1;
  Duration crawl_delay_max = std::chrono::seconds(300);
  double adaptive_factor = 0;
  Duration delay_max = std::chrono::seconds(300);
  Duration hold_max = std::chrono::hours(24);
  std::uint64_t host_failures_max = 4;
};

struct RobotsSection {
  bool obey = true;
  bool obey_meta = true;
  Duration retry = std::chrono::minutes(5);
};

struct ScopeSection {
  TextList hosts;
  TextList domains;
  TextList prefixes;
  TextList allow;
  TextList deny;
  TextList rules;
  bool same_domain = false;
  std::uint64_t off_scope_hops = 0;
  TextList schemes = {"http", "https"};
  TextList ports;  // empty: any
  bool bad_ports = false;
  TextList suffixes_deny = {"default"};
  std::string nofollow = "ignore";
  std::uint64_t url_bytes_max = 8192;
  std::uint64_t path_depth_max = 64;
  std::uint64_t segment_repeats_max = 8;
  std::uint64_t group_repeats_max = 3;
  std::uint64_t query_parameters_max = 64;
  std::uint64_t parameter_repeats_max = 16;
};

// Parameters that make no difference on a host; see frontier/url/key_rules.h.
struct StripParamsEntry {
  std::string host;  // empty: every host
  TextList params;
};
using ParamTables = std::vector<StripParamsEntry>;

struct KeySection {
  TextList rules;
  ParamTables strip_params;
};

struct DedupSection {
  std::string backend = "exact";
  std::uint64_t capacity = 0;  // 0: not named
  double fpr = 0;              // 0: not named
};

struct FrontierSection {
  std::string engine = "local";
  std::string durability = "os";
  Duration sync_interval = std::chrono::seconds(1);
  std::uint64_t window_bytes = 64u << 20;
  Duration lease_time = std::chrono::minutes(10);
  std::uint64_t robots_bytes = 16u << 20;
};

struct ParseSection {
  std::string engine = "stream";
  bool requisites = false;
  bool references = false;
  std::uint64_t tree_depth_max = 512;
  std::uint64_t arena_bytes_max = 256u << 20;
  Duration deadline = std::chrono::seconds(10);
  std::uint64_t links_max = 200'000;
};

struct OutputSection {
  TextList kinds = {"jsonl"};
  std::string folder;  // empty: crawl.state
  Duration progress_interval = std::chrono::seconds(10);
};

struct LogSection {
  std::string level = "info";
  std::string file;  // empty: standard error
  std::uint64_t file_bytes_max = 64u << 20;
  std::uint64_t files_kept = 3;
};

struct DnsSection {
  TextMap hosts;
  TextList servers;  // empty: the system's
  Duration timeout = std::chrono::seconds(5);
  Duration ttl_min = std::chrono::seconds(60);
  Duration ttl_max = std::chrono::hours(24);
  std::uint64_t cache_entries_max = 100'000;
};

struct Config {
  CrawlSection crawl;
  AgentSection agent;
  FetchSection fetch;
  PolitenessSection politeness;
  RobotsSection robots;
  ScopeSection scope;
  KeySection key;
  ParseSection parse;
  DedupSection dedup;
  FrontierSection frontier;
  OutputSection output;
  LogSection log;
  DnsSection dns;
};

}  // namespace weir::crawler
