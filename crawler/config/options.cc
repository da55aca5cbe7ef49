// Field by field. Narrowing is safe: the key table's ranges fit the fields.
#include "crawler/config/options.h"

#include <algorithm>

#include "base/check.h"

namespace weir::crawler {
namespace {

LogLevel log_level(const std::string& name) {
  if (name == "debug") return LogLevel::kDebug;
  if (name == "warn") return LogLevel::kWarn;
  if (name == "error") return LogLevel::kError;
  return LogLevel::kInfo;
}

std::string output_path(const Config& config, std::string_view kind, const std::string& file) {
  const TextList& kinds = config.output.kinds;
  if (std::ranges::find(kinds, kind) == kinds.end()) return {};
  const std::string& folder = config.output.folder.empty() ? config.crawl.state : config.output.folder;
  return folder + "/" + file;
}

}  // namespace

frontier::PolitenessOptions politeness_options(const Config& config) {
  const PolitenessSection& from = config.politeness;
  frontier::PolitenessOptions options;
  options.delay = from.delay;
  options.per_ip_delay = from.per_ip_delay;
  options.crawl_delay_max = from.crawl_delay_max;
  options.adaptive_factor = from.adaptive_factor;
  options.delay_max = from.delay_max;
  options.connections_per_host = static_cast<std::uint32_t>(from.connections_per_host);
  options.hold_max = from.hold_max;
  options.obey_robots = config.robots.obey;
  return options;
}

frontier::RetryPolicy retry_policy(const Config& config) {
  frontier::RetryPolicy policy;
  policy.attempts_max = static_cast<std::uint8_t>(config.fetch.retries + 1);
  policy.backoff = config.fetch.retry_backoff;
  policy.backoff_max = config.fetch.retry_backoff_max;
  policy.host_failures_max = static_cast<std::uint8_t>(config.politeness.host_failures_max);
  policy.robots_retry = config.robots.retry;
  return policy;
}

frontier::ScopeOptions scope_options(const Config& config) {
  const ScopeSection& from = config.scope;
  frontier::ScopeOptions options;
  options.hosts = from.hosts;
  options.domains = from.domains;
  options.prefixes = from.prefixes;
  options.allow = from.allow;
  options.deny = from.deny;
  options.depth_max = static_cast<std::uint16_t>(config.crawl.depth);
  options.url_bytes_max = static_cast<std::uint32_t>(from.url_bytes_max);
  options.rules = from.rules;
  options.schemes = from.schemes;
  options.ports = from.ports;
  options.bad_ports = from.bad_ports;
  // The built-in list is of what pages are made of and what they offer for download: asking for the first kind
  // switches it off.
  const bool built_in = from.suffixes_deny == TextList{"default"};
  if (!(config.parse.requisites && built_in)) options.suffixes_deny = from.suffixes_deny;
  options.off_scope_hops = static_cast<std::uint8_t>(from.off_scope_hops);
  options.traps.path_depth_max = static_cast<std::uint16_t>(from.path_depth_max);
  options.traps.segment_repeats_max = static_cast<std::uint16_t>(from.segment_repeats_max);
  options.traps.group_repeats_max = static_cast<std::uint16_t>(from.group_repeats_max);
  options.traps.query_parameters_max = static_cast<std::uint16_t>(from.query_parameters_max);
  options.traps.parameter_repeats_max = static_cast<std::uint16_t>(from.parameter_repeats_max);
  return options;
}

frontier::KeyRulesOptions key_rules_options(const Config& config) {
  frontier::KeyRulesOptions options;
  options.rules = config.key.rules;
  for (const StripParamsEntry& entry : config.key.strip_params) {
    options.strip_params.push_back({entry.host, entry.params});
  }
  return options;
}

frontier::KeyRules key_rules(const Config& config) {
  auto rules = frontier::KeyRules::compile(key_rules_options(config));
  WEIR_CHECK(rules.has_value());  // the loader has compiled them once
  return *std::move(rules);
}

frontier::Durability durability(const Config& config) {
  if (config.frontier.durability == "interval") return frontier::Durability::kInterval;
  if (config.frontier.durability == "commit") return frontier::Durability::kCommit;
  return frontier::Durability::kOs;
}

dedup::SetOptions set_options(const Config& config) {
  return {config.dedup.backend, config.dedup.capacity, config.dedup.fpr};
}

HttpOptions http_options(const Config& config) {
  const FetchSection& fetch = config.fetch;
  HttpOptions options;
  options.user_agent = user_agent(config);
  options.transfers_max = static_cast<std::uint32_t>(fetch.transfers);
  options.body_bytes_max = fetch.body_bytes_max;
  options.connect_timeout = fetch.connect_timeout;
  options.first_byte_timeout = fetch.first_byte_timeout;
  options.total_timeout = fetch.total_timeout;
  options.low_speed_bytes = static_cast<std::uint32_t>(fetch.low_speed);
  options.low_speed_time = fetch.low_speed_time;
  options.connections_max = static_cast<std::uint32_t>(fetch.connections_max);
  options.verify_tls = fetch.verify_tls;
  options.ca_file = fetch.ca_file;
  options.accept = fetch.accept;
  options.dns_hosts = config.dns.hosts;
  options.dns_servers = config.dns.servers;
  options.dns_timeout = config.dns.timeout;
  options.dns_ttl_min = config.dns.ttl_min;
  options.dns_ttl_max = config.dns.ttl_max;
  options.dns_cache_entries_max = static_cast<std::uint32_t>(config.dns.cache_entries_max);
  return options;
}

ExtractorLimits extractor_limits(const Config& config) {
  ExtractorLimits limits;
  limits.tree_depth_max = static_cast<std::uint32_t>(config.parse.tree_depth_max);
  limits.arena_bytes_max = config.parse.arena_bytes_max;
  limits.deadline = config.parse.deadline;
  limits.links_max = static_cast<std::uint32_t>(config.parse.links_max);
  limits.requisites = config.parse.requisites;
  limits.references = config.parse.references;
  return limits;
}

LogOptions log_options(const Config& config) {
  LogOptions options;
  options.level = log_level(config.log.level);
  options.file = config.log.file;
  options.file_bytes_max = config.log.file_bytes_max;
  options.files_kept = static_cast<std::uint32_t>(config.log.files_kept);
  return options;
}

std::string user_agent(const Config& config) {
  std::string text = config.agent.name + "/" WEIR_VERSION;
  if (!config.agent.contact.empty()) text += " (+" + config.agent.contact + ")";
  return text;
}

std::string fetch_log_path(const Config& config) { return output_path(config, "jsonl", "fetch.jsonl"); }

std::string dropped_log_path(const Config& config) { return output_path(config, "dropped", "dropped.jsonl"); }

}  // namespace weir::crawler
