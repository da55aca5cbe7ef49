// Scope: whether a URL belongs to this crawl. Immutable after construction and shared by all fetchers.
// Rules are judged in the fixed order of ScopeRule (docs/scope.md) and the deciding one is named. Patterns are
// RE2, searched in the whole wire form. Cost: about 0.2 us plus the RE2 sets; nothing is allocated unless an
// ordered rule matches.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "frontier/candidates.h"
#include "frontier/scope/url_traps.h"
#include "frontier/scope/verdict.h"
#include "frontier/url/url.h"

namespace weir::frontier {

struct ScopeOptions {
  std::vector<std::string> hosts;     // "a.test" (any port), "a.test:8080", "*" for every host
  std::vector<std::string> domains;   // "a.test": itself and everything below; "*.a.test": what is below
  std::vector<std::string> prefixes;  // URL prefixes, compared on the serialisation
  std::vector<std::string> allow;     // RE2; when not empty, one of hosts/domains/prefixes/allow must match
  std::vector<std::string> deny;      // RE2; wins over all of these
  std::vector<std::string> rules;     // "+ RE2" or "- RE2": the first that matches decides, before deny
  std::vector<std::string> schemes = {"http", "https"};
  std::vector<std::string> ports;                        // digits; empty: any but bad ones
  std::vector<std::string> suffixes_deny = {"default"};  // ends of file names (file_suffixes.h)
  bool bad_ports = false;                                // true: ports that browsers block are asked too
  std::uint8_t off_scope_hops = 0;                       // links that may lead away from what hosts..allow say
  std::uint16_t depth_max = kNoDepthLimit;               // links away from a seed
  std::uint32_t url_bytes_max = 8192;                    // longer is dropped, never cut
  TrapLimits traps;
};

// How a URL was come by.
struct ScopePlace {
  // For what nothing led to: a seed is no link, so that off_scope_hops does not let it in.
  static constexpr std::uint8_t kNoHops = 0xff;

  std::uint32_t depth = 0;
  std::uint32_t depth_limit = kNoDepthLimit;  // the seed's own
  std::uint8_t hops = kNoHops;                // off-scope links in a row, this one included, if no rule matches
};

class Scope {
 public:
  // kUsage, naming the setting and the entry.
  static Result<Scope> compile(const ScopeOptions& options);
  Scope(Scope&&) noexcept;
  Scope& operator=(Scope&&) noexcept;
  ~Scope();

  ScopeVerdict judge(const Url& url, const ScopePlace& place) const;

  // "scope.deny[2] '/private'", "scope.hosts 'a.test'", "scope.path_depth_max 64". `url` is the one judged.
  std::string describe(const ScopeVerdict& verdict, const Url& url) const;

  // False when the same URL may be judged otherwise from another page.
  bool is_lasting(const ScopeVerdict& verdict) const;

 private:
  struct Compiled;
  explicit Scope(std::unique_ptr<Compiled> compiled);
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace weir::frontier
