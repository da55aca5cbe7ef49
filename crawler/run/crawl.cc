// Assembly: what is made first is needed by what follows, and is taken apart last.
#include "crawler/run/crawl.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "crawler/html/make_extractor.h"
#include "crawler/run/process_memory.h"
#include "crawler/run/signals.h"
#include "crawler/run/timed_set.h"
#include "crawler/visit/fetcher.h"

namespace weir::crawler {
namespace {

// The parts of a running crawl, in the order of their making.
class Crawl {
 public:
  Crawl(const CrawlSetup& setup, const Clock& clock, Log& log)
      : setup_(setup),
        clock_(clock),
        log_(log),
        // One place for each lease there can be, so that no fetcher ever waits to settle.
        settlements_(std::size_t{setup.fetcher_threads} * setup.http.transfers_max) {}

  Result<CrawlResult> run() {
    started_ = clock_.now().mono;
    // Before anything that starts threads (the store does): they inherit the blocked signals.
    auto signals = StopSignals::listen([this](int) {
      stop_.raise();
      settlements_.wake();
    });
    if (!signals) return std::unexpected(signals.error());
    if (auto opened = open(); !opened) return std::unexpected(opened.error());
    if (auto started = start_fetchers(); !started) return std::unexpected(started.error());
    make_loop();
    if (auto fed = feed_seeds(); !fed) return std::unexpected(fed.error());
    auto end = loop_->run();
    if (!end) pool_->abort();
    pool_->close_and_join();
    if (!end) return std::unexpected(end.error());
    say_what_was_refused();
    say_what_was_lost();
    CrawlResult result{*end, summary()};
    if (auto closed = frontier_->close(clock_.now()); !closed) return std::unexpected(closed.error());
    return result;
  }

 private:
  Result<void> open() {
    auto scope = frontier::Scope::compile(setup_.scope);
    if (!scope) return std::unexpected(scope.error());
    scope_.emplace(*std::move(scope));
    auto rules = AddressRules::parse(setup_.allow_networks);
    if (!rules) return std::unexpected(rules.error());
    rules_ = *std::move(rules);
    auto set = dedup::make_set(setup_.dedup);
    if (!set) return std::unexpected(set.error());
    auto frontier = frontier::local::LocalFrontier::open(
        setup_.frontier, std::make_unique<TimedSet>(*std::move(set), times_.dedup), log_, clock_.now());
    if (!frontier) return std::unexpected(frontier.error());
    frontier_ = *std::move(frontier);
    return {};
  }

  Result<void> start_fetchers() {
    auto pool = FetcherPool::start(
        setup_.fetcher_threads, setup_.http.transfers_max,
        [this](std::uint32_t index, LeaseQueue& leases) { return make_fetcher(index, leases); });
    if (!pool) return std::unexpected(pool.error());
    pool_ = *std::move(pool);
    return {};
  }

  Result<std::unique_ptr<Fetcher>> make_fetcher(std::uint32_t index, LeaseQueue& leases) {
    auto client = HttpClient::create(setup_.http, rules_, log_);
    if (!client) return std::unexpected(client.error());
    std::unique_ptr<DroppedLog> dropped_log;
    if (!setup_.dropped_log_path.empty()) {
      auto opened = DroppedLog::open(setup_.dropped_log_path);
      if (!opened) return std::unexpected(opened.error());
      dropped_log = *std::move(opened);
    }
    auto reader =
        std::make_unique<PageReader>(make_extractor(setup_.engine, clock_, setup_.extractor), *scope_,
                                     frontier_->secret(), setup_.page, counters_, times_, dropped_log.get());
    std::unique_ptr<FetchLog> fetch_log;
    if (!setup_.fetch_log_path.empty()) {
      auto opened = FetchLog::open(setup_.fetch_log_path);
      if (!opened) return std::unexpected(opened.error());
      fetch_log = *std::move(opened);
    }
    FetcherOptions options;
    options.index = index;
    options.transfers_max = setup_.http.transfers_max;
    options.robots_agent = setup_.robots_agent;
    options.sitemaps = setup_.sitemaps;
    options.hold_max = setup_.frontier.politeness.hold_max;
    return std::make_unique<Fetcher>(
        options, FetcherParts{leases, settlements_, *std::move(client), std::move(reader), std::move(fetch_log),
                              clock_, counters_, times_, std::move(dropped_log)});
  }

