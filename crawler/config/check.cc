// One small function per concern; each names the key whose value is to be changed.
#include "crawler/config/check.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "base/nearest.h"
#include "crawler/config/options.h"
#include "crawler/config/values.h"
#include "crawler/fetch/address_rules.h"
#include "dedup/registry.h"
#include "frontier/scope/scope.h"

namespace weir::crawler {
namespace {

class Checker {
 public:
  explicit Checker(const LoadedConfig& loaded) : loaded_(loaded), config_(loaded.config) {}

  std::vector<std::string> run() {
    check_agent();
    check_dedup();
    check_scope();
    check_key_rules();
    check_networks();
    check_dns();
    check_order();
    check_folders();
    return std::move(problems_);
  }

 private:
  void add(std::string_view section, std::string_view name, std::string_view what) {
    problems_.push_back(fmt::format("{}: {}.{} {}", loaded_.origin(section, name), section, name, what));
  }

  // RFC 9309 2.2.1: a product token is letters, '_' and '-'. The contact goes into a header line.
  void check_agent() {
    const auto in_token = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
    };
    if (config_.agent.name.empty() || !std::ranges::all_of(config_.agent.name, in_token)) {
      add("agent", "name", fmt::format("must be letters, '-' and '_' only, not '{}'", config_.agent.name));
    }
    const auto in_comment = [](char c) { return c >= 0x20 && c != 0x7f && c != '(' && c != ')'; };
    if (!std::ranges::all_of(config_.agent.contact, in_comment)) {
      add("agent", "contact", "must be ASCII without parentheses and control characters");
    }
    const auto in_header = [](char c) { return c >= 0x20 && c != 0x7f; };
    if (!std::ranges::all_of(config_.fetch.accept, in_header)) {
      add("fetch", "accept", "must be ASCII without control characters");
    }
  }

  void check_dedup() {
    std::vector<std::string_view> names;
    std::string listed;
    for (const dedup::Backend& backend : dedup::backends()) {
      names.push_back(backend.name);
      listed.append(listed.empty() ? "" : ", ").append(backend.name);
    }
    const std::string& wanted = config_.dedup.backend;
    const auto found = std::ranges::find(dedup::backends(), wanted, &dedup::Backend::name);
    if (found == dedup::backends().end()) {
      const std::string_view meant = nearest(wanted, names);
      const std::string hint = meant.empty() ? "" : fmt::format("; did you mean '{}'?", meant);
      return add("dedup", "backend",
                 fmt::format("cannot be '{}' in this version; it has: {}{}", wanted, listed, hint));
    }
    if (!found->sized) return;
    if (config_.dedup.capacity == 0) {
      add("dedup", "capacity", fmt::format("is required by dedup.backend = \"{}\": the URLs expected", wanted));
    }
    if (config_.dedup.fpr == 0) {
      add("dedup", "fpr",
          fmt::format("is required by dedup.backend = \"{}\": the share of new URLs that may be "
                      "skipped, like 1e-6",
                      wanted));
    }
  }

  void check_scope() {
    const auto compiled = frontier::Scope::compile(scope_options(config_));
    if (compiled) return;
    problems_.push_back(fmt::format("[scope]: {}", compiled.error().message()));
  }

  void check_key_rules() {
    const auto all = frontier::KeyRules::compile(key_rules_options(config_));
    if (all) return;
    const bool named_wrongly = !frontier::KeyRules::compile({config_.key.rules, {}});
    const std::string_view name = named_wrongly ? "rules" : "strip_params";
    problems_.push_back(
        fmt::format("{}: key.{}: {}", loaded_.origin("key", name), name, all.error().message()));
  }

  void check_networks() {
    const auto rules = AddressRules::parse(config_.fetch.allow_networks);
    if (!rules) {
      problems_.push_back(
          fmt::format("{}: {}", loaded_.origin("fetch", "allow_networks"), rules.error().message()));
    }
  }

  void check_dns() {
    for (const auto& [name, address] : config_.dns.hosts) {
      if (parse_ip(address).known) continue;
      add("dns", "hosts", fmt::format("gives '{}' the address '{}', which is no IP address", name, address));
    }
    for (const std::string& server : config_.dns.servers) {
      if (is_server(server)) continue;
      add("dns", "servers", fmt::format("has '{}'; write an IP address, with :port when it is not 53", server));
    }
  }

  static bool is_server(std::string_view text) {
    if (parse_ip(text).known) return true;
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) return false;
    const auto port = parse_count(text.substr(colon + 1));
    std::string_view address = text.substr(0, colon);
    if (address.starts_with('[') && address.ends_with(']')) address = address.substr(1, address.size() - 2);
    return port && *port > 0 && *port <= 65535 && parse_ip(address).known;
  }

  void check_order() {
    const auto at_most = [this](Duration low, Duration high, std::string_view section, std::string_view name,
                                std::string_view than) {
      if (low > high) add(section, name, fmt::format("must not be longer than {}", than));
    };
    at_most(config_.dns.ttl_min, config_.dns.ttl_max, "dns", "ttl_min", "dns.ttl_max");
    at_most(config_.fetch.retry_backoff, config_.fetch.retry_backoff_max, "fetch", "retry_backoff",
            "fetch.retry_backoff_max");
    at_most(config_.fetch.connect_timeout, config_.fetch.total_timeout, "fetch", "connect_timeout",
            "fetch.total_timeout");
    at_most(config_.fetch.total_timeout, config_.frontier.lease_time, "fetch", "total_timeout",
            "frontier.lease_time, after which the page would be fetched twice");
  }

  void check_folders() {
    if (config_.crawl.state.empty()) add("crawl", "state", "must name a folder");
    const TextList& kinds = config_.output.kinds;
    const bool none = std::ranges::find(kinds, "none") != kinds.end();
    if (kinds.empty()) add("output", "kinds", "must not be empty; [\"none\"] leaves nothing");
    if (none && kinds.size() > 1) add("output", "kinds", "has \"none\" beside others");
  }

  const LoadedConfig& loaded_;
  const Config& config_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> check_config(const LoadedConfig& loaded) { return Checker(loaded).run(); }

}  // namespace weir::crawler
