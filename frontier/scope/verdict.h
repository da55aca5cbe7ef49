// ScopeVerdict: whether a URL belongs to the crawl and which rule said so, as a small value. Its text is made
// by Scope::describe, on demand, because nine verdicts in ten are never read. Values; no state.
#pragma once

#include <cstdint>
#include <string_view>

namespace weir::frontier {

// In the order of evaluation: guards, the operator's ordered rules, denials, what a crawl is about.
enum class ScopeRule : std::uint8_t {
  kScheme,
  kPort,
  kBadPort,
  kUrlBytes,
  kDepth,
  kPathDepth,
  kSegmentRepeats,
  kGroupRepeats,
  kQueryParameters,
  kParameterRepeats,
  kRuleAccepts,  // scope.rules
  kRuleRejects,
  kDenied,
  kSuffix,
  kUnlimited,  // no rule says what the crawl is about
  kHost,
  kDomain,
  kPrefix,
  kAllowed,
  kOffScopeHop,
  kNoRuleMatches
};

struct ScopeVerdict {
  static constexpr std::uint32_t kNoIndex = 0xffffffff;

  ScopeRule rule = ScopeRule::kNoRuleMatches;
  // Of the deciding entry in its list; the limit that applied, of kDepth; the hops, of kOffScopeHop. kNoIndex
  // where a rule has no list, and for patterns of allow and deny: describe() looks for the pattern again.
  std::uint32_t index = kNoIndex;

  bool in_scope() const;
};

// One word: "denied", "no_rule_matches", "host".
std::string_view scope_rule_name(ScopeRule rule);

}  // namespace weir::frontier
