// Graph: the truth about the synthetic web. Which URLs there are, what each answers, what each links to: all of
// it pure functions of (seed, host, index), so a web of 10^6 pages costs one number per host. It knows nothing
// of HTML or HTTP (page.h, site.h). Immutable after construction.
//
// URL grammar, host K being hK.test (numbers in decimal without leading zeros, anything else is a stray: 404):
//
//   /                              first page of the host            } the form of page I is fixed by
//   /sA/pI.html   /~uA/pI.html     page I, A = I mod 13              } chance (seed, K, I); each page
//   /sA/dB/pI.html   /sA/pI/       page I, B = I mod 5               } has one URL
//   /sA/list?id=I&view=full        page I                            }
//   /go/H/I                        redirect that reaches page I in H hops, through /go/H-1/I
//   /out/J                         redirect to the first page of host J
//   /loop/a  /loop/b               redirect to each other
//   /gone/I.html                   404            /broken/I          500, always
//   /private/I.html  /docs/I.secret        forbidden by robots.txt
//   /private/open-I.html  /docs/I.secret.html      their neighbours that are allowed
//   /trap/s;sid=X  /trap/s?sid=X   the same page under endless session ids, X being 16 hex digits
//   /calendar/Y/M                  a month that links to the next and the one before, for ever
//
// Page I of a host hangs below page (I-1)/8 and host K below host (K-1)/8, so every page is reachable from
// http://h0.test/; the other links go to low numbers more often than to high ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/web/options.h"

namespace weir::testweb {

enum class Kind : std::uint8_t {
  kPage,
  kHop,      // index: page, hops: how many are left
  kExit,     // index: host
  kLoop,     // index: 0 or 1
  kMissing,  // index of this and the next five: the page that links to it
  kBroken,
  kPrivate,
  kOpen,
  kSecret,
  kSecretPage,
  kSession,  // index: the session id, hops: 0 in the path, 1 in the query
  kCalendar  // index: year * 12 + month - 1
};

struct Node {
  Kind kind = Kind::kPage;
  std::uint8_t hops = 0;
  std::uint32_t host = 0;
  std::uint64_t index = 0;
  friend auto operator<=>(const Node&, const Node&) = default;
};

struct NodeHash {
  std::size_t operator()(const Node& node) const;
};

enum class RobotsMode : std::uint8_t { kRules, kNone, kDown };  // 200, 404, 503

class Graph {
 public:
  explicit Graph(const WebOptions& options);

  std::uint32_t hosts() const { return static_cast<std::uint32_t>(pages_.size()); }
  std::uint64_t pages_of(std::uint32_t host) const { return pages_[host]; }
  std::uint64_t seed() const { return seed_; }
  const Features& features() const { return features_; }

  // What the page holds, in order, with repeats; may name the page itself. Empty for what is no page.
  std::vector<Node> links(const Node& node) const;

  std::string target(const Node& node) const;  // path and query
  // The node with exactly this target; escapes of unreserved characters are undone first.
  std::optional<Node> parse(std::uint32_t host, std::string_view target) const;

  std::uint16_t status(const Node& node) const;  // the final one
  std::optional<Node> redirect(const Node& node) const;
  bool flaky(const Node& node) const;  // 503 at the first request
  bool slow(std::uint32_t host) const;
  RobotsMode robots_mode(std::uint32_t host) const;
  std::string robots_text(std::uint32_t host) const;
  bool forbidden(const Node& node) const;  // by the robots.txt of its host

  static bool endless(const Node& node) { return node.kind == Kind::kSession || node.kind == Kind::kCalendar; }

 private:
  std::uint64_t chance(std::uint32_t host, std::uint64_t index, std::uint64_t salt) const;
  std::uint8_t chain_length(std::uint32_t host, std::uint64_t page) const;  // 0: linked directly
  bool has_exit(std::uint32_t host) const;
  bool has_loop(std::uint32_t host) const;
  bool has_missing(std::uint32_t host, std::uint64_t page) const;
  bool has_broken(std::uint32_t host, std::uint64_t page) const;
  bool has_private(std::uint32_t host, std::uint64_t page) const;
  bool has_traps(std::uint32_t host) const;
  bool exists(const Node& node) const;

  void add_children(const Node& page, std::vector<Node>& out) const;
  void add_specials(const Node& page, std::vector<Node>& out) const;
  void add_chance_links(const Node& page, std::vector<Node>& out) const;
  std::string page_target(const Node& page) const;

  std::uint64_t seed_;
  Features features_;
  double links_;
  std::vector<std::uint64_t> pages_;
};

std::string host_name(std::uint32_t host);
std::optional<std::uint32_t> parse_host_name(std::string_view name, std::uint32_t hosts);

}  // namespace weir::testweb
