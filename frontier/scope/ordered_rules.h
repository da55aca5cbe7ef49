// OrderedRules: the operator's own list of "+ PATTERN" and "- PATTERN", of which the first that matches
// decides. One RE2 set for all of them. Immutable and thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "frontier/scope/pattern_set.h"
#include "frontier/scope/verdict.h"

namespace weir::frontier {

class OrderedRules {
 public:
  // kUsage with the index of the rule that does not begin with "+ " or "- ", or whose pattern is none.
  static Result<OrderedRules> compile(const std::vector<std::string>& rules);

  // kRuleAccepts or kRuleRejects with the rule's index; kRuleRejects without one when RE2 gave up; nullopt: no
  // rule matches. Allocates when a rule matches.
  std::optional<ScopeVerdict> decide(std::string_view href) const;

 private:
  PatternSet patterns_;
  std::vector<bool> accepts_;
};

}  // namespace weir::frontier
