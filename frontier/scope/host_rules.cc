// Names go through the URL parser, so that an entry is spelled as the URLs it will be compared with.
#include "frontier/scope/host_rules.h"

#include <algorithm>
#include <utility>

#include "frontier/scope/public_suffix.h"

namespace weir::frontier {
namespace {

constexpr std::string_view kEveryHost = "*";
constexpr std::string_view kBelow = "*.";

std::unexpected<Error> bad_entry(std::string_view setting, const std::string& entry, std::string_view why) {
  return fail(ErrorCode::kUsage, std::string(setting) + ": '" + entry + "': " + std::string(why));
}

// The URL of the host an entry names; anything but a host and a port is a mistake.
Result<Url> parse_host_entry(std::string_view setting, const std::string& entry, std::string_view host) {
  auto url = parse_url("http://" + std::string(host));
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

struct Domain {
  std::string name;
  bool itself = true;
};

// A whole registry is hardly ever meant, and a crawl of it never ends.
Result<Domain> parse_domain(const std::string& entry, const PublicSuffixes& suffixes) {
  constexpr std::string_view kSetting = "scope.domains";
  const bool below = entry.starts_with(kBelow);
  const auto url = parse_host_entry(kSetting, entry, std::string_view(entry).substr(below ? kBelow.size() : 0));
  if (!url) return std::unexpected(url.error());
  if (names_port(entry)) return bad_entry(kSetting, entry, "a domain has no port; use scope.hosts");
  Domain domain{std::string(url->hostname()), !below};
  if (below && url->host_kind() != HostKind::kDomain) {
    return bad_entry(kSetting, entry, "nothing is below an IP address");
  }
  if (!below && url->host_kind() == HostKind::kDomain && suffixes.is_public_suffix(domain.name)) {
    return bad_entry(kSetting, entry,
                     "is a public suffix: everybody's names are below it; write \"*." + domain.name +
                         "\" if all of them are meant");
  }
  return domain;
}

}  // namespace

Result<void> HostRules::add_host(const std::string& entry, std::uint32_t index) {
  if (entry == kEveryHost) {
    if (!every_host_) every_host_ = index;
    return {};
  }
  const auto url = parse_host_entry("scope.hosts", entry, entry);
  if (!url) return std::unexpected(url.error());
  PortEntry port{std::nullopt, index};
  if (names_port(entry)) port.port = url->effective_port();
  hosts_[std::string(url->hostname())].push_back(port);
  return {};
}

// Prefixes are brought to the serialisation they are compared with.
Result<void> HostRules::add_prefix(const std::string& entry) {
  const auto url = parse_url(entry);
  if (!url) return bad_entry("scope.prefixes", entry, describe(url.error()));
  prefixes_.emplace_back(wire_form(*url).href());
  return {};
}

Result<HostRules> HostRules::compile(const std::vector<std::string>& hosts,
                                     const std::vector<std::string>& domains,
                                     const std::vector<std::string>& prefixes) {
  HostRules rules;
  for (std::uint32_t i = 0; i < hosts.size(); ++i) {
    if (auto added = rules.add_host(hosts[i], i); !added) return std::unexpected(added.error());
  }
  std::optional<PublicSuffixes> suffixes;  // costs a file; most crawls name no domain
  if (!domains.empty()) suffixes = PublicSuffixes::newest();
  for (std::uint32_t i = 0; i < domains.size(); ++i) {
    auto domain = parse_domain(domains[i], *suffixes);
    if (!domain) return std::unexpected(domain.error());
    // "a.test" and "*.a.test" together are "a.test".
    const auto [at, added] =
        rules.domains_.try_emplace(std::move(domain->name), DomainEntry{i, domain->itself});
    if (!added && domain->itself && !at->second.itself) at->second = {i, true};
  }
  for (const std::string& entry : prefixes) {
    if (auto added = rules.add_prefix(entry); !added) return std::unexpected(added.error());
  }
  return rules;
}

bool HostRules::empty() const {
  return !every_host_ && hosts_.empty() && domains_.empty() && prefixes_.empty();
}

std::optional<std::uint32_t> HostRules::find_host(const Url& url) const {
  const auto found = hosts_.find(url.hostname());
  if (found == hosts_.end()) return std::nullopt;
  for (const PortEntry& entry : found->second) {
    if (!entry.port || *entry.port == url.effective_port()) return entry.index;
  }
  return std::nullopt;
}

// Asks for the name itself, then for each parent: label by label, so "xa.test" is not below "a.test".
std::optional<std::uint32_t> HostRules::find_domain(const Url& url) const {
  if (domains_.empty()) return std::nullopt;
  std::string_view name = url.hostname();
  for (bool itself = true;; itself = false) {
    const auto found = domains_.find(name);
    if (found != domains_.end() && (found->second.itself || !itself)) return found->second.index;
    const std::size_t dot = name.find('.');
    if (dot == std::string_view::npos || url.host_kind() != HostKind::kDomain) return std::nullopt;
    name.remove_prefix(dot + 1);
  }
}

std::optional<std::uint32_t> HostRules::find_prefix(std::string_view href) const {
  const auto found =
      std::ranges::find_if(prefixes_, [&](const std::string& prefix) { return href.starts_with(prefix); });
  if (found == prefixes_.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - prefixes_.begin());
}

std::optional<ScopeVerdict> HostRules::match(const Url& url, std::string_view href) const {
  if (const auto index = find_host(url)) return ScopeVerdict{ScopeRule::kHost, *index};
  if (const auto index = find_domain(url)) return ScopeVerdict{ScopeRule::kDomain, *index};
  if (const auto index = find_prefix(href)) return ScopeVerdict{ScopeRule::kPrefix, *index};
  if (every_host_) return ScopeVerdict{ScopeRule::kHost, *every_host_};
  return std::nullopt;
}

}  // namespace weir::frontier
