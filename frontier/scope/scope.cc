// The order of evaluation, and the words for a verdict. A URL is judged on its wire form, whatever the caller
// holds.
#include "frontier/scope/scope.h"

#include <algorithm>
#include <utility>

#include "frontier/scope/file_suffixes.h"
#include "frontier/scope/host_rules.h"
#include "frontier/scope/ordered_rules.h"
#include "frontier/scope/pattern_set.h"
#include "frontier/scope/port_rules.h"

namespace weir::frontier {
namespace {

using Verdict = std::optional<ScopeVerdict>;

Result<void> check_schemes(const std::vector<std::string>& schemes) {
  for (std::size_t i = 0; i < schemes.size(); ++i) {
    if (schemes[i] == "http" || schemes[i] == "https") continue;
    return fail(ErrorCode::kUsage, "scope.schemes[" + std::to_string(i) + "]: '" + schemes[i] +
                                       "': want \"http\" or \"https\", nothing else can be fetched");
  }
  if (schemes.empty()) return fail(ErrorCode::kUsage, "scope.schemes: is empty, so nothing could be fetched");
  return {};
}

std::string entry_text(std::string_view setting, const std::vector<std::string>& entries, std::uint32_t index,
                       bool numbered) {
  std::string text(setting);
  if (index >= entries.size()) return text;
  if (numbered) text += "[" + std::to_string(index) + "]";
  return text + " '" + entries[index] + "'";
}

std::string limit_text(std::string_view setting, std::uint64_t limit) {
  return std::string(setting) + " " + std::to_string(limit);
}

}  // namespace

struct Scope::Compiled {
  ScopeOptions options;
  PortRules ports;
  OrderedRules rules;
  PatternSet deny;
  FileSuffixes suffixes;
  HostRules hosts;
  PatternSet allow;

