// Bookkeeping of requests and answers; see record.h.
#include "tests/web/record.h"

#include <algorithm>

#include "tests/web/site.h"

namespace weir::testweb {

void Record::measure_gap(HostRecord& host, MonoTime now) const {
  if (host.requests > 0) {
    const Duration gap = now - host.last_arrival;
    host.smallest_gap = std::min(host.smallest_gap, gap);
    if (gap < polite_gap_) ++host.short_gaps;
  }
  host.last_arrival = now;
}

bool Record::arrived(std::uint32_t host, const std::string& target, const std::optional<Node>& node,
                     MonoTime now) {
  ++requests_;
  HostRecord& record = hosts_[host];
  measure_gap(record, now);
  const bool robots = target == kRobotsTarget;
  if (record.requests == 0) record.robots_first = robots;
  ++record.requests;
  record.running_max = std::max(record.running_max, ++record.running);
  if (robots) {
    ++record.robots_requests;
    return false;
  }
  if (!node) {
    ++strays_[host_name(host) + target];
    return false;
  }
  UrlRecord& url = urls_[*node];
  if (url.answers > 0) ++url.repeats;
  return url.requests++ > 0;
}

void Record::answered(std::uint32_t host, const std::optional<Node>& node, std::uint16_t status) {
  --hosts_[host].running;
  if (node && status < 500) ++urls_[*node].answers;
}

}  // namespace weir::testweb
