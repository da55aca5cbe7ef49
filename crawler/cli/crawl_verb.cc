// Config to CrawlSetup, run, report.
#include "crawler/cli/crawl_verb.h"

#include <unistd.h>

#include <algorithm>
#include <memory>

#include "crawler/cli/crawl_plan.h"
#include "crawler/config/options.h"
#include "crawler/output/dropped_log.h"
#include "crawler/output/progress.h"
#include "crawler/run/crawl.h"

namespace weir::crawler {
namespace {

constexpr Duration kLiveInterval = std::chrono::milliseconds(500);  // a live line that can still be read

std::uint32_t fetcher_threads(const Config& config) {
  if (config.crawl.fetcher_threads > 0) return static_cast<std::uint32_t>(config.crawl.fetcher_threads);
  return static_cast<std::uint32_t>(std::max(1L, ::sysconf(_SC_NPROCESSORS_ONLN)));
}

Result<std::unique_ptr<DroppedLog>> open_dropped_log(const std::string& path, WallTime now) {
  if (path.empty()) return nullptr;
  auto dropped = DroppedLog::open(path);
  if (dropped) (*dropped)->set_time(now);
  return dropped;
}

SeedFeed seed_feed(const CrawlPlan& plan, const frontier::KeyRules& rules, const std::string& dropped_path,
                   const Clock& clock, Log& log) {
  return [&plan, &rules, &clock, &log, dropped_path](const dedup::Secret& secret,
                                                     const SeedSink& sink) -> Result<void> {
    const auto scope = frontier::Scope::compile(plan.scope);
    if (!scope) return std::unexpected(scope.error());
    auto dropped = open_dropped_log(dropped_path, clock.now().wall);
    if (!dropped) return std::unexpected(dropped.error());
    std::size_t named = 0;
    const auto refused = [&](const Seed& seed, const frontier::ScopeVerdict& verdict) {
      const bool name = named++ < kBadSeedsNamed;
      if (!name && *dropped == nullptr) return;
      const std::string rule = scope->describe(verdict, seed.url);
      if (name) log.warn("seed '{}' is out of scope: {}", seed.url.href(), rule);
      if (*dropped == nullptr) return;
      const DropReason reason = seed.url.is_http() ? DropReason::kOutOfScope : DropReason::kNotHttp;
      (*dropped)->add({seed.url.href(), {}, reason, rule, 0, seed.tag});
    };
    const auto report = feed_seeds(plan.seeds, *scope, rules, secret, sink, refused);
    if (!report) return std::unexpected(report.error());
    if (report->out_of_scope > 0) log.warn("seeds: {} are out of scope and left out", report->out_of_scope);
    return {};
  };
}

frontier::local::LocalOptions frontier_options(const Config& config) {
  frontier::local::LocalOptions options;
  options.path = config.crawl.state;
  options.key_rules = key_rules(config).text();
  options.politeness = politeness_options(config);
  options.retry = retry_policy(config);
  options.durability = durability(config);
  options.sync_interval = config.frontier.sync_interval;
  options.lease_duration = config.frontier.lease_time;
  options.window_bytes = config.frontier.window_bytes;
  options.robots_bytes = config.frontier.robots_bytes;
  return options;
}

CrawlSetup make_setup(const Config& config, const CrawlPlan& plan, bool live) {
  CrawlSetup setup;
  setup.frontier = frontier_options(config);
  setup.dedup = set_options(config);
  setup.scope = plan.scope;
  setup.http = http_options(config);
  setup.allow_networks = config.fetch.allow_networks;
  setup.sitemaps = config.crawl.sitemaps;
  setup.engine = config.parse.engine;
  setup.extractor = extractor_limits(config);
  setup.page.redirects_max = static_cast<std::uint8_t>(config.fetch.redirects_max);
  setup.page.limits = setup.extractor;
  setup.page.obey_robots_meta = config.robots.obey && config.robots.obey_meta;
  setup.page.key_rules = key_rules(config);
  setup.page.obey_nofollow = config.scope.nofollow == "obey";
  setup.owner.limit_pages = config.crawl.limit_pages;
  setup.owner.drain_timeout = config.crawl.drain_timeout;
  setup.owner.progress_interval = live ? kLiveInterval : config.output.progress_interval;
  setup.owner.checkpoint_interval = config.crawl.checkpoint_interval;
  setup.robots_agent = config.agent.name;
  setup.fetcher_threads = fetcher_threads(config);
  setup.fetch_log_path = fetch_log_path(config);
  setup.dropped_log_path = dropped_log_path(config);
  return setup;
}

void report_seeds(const SeedReport& report, Log& log) {
  for (const BadSeed& seed : report.first_bad) log.warn("{}:{}: {}", seed.source, seed.line, seed.reason);
  if (report.bad > 0) log.warn("seeds: {} bad lines left out, {} seeds taken", report.bad, report.good);
  if (report.credentials_dropped > 0) {
    log.warn("seeds: {} name a user or password; these are never sent", report.credentials_dropped);
  }
}

}  // namespace

ExitCode run_crawl_verb(const Config& config, const Terminal& terminal, const Clock& clock, Log& log,
                        Streams& streams) {
  const auto refuse = [&](const Error& error) {
    log.flush();
    streams.problem(error.message());
    return exit_code(error.code());
  };
  const auto plan = plan_crawl(config);
  if (!plan) return refuse(plan.error());
  report_seeds(plan->report, log);
  ProgressLine line({terminal.live, terminal.columns, config.output.progress_interval},
                    [&streams](std::string_view text) { streams.error(text); });
  CrawlSetup setup = make_setup(config, *plan, terminal.live);
  setup.seeds = seed_feed(*plan, setup.page.key_rules, setup.dropped_log_path, clock, log);
  setup.show_progress = [&line](const ProgressSnapshot& snapshot, Now now) { line.show(snapshot, now); };
  const auto result = run_crawl(setup, clock, log);
  line.finish();
  if (!result) return refuse(result.error());
  log.flush();
  streams.out_line(format_summary(result->summary));
  return result->end == CrawlEnd::kStopped ? ExitCode::kStopped : ExitCode::kDone;
}

}  // namespace weir::crawler