  Verdict guard(const Url& url, std::string_view href, const ScopePlace& place) const;
  Verdict find_wanted(const Url& url, std::string_view href) const;
  ScopeVerdict judge(const Url& url, const ScopePlace& place) const;
  std::string pattern_text(std::string_view setting, const PatternSet& set,
                           const std::vector<std::string>& entries, const Url& url) const;
  std::string depth_text(std::uint32_t limit) const;
};

// What no rule of the operator's can lift.
Verdict Scope::Compiled::guard(const Url& url, std::string_view href, const ScopePlace& place) const {
  if (!url.is_http() || std::ranges::find(options.schemes, url.scheme()) == options.schemes.end()) {
    return ScopeVerdict{ScopeRule::kScheme};
  }
  if (const auto refused = ports.refuse(url.effective_port())) return ScopeVerdict{*refused};
  if (href.size() > options.url_bytes_max) return ScopeVerdict{ScopeRule::kUrlBytes};
  const std::uint32_t depth_max = std::min<std::uint32_t>(place.depth_limit, options.depth_max);
  if (place.depth > depth_max) return ScopeVerdict{ScopeRule::kDepth, depth_max};
  if (const auto trap = find_path_trap(url.path(), options.traps)) return ScopeVerdict{*trap};
  if (const auto trap = find_query_trap(url.query(), options.traps)) return ScopeVerdict{*trap};
  return std::nullopt;
}

// What the crawl is about.
Verdict Scope::Compiled::find_wanted(const Url& url, std::string_view href) const {
  if (hosts.empty() && allow.empty()) return ScopeVerdict{ScopeRule::kUnlimited};
  if (const Verdict named = hosts.match(url, href)) return named;
  // When RE2 gives up the answer is no: rather lost than fetched against the operator's word.
  if (allow.match(href) == PatternMatch::kYes) return ScopeVerdict{ScopeRule::kAllowed};
  return std::nullopt;
}

ScopeVerdict Scope::Compiled::judge(const Url& url, const ScopePlace& place) const {
  const std::string_view href = url.href_without_fragment();
  if (const Verdict refused = guard(url, href, place)) return *refused;
  if (const Verdict decided = rules.decide(href)) return *decided;
  if (deny.match(href) != PatternMatch::kNo) return {ScopeRule::kDenied};
  if (const auto suffix = suffixes.find(url.path())) return {ScopeRule::kSuffix, *suffix};
  if (const Verdict wanted = find_wanted(url, href)) return *wanted;
  if (place.hops <= options.off_scope_hops) return {ScopeRule::kOffScopeHop, place.hops};
  return {ScopeRule::kNoRuleMatches};
}

std::string Scope::Compiled::pattern_text(std::string_view setting, const PatternSet& set,
                                          const std::vector<std::string>& entries, const Url& url) const {
  const auto index = set.first_match(url.href_without_fragment());
  if (index) return entry_text(setting, entries, *index, true);
  return std::string(setting) + " (the patterns need too much memory for this URL)";
}

std::string Scope::Compiled::depth_text(std::uint32_t limit) const {
  return limit_text(limit == options.depth_max ? "crawl.depth" : "the seed's depth", limit);
}

Scope::Scope(std::unique_ptr<Compiled> compiled) : compiled_(std::move(compiled)) {}
Scope::Scope(Scope&&) noexcept = default;
Scope& Scope::operator=(Scope&&) noexcept = default;
Scope::~Scope() = default;

Result<Scope> Scope::compile(const ScopeOptions& options) {
  auto compiled = std::make_unique<Compiled>();
  compiled->options = options;
  if (auto checked = check_schemes(options.schemes); !checked) return std::unexpected(checked.error());
  auto ports = PortRules::compile(options.ports, options.bad_ports);
  if (!ports) return std::unexpected(ports.error());
  compiled->ports = *std::move(ports);
  auto rules = OrderedRules::compile(options.rules);
  if (!rules) return std::unexpected(rules.error());
  compiled->rules = *std::move(rules);
  auto deny = PatternSet::compile("scope.deny", options.deny);
  if (!deny) return std::unexpected(deny.error());
  compiled->deny = *std::move(deny);
  auto suffixes = FileSuffixes::compile(options.suffixes_deny);
  if (!suffixes) return std::unexpected(suffixes.error());
  compiled->suffixes = *std::move(suffixes);
  auto hosts = HostRules::compile(options.hosts, options.domains, options.prefixes);
  if (!hosts) return std::unexpected(hosts.error());
  compiled->hosts = *std::move(hosts);
  auto allow = PatternSet::compile("scope.allow", options.allow);
  if (!allow) return std::unexpected(allow.error());
  compiled->allow = *std::move(allow);
  return Scope(std::move(compiled));
}

ScopeVerdict Scope::judge(const Url& url, const ScopePlace& place) const {
  return url.has_credentials() ? compiled_->judge(wire_form(url), place) : compiled_->judge(url, place);
}

bool Scope::is_lasting(const ScopeVerdict& verdict) const {
  if (verdict.rule == ScopeRule::kDepth || verdict.rule == ScopeRule::kOffScopeHop) return false;
  return verdict.rule != ScopeRule::kNoRuleMatches || compiled_->options.off_scope_hops == 0;
}

std::string Scope::describe(const ScopeVerdict& verdict, const Url& url) const {
  if (url.has_credentials()) return describe(verdict, wire_form(url));
  const ScopeOptions& options = compiled_->options;
  const TrapLimits& traps = options.traps;
  switch (verdict.rule) {
    case ScopeRule::kScheme: return "scope.schemes";
    case ScopeRule::kPort: return "scope.ports";
    case ScopeRule::kBadPort: return "scope.bad_ports false";
    case ScopeRule::kUrlBytes: return limit_text("scope.url_bytes_max", options.url_bytes_max);
    case ScopeRule::kDepth: return compiled_->depth_text(verdict.index);
    case ScopeRule::kPathDepth: return limit_text("scope.path_depth_max", traps.path_depth_max);
    case ScopeRule::kSegmentRepeats: return limit_text("scope.segment_repeats_max", traps.segment_repeats_max);
    case ScopeRule::kGroupRepeats: return limit_text("scope.group_repeats_max", traps.group_repeats_max);
    case ScopeRule::kQueryParameters:
      return limit_text("scope.query_parameters_max", traps.query_parameters_max);
    case ScopeRule::kParameterRepeats:
      return limit_text("scope.parameter_repeats_max", traps.parameter_repeats_max);
    case ScopeRule::kRuleAccepts:
    case ScopeRule::kRuleRejects:
      if (verdict.index != ScopeVerdict::kNoIndex) {
        return entry_text("scope.rules", options.rules, verdict.index, true);
      }
      return "scope.rules (the patterns need too much memory for this URL)";
    case ScopeRule::kDenied: return compiled_->pattern_text("scope.deny", compiled_->deny, options.deny, url);
    case ScopeRule::kSuffix:
      return entry_text("scope.suffixes_deny", compiled_->suffixes.suffixes(), verdict.index, false);
    case ScopeRule::kUnlimited: return "no rule limits the hosts";
    case ScopeRule::kHost: return entry_text("scope.hosts", options.hosts, verdict.index, false);
    case ScopeRule::kDomain: return entry_text("scope.domains", options.domains, verdict.index, false);
    case ScopeRule::kPrefix: return entry_text("scope.prefixes", options.prefixes, verdict.index, true);
    case ScopeRule::kAllowed:
      return compiled_->pattern_text("scope.allow", compiled_->allow, options.allow, url);
    case ScopeRule::kOffScopeHop: return limit_text("scope.off_scope_hops", verdict.index);
    case ScopeRule::kNoRuleMatches: return "no scope rule matches";
  }
  return "unknown";
}

}  // namespace weir::frontier
