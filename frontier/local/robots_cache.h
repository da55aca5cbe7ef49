// RobotsCache: robots.txt bodies in memory under a byte budget, least recently used ones dropped first. The
// store has all of them; this saves the read. Hosts without rules share one empty file and are not in here.
// Single-threaded.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <unordered_map>

#include "frontier/messages.h"

namespace weir::frontier::local {

class RobotsCache {
 public:
  explicit RobotsCache(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  std::shared_ptr<const RobotsFile> find(HostId host);  // null: not inside
  void put(HostId host, std::shared_ptr<const RobotsFile> file);
  void clear();
  std::size_t bytes() const { return bytes_; }

 private:
  struct Item {
    HostId host;
    std::shared_ptr<const RobotsFile> file;
  };
  void drop(std::list<Item>::iterator item);

  std::size_t bytes_max_;
  std::size_t bytes_ = 0;
  std::list<Item> items_;  // most recently used first
  std::unordered_map<HostId, std::list<Item>::iterator> by_host_;
};

}  // namespace weir::frontier::local