  void make_loop() {
    loop_.emplace(setup_.owner, OwnerParts{*frontier_, *pool_, settlements_, stop_, clock_, counters_, times_,
                                           log_, [this](Now now) { setup_.show_progress(progress(), now); }});
  }

  Result<void> feed_seeds() {
    std::uint64_t offered = 0;
    std::uint64_t admitted = 0;
    auto fed = setup_.seeds(frontier_->secret(), [&](const frontier::CandidateBatch& batch) -> Result<void> {
      auto report = loop_->inject(batch);
      if (!report) return std::unexpected(report.error());
      offered += batch.items.size();
      admitted += report->admitted;
      return {};
    });
    if (fed && offered > 0 && admitted == 0) {
      log_.info("all seeds already seen ({}); going on with what is queued", offered);
    }
    return fed;
  }

  // Easily overlooked by whoever crawls an intranet for the first time.
  void say_what_was_refused() {
    const std::uint64_t refused = counters_.addresses_refused.value();
    if (refused == 0) return;
    log_.warn(
        "{} URLs are on private or loopback addresses and were not contacted; to allow such a network: "
        "--set 'fetch.allow_networks=[\"127.0.0.0/8\"]'",
        refused);
  }

  void say_what_was_lost() {
    const std::uint64_t lost = counters_.lines_lost.value();
    if (lost == 0) return;
    log_.warn("{} lines of fetch.jsonl and dropped.jsonl could not be written; the crawl itself lost nothing",
              lost);
  }

  ProgressSnapshot progress() const {
    const frontier::FrontierStats stats = frontier_->stats();
    ProgressSnapshot snapshot;
    snapshot.pages = counters_.fetched.value();
    snapshot.queued = stats.queued;
    snapshot.hosts = stats.hosts;
    snapshot.duplicates = loop_->totals().duplicates + counters_.repeats.value();
    snapshot.failed = counters_.failed.value() + loop_->totals().retries_exhausted;
    snapshot.in_flight = pool_->in_flight();
    snapshot.memory_bytes = resident_bytes();
    return snapshot;
  }

  CrawlSummary summary() const {
    const frontier::FrontierStats stats = frontier_->stats();
    CrawlSummary summary;
    summary.fetched = counters_.fetched.value();
    summary.redirected = counters_.redirected.value();
    summary.robots_denied = counters_.robots_denied.value();
    summary.admitted = loop_->totals().admitted;
    summary.duplicates = loop_->totals().duplicates + counters_.repeats.value();
    summary.out_of_scope = counters_.out_of_scope.value();
    summary.failed = counters_.failed.value() + loop_->totals().retries_exhausted;
    summary.retried = counters_.retried.value();
    summary.queued = stats.queued;
    summary.bytes = counters_.body_bytes.value();
    summary.lines_lost = counters_.lines_lost.value();
    summary.elapsed = clock_.now().mono - started_;
    summary.dedup_backend = setup_.dedup.backend;
    summary.dedup = stats.dedup;
    summary.cpu = cpu_seconds();
    return summary;
  }

  CpuSeconds cpu_seconds() const {
    const auto seconds = [](const Counter& nanoseconds) {
      return static_cast<double>(nanoseconds.value()) / 1e9;
    };
    CpuSeconds cpu;
    cpu.fetch = seconds(times_.fetch);
    cpu.parse = seconds(times_.parse);
    cpu.links = seconds(times_.links);
    cpu.settle = seconds(times_.settle);
    cpu.dedup = seconds(times_.dedup);
    cpu.store = std::max(0.0, seconds(times_.turn) - cpu.dedup);
    cpu.lease = seconds(times_.lease);
    return cpu;
  }

  const CrawlSetup& setup_;
  const Clock& clock_;
  Log& log_;
  MonoTime started_;
  CrawlCounters counters_;
  StageTimes times_;
  StopFlag stop_;
  AddressRules rules_;
  std::optional<frontier::Scope> scope_;
  std::unique_ptr<frontier::local::LocalFrontier> frontier_;
  SettlementQueue settlements_;
  std::unique_ptr<FetcherPool> pool_;
  std::optional<OwnerLoop> loop_;
};

}  // namespace

Result<CrawlResult> run_crawl(const CrawlSetup& setup, const Clock& clock, Log& log) {
  return Crawl(setup, clock, log).run();
}

}  // namespace weir::crawler
