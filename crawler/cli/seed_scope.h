// SeedScope: what the seeds add to a scope. A crawl that names no hosts, domains, prefixes and allow stays on
// its seeds' hosts, each with its twin with or without "www."; with same_domain it takes in the registrable
// domains of its seeds ("a.co.uk" of "www.a.co.uk"). One thread.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "crawler/config/config.h"
#include "frontier/scope/public_suffix.h"
#include "frontier/scope/scope.h"
#include "frontier/url/url.h"

namespace weir::crawler {

class SeedScope {
 public:
  explicit SeedScope(const Config& config);

  // True when seeds matter: nothing is named, or same_domain is on.
  bool asks_seeds() const { return domains_wanted_ || hosts_wanted_; }

  // A seed's port admits that port only, no port admits any. A seed that is an IP address or itself a public
  // suffix counts as a host.
  void add(const frontier::Url& seed);

  // The configured scope with what the seeds added.
  frontier::ScopeOptions finish() &&;

 private:
  void add_host(const frontier::Url& seed);

  frontier::ScopeOptions options_;
  const bool domains_wanted_;
  const bool hosts_wanted_;
  std::optional<frontier::PublicSuffixes> suffixes_;  // with same_domain
  std::set<std::string> hosts_;
  std::set<std::string> domains_;
};

}  // namespace weir::crawler
