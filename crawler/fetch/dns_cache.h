// DnsCache: what a name resolved to, until when. Bounded: the least recently asked name makes room.
// Knows nothing of how names are resolved. Belongs to one thread; pointers stay good until the next put().
#pragma once

#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "frontier/messages.h"
#include "frontier/reason.h"

namespace weir::crawler {

struct Resolution {
  frontier::Reason reason = frontier::Reason::kOk;  // kOk, kDnsNotFound or kDnsFailure
  std::string detail;                               // for a human, when not kOk
  std::vector<frontier::IpAddress> addresses;       // IPv4 first; not empty when kOk
};

class DnsCache {
 public:
  explicit DnsCache(std::size_t entries_max) : entries_max_(entries_max) {}

  const Resolution* find(std::string_view host, MonoTime now);
  const Resolution& put(std::string_view host, Resolution resolution, MonoTime expires);
  std::size_t size() const { return index_.size(); }

 private:
  struct Entry {
    std::string host;
    Resolution resolution;
    MonoTime expires;
  };
  using Entries = std::list<Entry>;  // most recently asked first

  void erase(Entries::iterator entry);

  std::size_t entries_max_;
  Entries entries_;
  std::unordered_map<std::string_view, Entries::iterator> index_;  // views into entries_
};

}  // namespace weir::crawler
