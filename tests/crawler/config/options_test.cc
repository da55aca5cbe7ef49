// Config to option structs: the built-in values are those of the parts, and each key reaches its field.
#include "crawler/config/options.h"

#include <gtest/gtest.h>

namespace weir::crawler {
namespace {

using namespace std::chrono_literals;

TEST(ConfigOptions, BuiltInValuesAreThoseOfTheParts) {
  const Config config;
  const auto politeness = politeness_options(config);
  const frontier::PolitenessOptions politeness_default;
  EXPECT_EQ(politeness.delay, politeness_default.delay);
  EXPECT_EQ(politeness.per_ip_delay, politeness_default.per_ip_delay);
  EXPECT_EQ(politeness.crawl_delay_max, politeness_default.crawl_delay_max);
  EXPECT_EQ(politeness.adaptive_factor, politeness_default.adaptive_factor);
  EXPECT_EQ(politeness.delay_max, politeness_default.delay_max);
  EXPECT_EQ(politeness.connections_per_host, politeness_default.connections_per_host);
  EXPECT_EQ(politeness.hold_max, politeness_default.hold_max);
  EXPECT_EQ(politeness.obey_robots, politeness_default.obey_robots);

  const auto retry = retry_policy(config);
  const frontier::RetryPolicy retry_default;
  EXPECT_EQ(retry.attempts_max, retry_default.attempts_max);
  EXPECT_EQ(retry.backoff, retry_default.backoff);
  EXPECT_EQ(retry.backoff_max, retry_default.backoff_max);
  EXPECT_EQ(retry.host_failures_max, retry_default.host_failures_max);
  EXPECT_EQ(retry.robots_retry, retry_default.robots_retry);

  const auto scope = scope_options(config);
  const frontier::ScopeOptions scope_default;
  EXPECT_EQ(scope.depth_max, scope_default.depth_max);
  EXPECT_EQ(scope.url_bytes_max, scope_default.url_bytes_max);
  EXPECT_EQ(scope.traps.path_depth_max, scope_default.traps.path_depth_max);
  EXPECT_EQ(scope.traps.segment_repeats_max, scope_default.traps.segment_repeats_max);
  EXPECT_EQ(scope.traps.group_repeats_max, scope_default.traps.group_repeats_max);
  EXPECT_EQ(scope.traps.query_parameters_max, scope_default.traps.query_parameters_max);
  EXPECT_EQ(scope.traps.parameter_repeats_max, scope_default.traps.parameter_repeats_max);
  EXPECT_EQ(scope.schemes, scope_default.schemes);
  EXPECT_EQ(scope.suffixes_deny, scope_default.suffixes_deny);
  EXPECT_EQ(scope.off_scope_hops, scope_default.off_scope_hops);
  EXPECT_EQ(scope.bad_ports, scope_default.bad_ports);

  const auto log = log_options(config);
  const LogOptions log_default;
  EXPECT_EQ(log.level, log_default.level);
  EXPECT_EQ(log.file_bytes_max, log_default.file_bytes_max);
  EXPECT_EQ(log.files_kept, log_default.files_kept);
  EXPECT_EQ(set_options(config).backend, dedup::SetOptions{}.backend);
  EXPECT_EQ(durability(config), frontier::Durability::kOs);
}

TEST(ConfigOptions, BuiltInFetchValuesAreThoseOfTheParts) {
  const Config config;
  const auto http = http_options(config);
  const HttpOptions http_default;
  EXPECT_EQ(http.transfers_max, http_default.transfers_max);
  EXPECT_EQ(http.body_bytes_max, http_default.body_bytes_max);
  EXPECT_EQ(http.connect_timeout, http_default.connect_timeout);
  EXPECT_EQ(http.first_byte_timeout, http_default.first_byte_timeout);
  EXPECT_EQ(http.total_timeout, http_default.total_timeout);
  EXPECT_EQ(http.low_speed_bytes, http_default.low_speed_bytes);
  EXPECT_EQ(http.low_speed_time, http_default.low_speed_time);
  EXPECT_EQ(http.connections_max, http_default.connections_max);
  EXPECT_EQ(http.verify_tls, http_default.verify_tls);
  EXPECT_EQ(http.accept, http_default.accept);
  EXPECT_EQ(http.dns_timeout, http_default.dns_timeout);
  EXPECT_EQ(http.dns_ttl_min, http_default.dns_ttl_min);
  EXPECT_EQ(http.dns_ttl_max, http_default.dns_ttl_max);
  EXPECT_EQ(http.dns_cache_entries_max, http_default.dns_cache_entries_max);
  const auto extractor = extractor_limits(config);
  const ExtractorLimits extractor_default;
  EXPECT_EQ(extractor.tree_depth_max, extractor_default.tree_depth_max);
  EXPECT_EQ(extractor.arena_bytes_max, extractor_default.arena_bytes_max);
  EXPECT_EQ(extractor.deadline, extractor_default.deadline);
  EXPECT_EQ(extractor.links_max, extractor_default.links_max);
}

TEST(ConfigOptions, RetriesAreTriesAfterTheFirst) {
  Config config;
  config.fetch.retries = 0;
  EXPECT_EQ(retry_policy(config).attempts_max, 1);
  config.fetch.retries = 100;
  EXPECT_EQ(retry_policy(config).attempts_max, 101);
}

TEST(ConfigOptions, NamesOfChoicesBecomeValues) {
  Config config;
  config.frontier.durability = "interval";
  EXPECT_EQ(durability(config), frontier::Durability::kInterval);
  config.frontier.durability = "commit";
  EXPECT_EQ(durability(config), frontier::Durability::kCommit);
  for (const auto& [name, level] : {std::pair{"debug", LogLevel::kDebug}, std::pair{"info", LogLevel::kInfo},
                                    std::pair{"warn", LogLevel::kWarn}, std::pair{"error", LogLevel::kError}}) {
    config.log.level = name;
    EXPECT_EQ(log_options(config).level, level) << name;
  }
}

TEST(ConfigOptions, UserAgentNamesProgramVersionAndContact) {
  Config config;
  EXPECT_EQ(user_agent(config), "weir/" WEIR_VERSION);
  config.agent.contact = "https://example.org/crawler";
  EXPECT_EQ(user_agent(config), "weir/" WEIR_VERSION " (+https://example.org/crawler)");
}

TEST(ConfigOptions, TheFetchLogGoesBesideTheStateUnlessSaid) {
  Config config;
  EXPECT_EQ(fetch_log_path(config), "weir-state/fetch.jsonl");
  config.output.folder = "out";
  EXPECT_EQ(fetch_log_path(config), "out/fetch.jsonl");
  config.output.kinds = {"none"};
  EXPECT_EQ(fetch_log_path(config), "");
}

}  // namespace
}  // namespace weir::crawler
