// Scope: whether a URL belongs to this crawl. Immutable after construction and shared by all fetchers.
// Rules are judged in a fixed order and the deciding one is named. Patterns are RE2, matched against the
// whole wire form (search, not full match). Cost: about 0.1 us plus the RE2 set.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "frontier/url/url.h"

namespace weir::frontier {

struct ScopeOptions {
  std::vector<std::string> hosts;         // "a.test" (any port), "a.test:8080", "*" for every host
  std::vector<std::string> domains;       // "a.test": itself and everything below it
  std::vector<std::string> prefixes;      // URL prefixes, compared on the serialisation
  std::vector<std::string> allow;         // RE2; when not empty, one of hosts/domains/prefixes/allow must match
  std::vector<std::string> deny;          // RE2; wins over everything
  std::uint16_t depth_max = 0xffff;       // links away from a seed
  std::uint32_t url_bytes_max = 8192;     // longer is dropped, never cut
  std::uint16_t path_depth_max = 64;      // segments
  std::uint16_t segment_repeats_max = 8;  // the same segment this many times in one path: a trap
};

enum class ScopeRule : std::uint8_t {
  kAllowed,
  kNotHttp,
  kUrlTooLong,
  kTooDeep,
  kPathTooDeep,
  kRepeatedSegments,
  kDenied,
  kNoRuleMatches
};
std::string_view scope_rule_name(ScopeRule rule);

class Scope {
 public:
  // kUsage, naming the pattern and RE2's reason, when a pattern does not compile.
  static Result<Scope> compile(const ScopeOptions& options);
  Scope(Scope&&) noexcept;
  Scope& operator=(Scope&&) noexcept;
  ~Scope();

  // `depth_limit` is the smaller of depth_max and the seed's own.
  ScopeRule judge(const Url& url, std::uint32_t depth, std::uint32_t depth_limit) const;

 private:
  struct Compiled;
  explicit Scope(std::unique_ptr<Compiled> compiled);
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace weir::frontier
