// The sign is cut off, the rest is the pattern.
#include "frontier/scope/ordered_rules.h"

#include <utility>

namespace weir::frontier {
namespace {

constexpr std::string_view kSetting = "scope.rules";
constexpr std::string_view kAccept = "+ ";
constexpr std::string_view kReject = "- ";

std::string_view pattern_of(std::string_view rule) {
  const std::size_t start = rule.find_first_not_of(' ', 1);
  return start == std::string_view::npos ? std::string_view() : rule.substr(start);
}

}  // namespace

Result<OrderedRules> OrderedRules::compile(const std::vector<std::string>& rules) {
  OrderedRules ordered;
  std::vector<std::string> patterns;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const std::string& rule = rules[i];
    const bool accepts = rule.starts_with(kAccept);
    if ((!accepts && !rule.starts_with(kReject)) || pattern_of(rule).empty()) {
      return fail(ErrorCode::kUsage,
                  std::string(kSetting) + "[" + std::to_string(i) + "]: '" + rule +
                      "': want \"+ PATTERN\" to accept or \"- PATTERN\" to reject, such as \"- \\.pdf$\"");
    }
    ordered.accepts_.push_back(accepts);
    patterns.emplace_back(pattern_of(rule));
  }
  auto compiled = PatternSet::compile(kSetting, patterns);
  if (!compiled) return std::unexpected(compiled.error());
  ordered.patterns_ = *std::move(compiled);
  return ordered;
}

std::optional<ScopeVerdict> OrderedRules::decide(std::string_view href) const {
  const PatternMatch match = patterns_.match(href);
  if (match == PatternMatch::kNo) return std::nullopt;
  const auto index = match == PatternMatch::kYes ? patterns_.first_match(href) : std::nullopt;
  // Rather lost than fetched against the operator's word.
  if (!index) return ScopeVerdict{ScopeRule::kRuleRejects};
  return ScopeVerdict{accepts_[*index] ? ScopeRule::kRuleAccepts : ScopeRule::kRuleRejects, *index};
}

}  // namespace weir::frontier
