// Reason: why a page is in the state it is in. One list for fetch.jsonl, explain, counters and retries; the
// text form is part of the output contract, the numbers are stored (never renumber, only append).
#pragma once

#include <cstdint>
#include <string_view>

namespace weir::frontier {

enum class Reason : std::uint8_t {
  kOk = 0,          // 2xx
  kRedirect = 1,    // 3xx with a Location that was followed as a new candidate
  kHttpStatus = 2,  // any other final answer; the status says which
  kTooManyRedirects = 3,
  kBadRedirect = 4,  // Location missing or not a URL
  kRedirectOutOfScope = 5,
  kRobotsDenied = 6,
  kRobotsUnreachable = 7,  // robots.txt could not be had for too long
  kDnsNotFound = 8,        // NXDOMAIN or no address: permanent
  kDnsFailure = 9,         // SERVFAIL, timeout: transient
  kAddressRefused = 10,    // private or loopback address, not in fetch.allow_networks
  kConnectFailed = 11,
  kConnectTimeout = 12,
  kTlsFailed = 13,  // certificate or handshake
  kFirstByteTimeout = 14,
  kTooSlow = 15,  // below fetch.low_speed for too long
  kTotalTimeout = 16,
  kConnectionBroken = 17,  // reset or closed in the middle
  kProtocolError = 18,     // not HTTP, header bomb
  kDecodeFailed = 19,      // broken gzip, br, zstd
  kOutOfScope = 20,
  kHostGivenUp = 21,  // the host failed too often; see its last failure
  kStopped = 22,      // not tried: the crawl was stopping
  kUnsupportedScheme = 23
};

std::string_view reason_name(Reason reason);  // "ok", "redirect", "http_status", "robots_denied", ...
bool is_transient(Reason reason);             // worth another try later
bool is_host_failure(Reason reason);          // says something about the host, not about the page

}  // namespace weir::frontier
