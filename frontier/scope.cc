// Scope rules, compiled: host names and domains in hash maps, patterns in one RE2::Set each.
// A URL is judged on its wire form, whatever the caller holds.
#include "frontier/scope.h"

#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace weir::frontier {
namespace {

constexpr std::int64_t kPatternMemoryMax = 32 << 20;  // of one set: program and automaton together

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

struct HostPorts {
  bool any = false;
  std::vector<std::uint16_t> ports;
};

using HostMap = std::unordered_map<std::string, HostPorts, TextHash, std::equal_to<>>;
using DomainSet = std::unordered_set<std::string, TextHash, std::equal_to<>>;

RE2::Options pattern_options() {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kPatternMemoryMax);
  return options;
}

// Many patterns, one question: does any match?
class PatternSet {
 public:
  // `when_unsure` is the answer should RE2 give up on a text: true for deny, false for allow, so that a URL is
  // rather lost than fetched against the operator's word.
  static Result<PatternSet> compile(std::string_view setting, const std::vector<std::string>& patterns,
                                    bool when_unsure) {
    PatternSet set;
    set.when_unsure_ = when_unsure;
    if (patterns.empty()) return set;
    set.set_ = std::make_unique<RE2::Set>(pattern_options(), RE2::UNANCHORED);
    for (const std::string& pattern : patterns) {
      std::string why;
      if (set.set_->Add(pattern, &why) < 0) {
        return fail(ErrorCode::kUsage,
                    std::string(setting) + ": '" + pattern + "' is not an RE2 pattern: " + why);
      }
    }
    if (!set.set_->Compile()) {
      return fail(ErrorCode::kUsage, std::string(setting) + ": the patterns together need more than " +
                                         std::to_string(kPatternMemoryMax >> 20) + " MiB; shorten the list");
    }
    return set;
  }

  bool empty() const { return set_ == nullptr; }

  bool matches(std::string_view text) const {
    if (empty()) return false;
    RE2::Set::ErrorInfo error{};
    if (set_->Match(re2::StringPiece(text.data(), text.size()), nullptr, &error)) return true;
    return error.kind != RE2::Set::kNoError && when_unsure_;
  }

 private:
  std::unique_ptr<RE2::Set> set_;  // null: no patterns
  bool when_unsure_ = false;
};

std::unexpected<Error> bad_entry(std::string_view setting, const std::string& entry, std::string_view why) {
  return fail(ErrorCode::kUsage, std::string(setting) + ": '" + entry + "': " + std::string(why));
}

// The URL of the host an entry names; anything but a host and a port is a mistake.
Result<Url> parse_host_entry(std::string_view setting, const std::string& entry) {
  auto url = parse_url("http://" + entry);
  if (!url) return bad_entry(setting, entry, describe(url.error()));
  if (url->path() != "/" || entry.ends_with('/') || url->has_query() || url->has_fragment() ||
      url->has_credentials()) {
    return bad_entry(setting, entry, "want a host name alone, such as \"a.test\" or \"a.test:8080\"");
  }
  return std::move(*url);
}

bool names_port(std::string_view entry) {
  const std::size_t bracket = entry.rfind(']');
  return entry.find(':', bracket == std::string_view::npos ? 0 : bracket) != std::string_view::npos;
}

Result<HostMap> compile_hosts(const std::vector<std::string>& entries) {
  HostMap hosts;
  for (const std::string& entry : entries) {
    if (entry == "*") continue;
    const auto url = parse_host_entry("scope.hosts", entry);
    if (!url) return std::unexpected(url.error());
    HostPorts& ports = hosts[std::string(url->hostname())];
    if (names_port(entry)) {
      ports.ports.push_back(url->effective_port());
    } else {
      ports.any = true;
    }
  }
  return hosts;
}

Result<DomainSet> compile_domains(const std::vector<std::string>& entries) {
  DomainSet domains;
  for (const std::string& entry : entries) {
    const auto url = parse_host_entry("scope.domains", entry);
    if (!url) return std::unexpected(url.error());
    if (names_port(entry)) return bad_entry("scope.domains", entry, "a domain has no port; use scope.hosts");
    domains.emplace(url->hostname());
  }
  return domains;
}

// Prefixes are brought to the serialisation they are compared with.
Result<std::vector<std::string>> compile_prefixes(const std::vector<std::string>& entries) {
  std::vector<std::string> prefixes;
  for (const std::string& entry : entries) {
    const auto url = parse_url(entry);
    if (!url) return bad_entry("scope.prefixes", entry, describe(url.error()));
    prefixes.emplace_back(wire_form(*url).href());
  }
  return prefixes;
}

ScopeRule judge_path(const ScopeOptions& options, std::string_view path) {
  const auto depth = static_cast<std::size_t>(std::ranges::count(path, '/'));
  if (depth > options.path_depth_max) return ScopeRule::kPathTooDeep;
  if (depth <= options.segment_repeats_max) return ScopeRule::kAllowed;
  std::vector<std::string_view> segments;
  segments.reserve(depth);
  for (std::size_t start = 1; start <= path.size();) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    if (end > start) segments.push_back(path.substr(start, end - start));
    start = end + 1;
  }
  std::ranges::sort(segments);
  std::size_t run = 0;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    run = i > 0 && segments[i] == segments[i - 1] ? run + 1 : 1;
    if (run > options.segment_repeats_max) return ScopeRule::kRepeatedSegments;
  }
  return ScopeRule::kAllowed;
}

}  // namespace

