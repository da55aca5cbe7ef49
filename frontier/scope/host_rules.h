// HostRules: what a crawl is about, by name: hosts, domains and URL prefixes, each found with the index of the
// entry that matched. Names are compared label by label, never as text. Immutable and thread-safe; a question
// allocates nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "frontier/scope/verdict.h"
#include "frontier/url/url.h"

namespace weir::frontier {

class HostRules {
 public:
  // Entries as in ScopeOptions. kUsage, naming the entry, for what is no host, domain or URL, and for a domain
  // that is a public suffix ("co.uk") unless it is written "*.co.uk".
  static Result<HostRules> compile(const std::vector<std::string>& hosts,
                                   const std::vector<std::string>& domains,
                                   const std::vector<std::string>& prefixes);

  bool empty() const;

  // kHost, kDomain or kPrefix with the entry's index. `href` is the URL as it is compared with prefixes.
  std::optional<ScopeVerdict> match(const Url& url, std::string_view href) const;

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  template <typename T>
  using NameMap = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

  struct PortEntry {
    std::optional<std::uint16_t> port;  // nullopt: any
    std::uint32_t index = 0;
  };
  struct DomainEntry {
    std::uint32_t index = 0;
    bool itself = true;  // false: "*.a.test", only what is below
  };

  Result<void> add_host(const std::string& entry, std::uint32_t index);
  Result<void> add_prefix(const std::string& entry);
  std::optional<std::uint32_t> find_host(const Url& url) const;
  std::optional<std::uint32_t> find_domain(const Url& url) const;
  std::optional<std::uint32_t> find_prefix(std::string_view href) const;

  std::optional<std::uint32_t> every_host_;  // index of "*"
  NameMap<std::vector<PortEntry>> hosts_;
  NameMap<DomainEntry> domains_;
  std::vector<std::string> prefixes_;
};

}  // namespace weir::frontier
