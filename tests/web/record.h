// Record: what a crawler did to the synthetic web. Counts per URL, gaps and parallelism per host. It judges
// nothing; report.h compares it with the reference walk. Owned by the server's thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "tests/web/graph.h"

namespace weir::testweb {

struct UrlRecord {
  std::uint32_t requests = 0;
  std::uint32_t answers = 0;  // final ones: below 500
  std::uint32_t repeats = 0;  // requests that came after a final answer had been given
};

struct HostRecord {
  std::uint64_t requests = 0;
  std::uint64_t robots_requests = 0;
  bool robots_first = false;  // the first request was for robots.txt
  MonoTime last_arrival;
  Duration smallest_gap = Duration::max();
  std::uint64_t short_gaps = 0;
  std::uint32_t running = 0;
  std::uint32_t running_max = 0;
};

class Record {
 public:
  Record(std::uint32_t hosts, Duration polite_gap) : polite_gap_(polite_gap), hosts_(hosts) {}

  // A whole request has arrived; true: this URL had been asked before.
  bool arrived(std::uint32_t host, const std::string& target, const std::optional<Node>& node, MonoTime now);
  // Its answer is being sent.
  void answered(std::uint32_t host, const std::optional<Node>& node, std::uint16_t status);
  void strange_host(const std::string& name) { ++strange_hosts_[name]; }

  std::uint64_t requests() const { return requests_; }
  const std::vector<HostRecord>& hosts() const { return hosts_; }
  const std::unordered_map<Node, UrlRecord, NodeHash>& urls() const { return urls_; }
  const std::map<std::string, std::uint64_t>& strays() const { return strays_; }
  const std::map<std::string, std::uint64_t>& strange_hosts() const { return strange_hosts_; }

 private:
  void measure_gap(HostRecord& host, MonoTime now) const;

  Duration polite_gap_;
  std::uint64_t requests_ = 0;
  std::vector<HostRecord> hosts_;
  std::unordered_map<Node, UrlRecord, NodeHash> urls_;
  std::map<std::string, std::uint64_t> strays_;  // "hK.test/..." outside the graph
  std::map<std::string, std::uint64_t> strange_hosts_;
};

}  // namespace weir::testweb