struct Scope::Compiled {
  ScopeOptions limits;  // the lists inside are empty; they live below
  bool every_host = false;
  HostMap hosts;
  DomainSet domains;
  std::vector<std::string> prefixes;
  PatternSet allow;
  PatternSet deny;

  bool host_matches(const Url& url) const {
    if (every_host) return true;
    const auto found = hosts.find(url.hostname());
    if (found == hosts.end()) return false;
    return found->second.any ||
           std::ranges::find(found->second.ports, url.effective_port()) != found->second.ports.end();
  }

  // Asks for the name itself, then for each parent: label by label, so "xa.test" is not below "a.test".
  bool domain_matches(const Url& url) const {
    if (domains.empty()) return false;
    std::string_view name = url.hostname();
    while (true) {
      if (domains.contains(name)) return true;
      const std::size_t dot = name.find('.');
      if (dot == std::string_view::npos || url.host_kind() != HostKind::kDomain) return false;
      name.remove_prefix(dot + 1);
    }
  }

  bool prefix_matches(std::string_view href) const {
    return std::ranges::any_of(prefixes, [&](const std::string& prefix) { return href.starts_with(prefix); });
  }

  bool unlimited() const { return hosts.empty() && domains.empty() && prefixes.empty() && allow.empty(); }

  ScopeRule judge(const Url& url, std::uint32_t depth, std::uint32_t depth_max) const;
};

ScopeRule Scope::Compiled::judge(const Url& url, std::uint32_t depth, std::uint32_t depth_max) const {
  if (!url.is_http()) return ScopeRule::kNotHttp;
  const std::string_view href = url.href_without_fragment();
  if (href.size() > limits.url_bytes_max) return ScopeRule::kUrlTooLong;
  if (depth > depth_max) return ScopeRule::kTooDeep;
  const ScopeRule path_rule = judge_path(limits, url.path());
  if (path_rule != ScopeRule::kAllowed) return path_rule;
  if (deny.matches(href)) return ScopeRule::kDenied;
  const bool wanted =
      unlimited() || host_matches(url) || domain_matches(url) || prefix_matches(href) || allow.matches(href);
  return wanted ? ScopeRule::kAllowed : ScopeRule::kNoRuleMatches;
}

std::string_view scope_rule_name(ScopeRule rule) {
  switch (rule) {
    case ScopeRule::kAllowed: return "allowed";
    case ScopeRule::kNotHttp: return "not_http";
    case ScopeRule::kUrlTooLong: return "url_too_long";
    case ScopeRule::kTooDeep: return "too_deep";
    case ScopeRule::kPathTooDeep: return "path_too_deep";
    case ScopeRule::kRepeatedSegments: return "repeated_segments";
    case ScopeRule::kDenied: return "denied";
    case ScopeRule::kNoRuleMatches: return "no_rule_matches";
  }
  return "unknown";
}

Scope::Scope(std::unique_ptr<Compiled> compiled) : compiled_(std::move(compiled)) {}
Scope::Scope(Scope&&) noexcept = default;
Scope& Scope::operator=(Scope&&) noexcept = default;
Scope::~Scope() = default;

Result<Scope> Scope::compile(const ScopeOptions& options) {
  auto hosts = compile_hosts(options.hosts);
  if (!hosts) return std::unexpected(hosts.error());
  auto domains = compile_domains(options.domains);
  if (!domains) return std::unexpected(domains.error());
  auto prefixes = compile_prefixes(options.prefixes);
  if (!prefixes) return std::unexpected(prefixes.error());
  auto allow = PatternSet::compile("scope.allow", options.allow, false);
  if (!allow) return std::unexpected(allow.error());
  auto deny = PatternSet::compile("scope.deny", options.deny, true);
  if (!deny) return std::unexpected(deny.error());

  auto compiled = std::make_unique<Compiled>();
  compiled->limits.depth_max = options.depth_max;
  compiled->limits.url_bytes_max = options.url_bytes_max;
  compiled->limits.path_depth_max = options.path_depth_max;
  compiled->limits.segment_repeats_max = options.segment_repeats_max;
  compiled->every_host = std::ranges::find(options.hosts, "*") != options.hosts.end();
  compiled->hosts = std::move(*hosts);
  compiled->domains = std::move(*domains);
  compiled->prefixes = std::move(*prefixes);
  compiled->allow = std::move(*allow);
  compiled->deny = std::move(*deny);
  return Scope(std::move(compiled));
}

ScopeRule Scope::judge(const Url& url, std::uint32_t depth, std::uint32_t depth_limit) const {
  const std::uint32_t depth_max = std::min<std::uint32_t>(depth_limit, compiled_->limits.depth_max);
  if (url.has_credentials()) return compiled_->judge(wire_form(url), depth, depth_max);
  return compiled_->judge(url, depth, depth_max);
}

}  // namespace weir::frontier
