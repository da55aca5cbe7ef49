// The two messages of the program: a Lease goes out to a fetcher, one Settlement comes back. Plain values,
// moved through bounded queues. Nothing else crosses a thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "base/clock.h"
#include "dedup/fingerprint.h"
#include "frontier/candidates.h"
#include "frontier/reason.h"

namespace weir::frontier {

using LeaseId = std::uint64_t;
using HostId = std::uint32_t;

enum class LeaseKind : std::uint8_t {
  kPage,
  kRobots  // fetch this host's robots.txt; comes before any page of the host and whenever it has expired
};

// A host's robots.txt as the frontier keeps it: the body of the last good answer (empty: no rules).
// Immutable and shared, because many leases of one host carry the same text (decisions/0003).
struct RobotsFile {
  std::string body;
  std::uint64_t version = 0;  // differs whenever the body may differ; key of a fetcher's parse cache
};

struct Lease {
  LeaseId id = 0;
  LeaseKind kind = LeaseKind::kPage;
  HostId host = 0;
  std::string url;                  // wire form; for kRobots the origin followed by "/robots.txt"
  std::uint32_t origin_length = 0;  // url[0, origin_length) names the host
  std::uint16_t depth = 0;
  std::uint16_t depth_limit = kNoDepthLimit;
  std::uint8_t redirect_hops = 0;
  std::uint8_t off_scope_hops = 0;
  std::uint8_t attempt = 0;  // 0 for the first try
  std::string parent;        // empty for a seed
  std::string tag;           // for kRobots tag and depth_limit are those of the URL that waits for it
  std::shared_ptr<const RobotsFile> robots;  // null: robots are off (robots.obey = false)
  bool host_given_up = false;                // do not contact the host: settle as failed with given_up_reason
  Reason given_up_reason = Reason::kHostGivenUp;
  MonoTime expires;  // after this the URL is leased again
};

enum class Outcome : std::uint8_t {
  kDone,     // an answer came (any status), or robots forbade it: final
  kRetry,    // transient: try again later, at most RetryPolicy::attempts_max times, then it is failed
  kFailed,   // final
  kReleased  // not tried: back to the head of its queue, nothing counted
};

// IPv4 as ::ffff:a.b.c.d.
struct IpAddress {
  std::array<std::uint8_t, 16> bytes{};
  bool known = false;
  friend bool operator==(const IpAddress&, const IpAddress&) = default;
};

// What the fetch taught about the host.
struct HostFeedback {
  bool contacted = false;   // a request reached the wire: the host's delay starts now
  Duration fetch_time{0};   // of the request, start to last byte
  Duration hold{0};         // Retry-After, capped by the fetcher: no request to the host before; 0: none
  bool overloaded = false;  // 429 or 503: hold or back off
  IpAddress ip;             // the connected address
};

enum class RobotsState : std::uint8_t {
  kRules,       // 2xx: body holds the rules
  kNone,        // 4xx: everything is allowed
  kUnreachable  // 5xx, 429, network: nothing is allowed; the frontier asks again later
};

struct RobotsFeedback {
  RobotsState state = RobotsState::kNone;
  std::string body;         // at most limits::kRobotsBytesMax, cut at a line end
  Duration crawl_delay{0};  // of our agent's group; 0: unset
  Duration fresh_for{0};    // how long the answer may be used (at most 24 h)
};

// What is remembered of a finished page; explain reads it.
struct PageRecord {
  dedup::Fingerprint fingerprint;  // of the lease's URL
  Reason reason = Reason::kOk;
  std::uint16_t status = 0;  // HTTP status; 0: none
  std::uint64_t bytes = 0;   // decoded
  std::uint64_t digest = 0;  // hash64 of the decoded body; 0: none
  std::string redirect;      // target, when reason is kRedirect
};

struct Settlement {
  LeaseId lease = 0;
  std::uint32_t fetcher = 0;  // which fetcher held it
  LeaseKind kind = LeaseKind::kPage;
  Outcome outcome = Outcome::kReleased;
  PageRecord page;        // kPage
  RobotsFeedback robots;  // kRobots
  HostFeedback host;
  CandidateBatch links;  // kDone: what the page led to, redirect target included; the sitemaps of robots.txt
  std::uint32_t repeats = 0;  // links dropped before the dedup call: repeats in the page or lately sent
};

}  // namespace weir::frontier
