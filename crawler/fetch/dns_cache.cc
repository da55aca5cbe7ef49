// A list in order of use and an index into it.
#include "crawler/fetch/dns_cache.h"

#include <utility>

namespace weir::crawler {

void DnsCache::erase(Entries::iterator entry) {
  index_.erase(entry->host);
  entries_.erase(entry);
}

const Resolution* DnsCache::find(std::string_view host, MonoTime now) {
  const auto found = index_.find(host);
  if (found == index_.end()) return nullptr;
  const Entries::iterator entry = found->second;
  if (entry->expires <= now) {
    erase(entry);
    return nullptr;
  }
  entries_.splice(entries_.begin(), entries_, entry);
  return &entry->resolution;
}

const Resolution& DnsCache::put(std::string_view host, Resolution resolution, MonoTime expires) {
  if (const auto found = index_.find(host); found != index_.end()) erase(found->second);
  if (index_.size() >= entries_max_ && !entries_.empty()) erase(std::prev(entries_.end()));
  entries_.push_front({std::string(host), std::move(resolution), expires});
  index_.emplace(entries_.front().host, entries_.begin());
  return entries_.front().resolution;
}

}  // namespace weir::crawler
