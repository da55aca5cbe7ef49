// Which rules let a URL in, and their names.
#include "frontier/scope/verdict.h"

namespace weir::frontier {

bool ScopeVerdict::in_scope() const {
  switch (rule) {
    case ScopeRule::kRuleAccepts:
    case ScopeRule::kUnlimited:
    case ScopeRule::kHost:
    case ScopeRule::kDomain:
    case ScopeRule::kPrefix:
    case ScopeRule::kAllowed:
    case ScopeRule::kOffScopeHop: return true;
    case ScopeRule::kScheme:
    case ScopeRule::kPort:
    case ScopeRule::kBadPort:
    case ScopeRule::kUrlBytes:
    case ScopeRule::kDepth:
    case ScopeRule::kPathDepth:
    case ScopeRule::kSegmentRepeats:
    case ScopeRule::kGroupRepeats:
    case ScopeRule::kQueryParameters:
    case ScopeRule::kParameterRepeats:
    case ScopeRule::kRuleRejects:
    case ScopeRule::kDenied:
    case ScopeRule::kSuffix:
    case ScopeRule::kNoRuleMatches: return false;
  }
  return false;
}

std::string_view scope_rule_name(ScopeRule rule) {
  switch (rule) {
    case ScopeRule::kScheme: return "scheme";
    case ScopeRule::kPort: return "port";
    case ScopeRule::kBadPort: return "bad_port";
    case ScopeRule::kUrlBytes: return "url_bytes";
    case ScopeRule::kDepth: return "depth";
    case ScopeRule::kPathDepth: return "path_depth";
    case ScopeRule::kSegmentRepeats: return "segment_repeats";
    case ScopeRule::kGroupRepeats: return "group_repeats";
    case ScopeRule::kQueryParameters: return "query_parameters";
    case ScopeRule::kParameterRepeats: return "parameter_repeats";
    case ScopeRule::kRuleAccepts: return "rule_accepts";
    case ScopeRule::kRuleRejects: return "rule_rejects";
    case ScopeRule::kDenied: return "denied";
    case ScopeRule::kSuffix: return "suffix";
    case ScopeRule::kUnlimited: return "unlimited";
    case ScopeRule::kHost: return "host";
    case ScopeRule::kDomain: return "domain";
    case ScopeRule::kPrefix: return "prefix";
    case ScopeRule::kAllowed: return "allowed";
    case ScopeRule::kOffScopeHop: return "off_scope_hop";
    case ScopeRule::kNoRuleMatches: return "no_rule_matches";
  }
  return "unknown";
}

}  // namespace weir::frontier
