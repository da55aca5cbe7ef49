// MemoryFrontier: the oracle. The rules of frontier/frontier.h in the plainest form: maps, full walks over all
// hosts, no store, no wheel, no windows. Slow and meant to be read; what an engine does differently is a bug in
// one of the two. One thread. Nothing of it survives the object; recover() and checkpoint() have nothing to do.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontier/frontier.h"
#include "frontier/politeness.h"
#include "tests/support/exact_url_set.h"

namespace weir::test {

struct MemoryOptions {
  frontier::PolitenessOptions politeness;
  frontier::RetryPolicy retry;
  Duration lease_duration = std::chrono::minutes(10);
};

class MemoryFrontier final : public frontier::Frontier {
 public:
  explicit MemoryFrontier(const MemoryOptions& options) : options_(options) {}

  Result<frontier::TurnReport> turn(std::span<const frontier::Settlement> settled,
                                    std::span<const frontier::CandidateBatch> injected, Now now) override;
  Result<std::size_t> lease(std::size_t limit, Now now, std::vector<frontier::Lease>& out) override;
  std::optional<MonoTime> next_due(Now now) const override;
  bool drained() const override;
  Result<void> checkpoint(Now) override { return {}; }
  Result<void> recover(Now) override { return {}; }
  Result<void> close(Now) override { return {}; }
  frontier::FrontierStats stats() const override;

  // What a kill and a new start do: leases return, and every host waits one delay or what is left of its hold.
  void restart(Now now);
  // What a recovery does: leases stay, every host waits as after a restart.
  void delay_all(Now now);

 private:
  struct Waiting {
    std::string path;
    std::string parent;
    std::string tag;
    std::uint16_t depth = 0;
    std::uint16_t depth_limit = frontier::kNoDepthLimit;
    std::uint8_t redirect_hops = 0;
    std::uint8_t off_scope_hops = 0;
    std::uint8_t attempt = 0;
    MonoTime not_before{};
  };
  using Place = std::pair<std::uint8_t, std::uint64_t>;  // class, seq: the order of service
  struct Host {
    frontier::HostId id = 0;
    std::uint64_t next_seq = 1;
    std::map<Place, Waiting> waiting;
    std::set<Place> leased;
    bool robots_leased = false;
    std::optional<frontier::RobotsState> robots;
    std::shared_ptr<const frontier::RobotsFile> rules;
    MonoTime robots_until{};
    Duration crawl_delay{0};
    MonoTime not_before{};
    MonoTime hold_until{};
    unsigned failures = 0;
    unsigned overloads = 0;
    std::optional<frontier::Reason> given_up;
    frontier::IpAddress ip;
  };
  struct Out {  // a lease
    std::string origin;
    frontier::LeaseKind kind = frontier::LeaseKind::kPage;
    Place place;
    Waiting url;
    MonoTime expires{};
  };

  void expire(Now now);
  void admit(const frontier::CandidateBatch& batch, frontier::TurnReport& report);
  void settle(const frontier::Settlement& settlement, Now now, frontier::TurnReport& report);
  void settle_late(const frontier::Settlement& settlement, Now now, frontier::TurnReport& report);
  void settle_page(Host& host, const Out& out, const frontier::Settlement& settlement, Now now,
                   frontier::TurnReport& report);
  void settle_robots(Host& host, const frontier::Settlement& settlement, Now now);
  void finish(bool failed, frontier::TurnReport& report);
  void learn(Host& host, const frontier::HostFeedback& feedback, Now now);
  void hold(Host& host, Duration wait, Now now);
  void fail_host(Host& host, frontier::Reason reason, bool robots, Now now);
  bool robots_needed(const Host& host, Now now) const;
  // The first URL of the host that may go out at `time`; end() when none may.
  std::map<Place, Waiting>::const_iterator servable(const Host& host, MonoTime time) const;
  std::optional<MonoTime> due(const Host& host) const;
  frontier::Lease give(const std::string& origin, Host& host, Now now);

  const MemoryOptions options_;
  ExactUrlSet set_;
  std::map<std::string, Host> hosts_;
  std::map<frontier::LeaseId, Out> leases_;
  std::map<frontier::LeaseId, Out> expired_;
  std::map<std::string, MonoTime> last_start_;  // by address
  frontier::FrontierStats totals_;
  std::uint64_t commit_ = 0;
  std::uint64_t rules_version_ = 0;
  frontier::LeaseId next_lease_ = 1;
};

}  // namespace weir::test
