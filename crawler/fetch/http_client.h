// HttpClient: many HTTP transfers of one thread over libcurl multi. It knows HTTP, DNS, deadlines, caps and
// address rules; nothing of crawling, robots or queues. Redirects are not followed: the answer says where to.
// Owned and driven by one thread; only wake() may be called from others.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "crawler/fetch/address_rules.h"
#include "frontier/messages.h"
#include "frontier/reason.h"
#include "frontier/url/url.h"

namespace weir::crawler {

struct HttpOptions {
  std::string user_agent;                    // "weir/0.1 (+https://...)"
  std::uint32_t transfers_max = 256;         // at a time; more wait inside, their time has not begun
  std::uint64_t body_bytes_max = 16u << 20;  // decoded; more is cut and marked
  Duration connect_timeout = std::chrono::seconds(15);
  Duration first_byte_timeout = std::chrono::seconds(30);  // from request sent to first byte of the answer
  Duration total_timeout = std::chrono::seconds(120);
  std::uint32_t low_speed_bytes = 100;  // per second, over low_speed_time
  Duration low_speed_time = std::chrono::seconds(30);
  std::uint32_t connections_max = 512;  // kept open, all hosts together
  bool verify_tls = true;
  std::string ca_file;  // PEM of extra roots; empty: the system's
  std::string accept = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5";
  std::vector<std::pair<std::string, std::string>> dns_hosts;  // [dns] hosts: name or "*.name" -> address
  std::vector<std::string> dns_servers;                        // "127.0.0.1:5353"; empty: the system's
  Duration dns_timeout = std::chrono::seconds(5);
  Duration dns_ttl_min = std::chrono::seconds(60);
  Duration dns_ttl_max = std::chrono::hours(24);
  std::uint32_t dns_cache_entries_max = 100'000;
};

struct HttpRequest {
  std::uint64_t id = 0;              // the caller's, returned with the answer
  std::string url;                   // the serialisation of an http(s) Url: goes on the wire as it is
  std::uint64_t body_bytes_max = 0;  // 0: the client's
};

struct HttpAnswer {
  std::uint64_t id = 0;
  frontier::Reason reason = frontier::Reason::kOk;  // kOk: an answer arrived, whatever its status
  std::string detail;                               // one line for a human when reason is not kOk
  std::uint16_t status = 0;
  std::string content_type;      // the last Content-Type field; empty: none
  std::string location;          // raw bytes of the first Location field
  std::string retry_after;       // raw
  std::string link;              // raw, several fields joined by ", "
  std::string refresh;           // raw
  std::string content_location;  // raw
  std::string body;              // decoded, at most the cap; a compressed stream may end early unnoticed
  bool truncated = false;        // the cap cut the body
  std::uint64_t wire_bytes = 0;  // body bytes received before decoding
  Duration elapsed{0};           // from the start of the transfer, DNS included, to the last byte
  frontier::IpAddress ip;        // connected address
  bool contacted = false;        // a connection to the host was made or tried
};

class HttpClient {
 public:
  // From then on the process ignores SIGPIPE, unless it handles it: TLS needs that. kUsage: a bad option.
  static Result<std::unique_ptr<HttpClient>> create(const HttpOptions& options, AddressRules rules, Log& log);
  virtual ~HttpClient() = default;

  // Takes the request; its answer comes out of a later poll(), whatever happens to it.
  virtual void start(HttpRequest request, Now now) = 0;

  // Waits up to `timeout` for network activity or wake(), then appends all finished answers to `out`.
  virtual void poll(Duration timeout, Now now, std::vector<HttpAnswer>& out) = 0;

  // Ends a running poll() early, or the next one. The only call allowed from other threads.
  virtual void wake() = 0;

  // Aborts every transfer; their answers (kStopped) come out of the next poll().
  virtual void cancel_all() = 0;

  virtual std::size_t running() const = 0;
  virtual std::size_t open_connections() const = 0;
};

}  // namespace weir::crawler
