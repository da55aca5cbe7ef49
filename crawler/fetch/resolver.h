// Resolver: host names to addresses over c-ares, without threads. In order: IP literal, `[dns] hosts`,
// localhost, cache, the system's hosts file, DNS (A and AAAA; search domains are not used). One lookup per name
// at a time, however many ask; failures are remembered too. Says nothing about which addresses may be
// contacted. Belongs to one thread, which waits on the poller and calls process().
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "crawler/fetch/dns_cache.h"
#include "crawler/fetch/socket_poller.h"

namespace weir::crawler {

struct ResolverOptions {
  std::vector<std::pair<std::string, std::string>> hosts;  // "a.test" or "*.test" -> address
  std::vector<std::string> servers;                        // "127.0.0.1:5353"; empty: the system's
  Duration timeout = std::chrono::seconds(5);              // of one lookup, all tries together
  Duration ttl_min = std::chrono::seconds(60);
  Duration ttl_max = std::chrono::hours(24);
  std::uint32_t cache_entries_max = 100'000;
};

// A host whose lookup failed is asked for again after this, whoever wants it.
inline constexpr Duration kDnsFailureTtl = std::chrono::seconds(5);
inline constexpr int kDnsTries = 2;  // per server

struct Resolved {
  std::uint64_t ticket = 0;
  Resolution resolution;
};

class Resolver {
 public:
  // Its sockets are watched by `poller` (SocketOwner::kDns), which must outlive it.
  static Result<std::unique_ptr<Resolver>> create(const ResolverOptions& options, SocketPoller& poller);
  virtual ~Resolver() = default;

  // The answer if it is known now (good until the next call), else null: it comes out of process() with
  // `ticket`.
  virtual const Resolution* resolve(std::string_view host, std::uint64_t ticket, Now now) = 0;

  // The longest wait before process() must run even if nothing happened on the sockets.
  virtual Duration wait_max(Duration limit, Now now) const = 0;
  virtual void on_event(const SocketEvent& event, Now now) = 0;
  // Time-outs, and the answers that have come in since.
  virtual void process(Now now, std::vector<Resolved>& out) = 0;

  virtual std::size_t lookups_running() const = 0;
};

}  // namespace weir::crawler
