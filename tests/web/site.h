// Site: from a request to the bytes of its answer. Adds HTTP to the graph: status, fields, robots.txt, chunked
// and gzip bodies, late first bytes. The only state it needs from outside is how often a URL was asked before
// (flaky pages). Owned by one thread (the compressor is reused).
#pragma once

#include <zlib.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "tests/web/graph.h"
#include "tests/web/page.h"

namespace weir::testweb {

// What is kept of a request head.
struct Request {
  std::string method;
  std::string host;  // without the port
  std::string target;
  bool accepts_gzip = false;
  bool keep_alive = true;
  bool chunked_allowed = true;  // not before HTTP/1.1
};

struct Answer {
  std::uint16_t status = 200;
  std::string content_type = "text/html; charset=utf-8";
  std::string location;  // empty: none
  std::string body;
  bool gzip = false;
  bool chunked = false;
  Duration delay{0};  // before the first byte
};

class Site {
 public:
  Site(const Graph& graph, const WebOptions& options, std::uint16_t port);
  ~Site();
  Site(const Site&) = delete;
  Site& operator=(const Site&) = delete;

  // `node` is what the target means; `asked_before`: this URL had a request already.
  Answer answer(const Request& request, std::uint32_t host, const std::optional<Node>& node, bool asked_before);

  static Answer not_found();
  // Head and body as they go on the wire.
  static std::string wire(const Request& request, const Answer& answer);

 private:
  Answer robots(std::uint32_t host) const;
  void encode(const Request& request, const Node& node, Answer& answer);
  void compress(std::string& body);

  const Graph& graph_;
  PageWriter writer_;
  Duration slow_delay_;
  z_stream deflate_{};
};

inline constexpr std::string_view kRobotsTarget = "/robots.txt";

}  // namespace weir::testweb
