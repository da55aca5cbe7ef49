// Facts are gathered as name and value first, so that both forms of output say the same.
#include "crawler/cli/explain_verb.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "base/log.h"
#include "crawler/config/key_rules_text.h"
#include "crawler/config/options.h"
#include "crawler/config/values.h"
#include "crawler/output/json.h"
#include "crawler/output/utc_time.h"
#include "crawler/robots/page_verdict.h"
#include "frontier/local/state_reader.h"

namespace weir::crawler {
namespace {

using frontier::local::Explanation;
using frontier::local::HostView;
using frontier::local::StateReader;
using frontier::local::UrlState;

using Facts = std::vector<std::pair<std::string_view, std::string>>;

std::string utc(WallTime time) {
  std::string text;
  append_utc_time(text, time);
  return text;
}

std::string_view robots_name(frontier::RobotsState state) {
  switch (state) {
    case frontier::RobotsState::kRules: return "has rules";
    case frontier::RobotsState::kNone: return "none: everything is allowed";
    case frontier::RobotsState::kUnreachable: return "unreachable: nothing is allowed until it answers";
  }
  return "unknown";
}

void add_identity(const frontier::Url& url, const frontier::KeyRules& key_rules, Facts& facts) {
  facts.emplace_back("url", url.href());
  facts.emplace_back("key", key_rules.key(url).text());
  std::string rules;
  for (const std::string_view rule : key_rules.applied(url))
    rules.append(rules.empty() ? "" : ", ").append(rule);
  facts.emplace_back("key rules", rules.empty() ? "none changed it" : rules);
}

// The answer goes by the state's rules; a crawl under this configuration would be refused.
void add_rules_in_conflict(const frontier::KeyRules& of_state, const Config& config, Facts& facts) {
  const auto line = [](std::string text) {
    while (text.ends_with('\n')) text.pop_back();
    std::ranges::replace(text, '\n', ' ');
    return text;
  };
  const frontier::KeyRules of_config = key_rules(config);
  if (of_state.text() == of_config.text()) return;
  facts.emplace_back("rules of the state", line(of_state.text()));
  facts.emplace_back("rules of the config", line(of_config.text()) + " (refused by a crawl; see weir rekey)");
}

// Without rules of its own a crawl takes its scope from its seeds, which explain does not know.
void add_scope(const frontier::Url& url, const Explanation& found, const Config& config, Facts& facts) {
  const frontier::ScopeOptions options = scope_options(config);
  auto scope = frontier::Scope::compile(options);
  if (!scope) return;  // config check has refused it
  const frontier::ScopeVerdict verdict = scope->judge(url, {.depth = found.depth, .hops = 1});
  const bool by_seeds = verdict.rule == frontier::ScopeRule::kUnlimited ||
                        (config.scope.same_domain && verdict.rule == frontier::ScopeRule::kNoRuleMatches);
  if (by_seeds) {
    facts.emplace_back(
        "scope", config.scope.same_domain ? "the seeds' domains" : "the seeds' hosts (no rule is configured)");
  } else {
    facts.emplace_back("scope",
                       fmt::format("{}: {}", verdict.in_scope() ? "in" : "out", scope->describe(verdict, url)));
  }
}

void add_dedup(const Explanation& found, Facts& facts) {
  if (!found.verdict) return;
  const bool seen = *found.verdict == dedup::Verdict::kSeen;
  facts.emplace_back(
      "dedup", fmt::format("{} ({})", seen ? "seen" : "new", found.verdict_certain ? "certain" : "probable"));
}

void add_history(const Explanation& found, Facts& facts) {
  if (found.state == UrlState::kUnknown || found.state == UrlState::kLost) return;
  facts.emplace_back("parent", found.parent.empty() ? "none: a seed" : found.parent);
  facts.emplace_back("depth", fmt::format("{}", found.depth));
  if (!found.tag.empty()) facts.emplace_back("tag", found.tag);
  facts.emplace_back("discovered", utc(found.discovered));
  facts.emplace_back("attempts", fmt::format("{}", found.attempts));
  if (found.not_before) facts.emplace_back("not before", utc(*found.not_before));
  if (found.state == UrlState::kQueued) return;
  facts.emplace_back("reason", reason_name(found.reason));
  if (found.status != 0) facts.emplace_back("status", fmt::format("{}", found.status));
  facts.emplace_back("fetched", utc(found.fetched));
  facts.emplace_back("bytes", fmt::format("{}", found.bytes));
  if (!found.redirect.empty()) facts.emplace_back("redirect", found.redirect);
}

// With the line that decides.
std::string robots_verdict(const HostView& host, const frontier::Url& url, const std::string& agent) {
  if (host.robots == frontier::RobotsState::kUnreachable) return "denied: robots.txt is unreachable";
  const RobotsRules rules = RobotsRules::parse(host.robots_body, agent);
  const RobotsVerdict verdict = judge_page(rules, url);
  if (verdict.line == 0) return "allowed: no rule matches";
  return fmt::format("{} by line {}: {}", verdict.allowed ? "allowed" : "denied", verdict.line, verdict.text);
}

void add_host(const HostView& host, const frontier::Url& url, const std::string& agent, Facts& facts) {
  facts.emplace_back("host pending", fmt::format("{}", host.pending));
  if (host.held_until) facts.emplace_back("host held until", utc(*host.held_until));
  if (host.failures > 0) facts.emplace_back("host failures", fmt::format("{} in a row", host.failures));
  if (host.given_up) facts.emplace_back("host given up", reason_name(*host.given_up));
  if (host.robots) {
    const std::string until = host.robots_until ? fmt::format(" (until {})", utc(*host.robots_until)) : "";
    facts.emplace_back("robots", std::string(robots_name(*host.robots)) + until);
    facts.emplace_back("robots verdict", robots_verdict(host, url, agent));
  }
  if (host.crawl_delay > Duration(0)) facts.emplace_back("crawl delay", format_duration(host.crawl_delay));
}

std::string as_json(const Facts& facts) {
  std::string text;
  JsonObject object(text);
  for (const auto& [name, value] : facts) {
    std::string field(name);
    for (char& c : field) c = c == ' ' ? '_' : c;
    object.text(field, value);
  }
  object.close();
  return text;
}

Result<std::unique_ptr<StateReader>> open_state(const Config& config, Log& log, Streams& streams) {
  auto reader = StateReader::open(config.crawl.state, log);
  if (!reader) return reader;
  auto set = dedup::make_set(set_options(config));
  if (!set) return std::unexpected(set.error());
  auto loaded = (*reader)->load_filter(*std::move(set));
  if (loaded) return reader;
  // Another backend than the crawl's is no reason to say nothing; the rest of the answer does not need it.
  streams.problem("the dedup stage is not asked: " + loaded.error().message());
  return StateReader::open(config.crawl.state, log);
}

}  // namespace

ExitCode run_explain(const Arguments& arguments, const Config& config, Streams& streams) {
  const auto parsed = frontier::parse_url(arguments.urls.front());
  if (!parsed || !parsed->is_http()) {
    streams.problem(fmt::format("'{}' is no http or https URL{}", arguments.urls.front(),
                                parsed ? "" : fmt::format(": {}", describe(parsed.error()))));
    return ExitCode::kUsage;
  }
  const auto log = Log::discard();
  auto reader = open_state(config, *log, streams);
  auto rules = reader ? key_rules_of((*reader)->key_rules())
                      : Result<frontier::KeyRules>(std::unexpected(reader.error()));
  auto found =
      rules ? (*reader)->explain(*parsed, *rules) : Result<Explanation>(std::unexpected(rules.error()));
  if (!found) {
    streams.problem(found.error().message());
    return exit_code(found.error().code());
  }
  const frontier::Url url = rules->queue_form(*parsed);
  Facts facts;
  facts.emplace_back("verdict", url_state_name(found->state));
  add_identity(url, *rules, facts);
  add_rules_in_conflict(*rules, config, facts);
  add_scope(frontier::wire_form(url), *found, config, facts);
  add_dedup(*found, facts);
  add_history(*found, facts);
  if (found->host) add_host(*found->host, url, config.agent.name, facts);
  if (arguments.json) {
    streams.out_line(as_json(facts));
    return ExitCode::kDone;
  }
  for (const auto& [name, value] : facts) streams.out_line(fmt::format("{}: {}", name, value));
  return ExitCode::kDone;
}

}  // namespace weir::crawler
