// HostMap: the names of `[dns] hosts`, asked before DNS. "a.test" matches itself, "*.test" every name below
// "test" but not "test"; the longest match wins. For tests and intranets. Immutable, thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.h"
#include "frontier/messages.h"

namespace weir::crawler {

class HostMap {
 public:
  // kUsage names the entry whose address is not one.
  static Result<HostMap> parse(const std::vector<std::pair<std::string, std::string>>& entries);

  // Null: not in the map. A trailing dot is ignored.
  const frontier::IpAddress* find(std::string_view host) const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using Table = std::unordered_map<std::string, frontier::IpAddress, Hash, std::equal_to<>>;

  Table exact_;
  Table below_;  // "*.test" as "test"
};

}  // namespace weir::crawler
