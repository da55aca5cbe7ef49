// A body that leases still carry lives on until they are settled; the budget counts the cache's own.
#include "frontier/local/robots_cache.h"

#include <utility>

namespace weir::frontier::local {
namespace {

constexpr std::size_t kItemBytes = 128;  // list, map and control block, roughly

}  // namespace

std::shared_ptr<const RobotsFile> RobotsCache::find(HostId host) {
  const auto found = by_host_.find(host);
  if (found == by_host_.end()) return nullptr;
  items_.splice(items_.begin(), items_, found->second);
  return found->second->file;
}

void RobotsCache::put(HostId host, std::shared_ptr<const RobotsFile> file) {
  if (const auto found = by_host_.find(host); found != by_host_.end()) drop(found->second);
  bytes_ += file->body.size() + kItemBytes;
  items_.push_front({host, std::move(file)});
  by_host_[host] = items_.begin();
  while (bytes_ > bytes_max_ && items_.size() > 1) drop(std::prev(items_.end()));
}

void RobotsCache::drop(std::list<Item>::iterator item) {
  bytes_ -= item->file->body.size() + kItemBytes;
  by_host_.erase(item->host);
  items_.erase(item);
}

void RobotsCache::clear() {
  items_.clear();
  by_host_.clear();
  bytes_ = 0;
}

}  // namespace weir::frontier::local
