// The config as the option structs of the parts, one function each. Ranges were checked by the loader, so that
// nothing here can fail. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "base/log.h"
#include "crawler/config/config.h"
#include "crawler/fetch/http_client.h"
#include "crawler/html/extractor.h"
#include "dedup/registry.h"
#include "frontier/frontier.h"
#include "frontier/politeness.h"
#include "frontier/scope/scope.h"
#include "frontier/url/key_rules.h"

namespace weir::crawler {

frontier::PolitenessOptions politeness_options(const Config& config);
frontier::RetryPolicy retry_policy(const Config& config);
frontier::ScopeOptions scope_options(
    const Config& config);  // as configured; see cli/seed_scope.h for the default
frontier::KeyRulesOptions key_rules_options(const Config& config);
frontier::KeyRules key_rules(const Config& config);
frontier::Durability durability(const Config& config);
dedup::SetOptions set_options(const Config& config);
HttpOptions http_options(const Config& config);
ExtractorLimits extractor_limits(const Config& config);
LogOptions log_options(const Config& config);

// "weir/0.1.0 (+https://example.org/crawler)".
std::string user_agent(const Config& config);

// "OUT/fetch.jsonl"; empty when output.kinds has no jsonl.
std::string fetch_log_path(const Config& config);
// "OUT/dropped.jsonl"; empty when output.kinds has no dropped.
std::string dropped_log_path(const Config& config);

}  // namespace weir::crawler
