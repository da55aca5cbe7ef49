// AddressPins: tells libcurl which addresses a host has, so that it never resolves a name itself.
// libcurl keeps what it is told in a cache of its multi handle and reuses connections by name, so an entry is
// sent only when it is new or changed, a changed host gets a new connection name (connections to the old
// address are then never reused), and entries that make room here are removed there. Belongs to one thread.
#pragma once

#include <curl/curl.h>

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "frontier/messages.h"

namespace weir::crawler {

struct CurlListDeleter {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
using CurlList = std::unique_ptr<curl_slist, CurlListDeleter>;

class AddressPins {
 public:
  explicit AddressPins(std::size_t entries_max) : entries_max_(entries_max) {}

  struct Entry;
  using Entries = std::list<Entry>;
  using Handle = Entries::iterator;

  struct Pin {
    Handle entry;
    CurlList resolve;                  // CURLOPT_RESOLVE; null: libcurl knows already
    curl_slist* connect_to = nullptr;  // CURLOPT_CONNECT_TO, owned by the entry; null: the host's own name
  };

  // Holds the entry until release(): a transfer may need the address again when it reconnects.
  Pin pin(std::string_view host, std::uint16_t port, const std::vector<frontier::IpAddress>& addresses);
  void release(Handle entry);

  std::size_t size() const { return index_.size(); }

  struct Entry {
    std::string key;                             // "host:port"
    std::string curl_key;                        // the same as libcurl knows it
    std::vector<frontier::IpAddress> addresses;  // sorted
    CurlList connect_to;
    std::uint32_t users = 0;
    bool retired = false;  // out of the index; lives until its last user releases it
  };

 private:
  Handle add(const std::string& key, std::uint16_t port, bool under_own_name);
  void retire(Handle entry);
  void forget(Handle entry);
  void evict();

  std::size_t entries_max_;
  std::uint64_t names_ = 0;
  Entries entries_;  // most recently used first
  std::unordered_map<std::string_view, Handle> index_;
  std::vector<std::string> removals_;  // keys that libcurl shall forget with the next list it gets
};

}  // namespace weir::crawler
