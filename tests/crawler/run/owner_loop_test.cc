// The owner's loop over a scripted frontier and real fetcher threads with an HTTP client that answers at once:
// it ends when drained, at the page limit and on a stop, and a full disk loses nothing.
#include "crawler/run/owner_loop.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

namespace weir::crawler {
namespace {

using frontier::CandidateBatch;
using frontier::Lease;
using frontier::Settlement;

// Leases URLs 1..total once each; remembers what was settled. Fails the turns it is told to fail.
class CountingFrontier final : public frontier::Frontier {
 public:
  explicit CountingFrontier(std::uint64_t total) : total_(total) {}
  Result<frontier::TurnReport> turn(std::span<const Settlement> settled, std::span<const CandidateBatch>,
                                    Now) override {
    if (full_disk_turns > 0) {
      --full_disk_turns;
      return fail(ErrorCode::kRetry, "no space left on device");
    }
    for (const Settlement& settlement : settled) {
      if (settlement.outcome == frontier::Outcome::kReleased) {
        ++released;
      } else {
        ++done;
      }
    }
    return frontier::TurnReport{};
  }
  Result<std::size_t> lease(std::size_t limit, Now, std::vector<Lease>& out) override {
    std::size_t count = 0;
    for (; count < limit && next_ < total_; ++count) {
      Lease lease;
      lease.id = ++next_;
      lease.host = static_cast<frontier::HostId>(lease.id % 7);
      lease.url = "http://a.test/" + std::to_string(lease.id);
      out.push_back(std::move(lease));
    }
    return count;
  }
  std::optional<MonoTime> next_due(Now now) const override {
    return next_ < total_ ? std::optional(now.mono) : std::nullopt;
  }
  bool drained() const override { return done + released >= total_; }
  Result<void> checkpoint(Now) override { return {}; }
  Result<void> recover(Now) override {
    ++recoveries;
    return {};
  }
  Result<void> close(Now) override { return {}; }
  frontier::FrontierStats stats() const override { return {}; }

  std::uint64_t done = 0;
  std::uint64_t released = 0;
  int full_disk_turns = 0;
  int recoveries = 0;

 private:
  const std::uint64_t total_;
  std::uint64_t next_ = 0;
};

// Answers everything 200 in the next poll; while `hold` is set it keeps the answers back until cancel_all.
class InstantClient final : public HttpClient {
 public:
  explicit InstantClient(bool hold) : hold_(hold) {}
  void start(HttpRequest request, Now) override {
    HttpAnswer answer;
    answer.id = request.id;
    answer.status = 200;
    ready_.push_back(std::move(answer));
  }
  void poll(Duration timeout, Now, std::vector<HttpAnswer>& out) override {
    std::unique_lock lock(mutex_);
    if (ready_.empty() || hold_) woken_.wait_for(lock, timeout, [this] { return awake_; });
    awake_ = false;
    if (hold_) return;
    for (HttpAnswer& answer : ready_) out.push_back(std::move(answer));
    ready_.clear();
  }
  void wake() override {
    {
      const std::scoped_lock lock(mutex_);
      awake_ = true;
    }
    woken_.notify_all();
  }
  void cancel_all() override {
    hold_ = false;
    for (HttpAnswer& answer : ready_) answer.reason = frontier::Reason::kStopped;
  }
  std::size_t running() const override { return ready_.size(); }
  std::size_t open_connections() const override { return 0; }

 private:
  bool hold_;
  std::vector<HttpAnswer> ready_;
  std::mutex mutex_;
  std::condition_variable woken_;
  bool awake_ = false;
};

class NoLinks final : public Extractor {
 public:
  void extract(std::string_view, Extraction& out) override { out.clear(); }
};

class OwnerLoopTest : public testing::Test {
 protected:
  static constexpr std::uint32_t kFetchers = 2;
  static constexpr std::uint32_t kTransfers = 16;

  Result<CrawlEnd> run(CountingFrontier& frontier, const OwnerOptions& options, bool hold = false) {
    auto pool = FetcherPool::start(
        kFetchers, kTransfers,
        [&](std::uint32_t index, LeaseQueue& leases) -> Result<std::unique_ptr<Fetcher>> {
          FetcherOptions fetcher_options;
          fetcher_options.index = index;
          fetcher_options.transfers_max = kTransfers;
          fetcher_options.robots_agent = "weir";
          auto reader = std::make_unique<PageReader>(std::make_unique<NoLinks>(), scope_, dedup::Secret{},
                                                     PageReaderOptions{}, counters_, times_);
          return std::make_unique<Fetcher>(
              fetcher_options, FetcherParts{leases, settlements_, std::make_unique<InstantClient>(hold),
                                            std::move(reader), nullptr, clock_, counters_, times_});
        });
    if (!pool) return std::unexpected(pool.error());
    OwnerLoop loop(options, OwnerParts{frontier, **pool, settlements_, stop_, clock_, counters_, times_, *log_,
                                       [](Now) {}});
    auto end = loop.run();
    (*pool)->close_and_join();
    return end;
  }

  SystemClock clock_;
  std::unique_ptr<Log> log_ = Log::discard();
  CrawlCounters counters_;
  StageTimes times_;
  StopFlag stop_;
  SettlementQueue settlements_{kFetchers * kTransfers};
  frontier::Scope scope_ = *frontier::Scope::compile({});
};

TEST_F(OwnerLoopTest, EndsWhenNothingIsLeft) {
  CountingFrontier frontier(1000);
  const auto end = run(frontier, {});
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(*end, CrawlEnd::kDrained);
  EXPECT_EQ(frontier.done, 1000u);
  EXPECT_EQ(counters_.fetched.value(), 1000u);
}

TEST_F(OwnerLoopTest, PageLimitIsNeverExceeded) {
  CountingFrontier frontier(1000);
  OwnerOptions options;
  options.limit_pages = 77;
  const auto end = run(frontier, options);
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(*end, CrawlEnd::kPageLimit);
  EXPECT_EQ(counters_.fetched.value(), 77u);
}

TEST_F(OwnerLoopTest, StopReleasesWhatDoesNotEndWithinTheGrace) {
  CountingFrontier frontier(1000);
  OwnerOptions options;
  options.drain_timeout = Duration(0);
  stop_.raise();
  const auto end = run(frontier, options, true);
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(*end, CrawlEnd::kStopped);
  EXPECT_EQ(frontier.done, 0u);
}

TEST_F(OwnerLoopTest, AFullDiskDelaysSettlementsAndLosesNone) {
  CountingFrontier frontier(40);
  frontier.full_disk_turns = 2;
  const auto end = run(frontier, {});
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(frontier.done, 40u);
  EXPECT_EQ(frontier.recoveries, 2);
}

}  // namespace
}  // namespace weir::crawler
