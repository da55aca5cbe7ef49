// Sets keep the order stable and a million seeds of one site cheap.
#include "crawler/cli/seed_scope.h"

#include <utility>

#include "crawler/config/options.h"

namespace weir::crawler {
namespace {

using frontier::HostKind;
using frontier::ScopeOptions;
using frontier::Url;

constexpr std::string_view kWww = "www.";

bool names_a_scope(const ScopeOptions& scope) {
  return !scope.hosts.empty() || !scope.domains.empty() || !scope.prefixes.empty() || !scope.allow.empty();
}

}  // namespace

SeedScope::SeedScope(const Config& config)
    : options_(scope_options(config)),
      domains_wanted_(config.scope.same_domain),
      hosts_wanted_(!config.scope.same_domain && !names_a_scope(options_)) {
  if (domains_wanted_) suffixes_ = frontier::PublicSuffixes::newest();
}

// The seed's host and the other spelling that people mean by the same site.
void SeedScope::add_host(const Url& seed) {
  const std::string host(seed.host());
  hosts_.insert(host);
  if (!hosts_wanted_ || seed.host_kind() != HostKind::kDomain || host.find('.') == std::string::npos) return;
  hosts_.insert(host.starts_with(kWww) ? host.substr(kWww.size()) : std::string(kWww) + host);
}

void SeedScope::add(const Url& seed) {
  if (!asks_seeds()) return;
  if (domains_wanted_ && seed.host_kind() == HostKind::kDomain) {
    const std::string_view domain = suffixes_->registrable_domain(seed.hostname());
    if (!domain.empty()) {
      domains_.emplace(domain);
      return;
    }
  }
  add_host(seed);
}

ScopeOptions SeedScope::finish() && {
  options_.hosts.insert(options_.hosts.end(), hosts_.begin(), hosts_.end());
  options_.domains.insert(options_.domains.end(), domains_.begin(), domains_.end());
  return std::move(options_);
}

}  // namespace weir::crawler
