// Look up, or parse and keep.
#include "crawler/visit/robots_cache.h"

namespace weir::crawler {

const RobotsRules& RobotsCache::rules(const frontier::Lease& lease) {
  const frontier::RobotsFile& file = *lease.robots;
  const auto found = entries_.find(lease.host);
  if (found != entries_.end() && found->second.version == file.version) return found->second.rules;
  if (entries_.size() >= kEntriesMax || bytes_ + file.body.size() > kBytesMax) {
    entries_.clear();
    bytes_ = 0;
  }
  bytes_ += file.body.size();
  Entry& entry = entries_[lease.host];
  entry = {file.version, RobotsRules::parse(file.body, agent_)};
  return entry.rules;
}

}  // namespace weir::crawler
