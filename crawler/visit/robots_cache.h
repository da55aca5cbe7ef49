// Parsed robots.txt of the hosts a fetcher visits, keyed by host and version of the text. A cache of one
// thread: bounded in entries and bytes, emptied when full (parsing again costs microseconds).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

#include "crawler/robots/robots.h"
#include "frontier/messages.h"

namespace weir::crawler {

class RobotsCache {
 public:
  explicit RobotsCache(std::string agent) : agent_(std::move(agent)) {}

  // Rules of the lease's host; valid until the next call. The lease must carry a robots file.
  const RobotsRules& rules(const frontier::Lease& lease);

 private:
  static constexpr std::size_t kEntriesMax = 4096;
  static constexpr std::size_t kBytesMax = 32u << 20;
  struct Entry {
    std::uint64_t version = 0;
    RobotsRules rules;
  };

  const std::string agent_;
  std::unordered_map<frontier::HostId, Entry> entries_;
  std::size_t bytes_ = 0;  // of the bodies behind the entries, an upper bound
};

}  // namespace weir::crawler
