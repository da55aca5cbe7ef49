// Which nodes there are and what they lead to. Their spelling is in graph_target.cc.
#include "tests/web/graph.h"

#include <algorithm>
#include <cmath>

#include "tests/web/dice.h"

namespace weir::testweb {
namespace {

constexpr std::uint64_t kChildren = 8;  // of a page among the pages of its host, and of a host among hosts
constexpr double kChanceLinksMax = 20;  // times the mean: cut of the power law's tail
constexpr std::uint64_t kFirstMonth = 2024 * 12;
constexpr std::uint64_t kLastMonth = 9999 * 12 + 11;

// One salt per question asked of the same page, so that the answers are independent.
enum Salt : std::uint64_t {
  kChain,
  kChainLength,
  kExitSalt,
  kLoopSalt,
  kMissingSalt,
  kBrokenSalt,
  kPrivateSalt,
  kStatusSalt,
  kFlakyHost,
  kFlakyPage,
  kSlowSalt,
  kRobotsSalt,
  kLinksSalt,
  kOrderSalt,
  kSessionSalt
};

// Zipf with exponent 1: host K gets a share of 1/(K+1); every host has its first page; host 0 takes the rest.
std::vector<std::uint64_t> share_pages(std::uint64_t pages, std::uint32_t hosts) {
  double whole = 0;
  for (std::uint32_t k = 0; k < hosts; ++k) whole += 1.0 / (k + 1.0);
  const auto spare = static_cast<double>(pages - hosts);
  std::vector<std::uint64_t> shares(hosts);
  std::uint64_t given = 0;
  for (std::uint32_t k = 0; k < hosts; ++k) {
    shares[k] = 1 + static_cast<std::uint64_t>(spare / (k + 1.0) / whole);
    given += shares[k];
  }
  shares[0] += pages - given;
  return shares;
}

// A number below `limit` that is small more often than large: density falls like x^(1/power - 1).
std::uint64_t popular(Dice& dice, std::uint64_t limit, double power) {
  const auto pick = static_cast<std::uint64_t>(std::pow(dice.unit(), power) * static_cast<double>(limit));
  return std::min(pick, limit - 1);
}

// Pareto with exponent 2, whose mean is twice its least value.
std::uint64_t link_count(Dice& dice, double mean) {
  const double drawn = mean / 2 / std::sqrt(1 - dice.unit());
  return static_cast<std::uint64_t>(std::min(drawn, mean * kChanceLinksMax));
}

void shuffle(std::vector<Node>& nodes, Dice dice) {
  for (std::size_t i = nodes.size(); i > 1; --i) std::swap(nodes[i - 1], nodes[dice.below(i)]);
}

}  // namespace

std::size_t NodeHash::operator()(const Node& node) const {
  return mix(node.index, node.host, static_cast<std::uint64_t>(node.kind), node.hops);
}

Graph::Graph(const WebOptions& options)
    : seed_(options.seed),
      features_(options.features),
      links_(options.links),
      pages_(share_pages(options.pages, options.hosts)) {}

std::uint64_t Graph::chance(std::uint32_t host, std::uint64_t index, std::uint64_t salt) const {
  return mix(seed_, host, index, salt);
}

std::uint8_t Graph::chain_length(std::uint32_t host, std::uint64_t page) const {
  if (!features_.redirects || page == 0 || page >= pages_[host]) return 0;
  if (chance(host, page, kChain) % 16 != 0) return 0;
  const std::uint64_t drawn = chance(host, page, kChainLength) % 10;
  return static_cast<std::uint8_t>(drawn < 5 ? 1 : drawn - 4);
}

bool Graph::has_exit(std::uint32_t host) const {
  return features_.redirects && host > 0 && host < hosts() && chance(host, 0, kExitSalt) % 4 == 0;
}

bool Graph::has_loop(std::uint32_t host) const {
  return features_.redirects && (host == 0 || chance(host, 0, kLoopSalt) % 8 == 0);
}

bool Graph::has_missing(std::uint32_t host, std::uint64_t page) const {
  return features_.errors && page < pages_[host] && chance(host, page, kMissingSalt) % 32 == 0;
}

bool Graph::has_broken(std::uint32_t host, std::uint64_t page) const {
  return features_.errors && page < pages_[host] && chance(host, page, kBrokenSalt) % 128 == 0;
}

bool Graph::has_private(std::uint32_t host, std::uint64_t page) const {
  return robots_mode(host) == RobotsMode::kRules && page < pages_[host] &&
         (page == 0 || chance(host, page, kPrivateSalt) % 16 == 0);
}

bool Graph::has_traps(std::uint32_t host) const {
  return !features_.robots || robots_mode(host) == RobotsMode::kRules;
}

RobotsMode Graph::robots_mode(std::uint32_t host) const {
  const std::uint64_t drawn = chance(host, 0, kRobotsSalt) % 16;
  if (features_.robots_down && host > 0 && drawn < 2) return RobotsMode::kDown;
  if (!features_.robots || (host > 0 && drawn < 4)) return RobotsMode::kNone;
  return RobotsMode::kRules;
}

bool Graph::slow(std::uint32_t host) const {
  // Only hosts of few pages: a slow large one would set the length of every crawl.
  return features_.slow && host >= hosts() / 2 && chance(host, 0, kSlowSalt) % 16 == 0;
}

bool Graph::flaky(const Node& node) const {
  if (!features_.flaky || node.kind != Kind::kPage || node.index == 0) return false;
  if (chance(node.host, 0, kFlakyHost) % 4 != 0) return false;
  // At most one page a host: each makes the host wait.
  return node.index == 1 + chance(node.host, 0, kFlakyPage) % std::min<std::uint64_t>(pages_[node.host], 8);
}

bool Graph::forbidden(const Node& node) const {
  switch (robots_mode(node.host)) {
    case RobotsMode::kNone: return false;
    case RobotsMode::kDown: return true;
    case RobotsMode::kRules: break;
  }
  if (endless(node)) return !features_.open_traps;
  return node.kind == Kind::kPrivate || node.kind == Kind::kSecret;
}

std::uint16_t Graph::status(const Node& node) const {
  constexpr std::uint16_t kRedirects[] = {301, 302, 307, 308};
  switch (node.kind) {
    case Kind::kHop:
    case Kind::kExit:
    case Kind::kLoop: return kRedirects[chance(node.host, node.index, kStatusSalt + node.hops) % 4];
    case Kind::kMissing: return 404;
    case Kind::kBroken: return 500;
    case Kind::kPage:
    case Kind::kPrivate:
    case Kind::kOpen:
    case Kind::kSecret:
    case Kind::kSecretPage:
    case Kind::kSession:
    case Kind::kCalendar: return 200;
  }
  return 200;
}

std::optional<Node> Graph::redirect(const Node& node) const {
  if (node.kind == Kind::kExit) return Node{.host = static_cast<std::uint32_t>(node.index)};
  if (node.kind == Kind::kLoop) return Node{.kind = Kind::kLoop, .host = node.host, .index = 1 - node.index};
  if (node.kind != Kind::kHop) return std::nullopt;
  if (node.hops == 1) return Node{.host = node.host, .index = node.index};
  return Node{Kind::kHop, static_cast<std::uint8_t>(node.hops - 1), node.host, node.index};
}

bool Graph::exists(const Node& node) const {
  switch (node.kind) {
    case Kind::kPage: return node.index < pages_[node.host];
    case Kind::kHop: return node.hops > 0 && node.hops <= chain_length(node.host, node.index);
    case Kind::kExit:
      return node.index > 0 && node.index < hosts() && (node.index - 1) / kChildren == node.host &&
             has_exit(static_cast<std::uint32_t>(node.index));
    case Kind::kLoop: return node.index < 2 && has_loop(node.host);
    case Kind::kMissing: return has_missing(node.host, node.index);
    case Kind::kBroken: return has_broken(node.host, node.index);
    case Kind::kPrivate:
    case Kind::kOpen:
    case Kind::kSecret:
    case Kind::kSecretPage: return has_private(node.host, node.index);
    case Kind::kSession: return features_.sessions;
    case Kind::kCalendar: return features_.calendar && node.index <= kLastMonth;
  }
  return false;
}

std::vector<Node> Graph::links(const Node& node) const {
  const Node home{.host = node.host};
  switch (node.kind) {
    case Kind::kPage: {
      std::vector<Node> out;
      add_children(node, out);
      add_specials(node, out);
      add_chance_links(node, out);
      shuffle(out, Dice(chance(node.host, node.index, kOrderSalt)));
      return out;
    }
    case Kind::kSession: {
      const std::uint64_t next = chance(node.host, node.index, kSessionSalt);
      return {home, {Kind::kSession, 0, node.host, next}, {Kind::kSession, 1, node.host, mix(next)}};
    }
    case Kind::kCalendar:
      return {home,
              {Kind::kCalendar, 0, node.host, node.index + 1},
              {Kind::kCalendar, 0, node.host, node.index > 0 ? node.index - 1 : 0}};
    case Kind::kPrivate:
    case Kind::kOpen:
    case Kind::kSecret:
    case Kind::kSecretPage: return {home};
    case Kind::kHop:
    case Kind::kExit:
    case Kind::kLoop:
    case Kind::kMissing:
    case Kind::kBroken: break;
  }
  return {};
}

void Graph::add_children(const Node& page, std::vector<Node>& out) const {
  const std::uint64_t first = page.index * kChildren + 1;
  for (std::uint64_t child = first; child < first + kChildren && child < pages_[page.host]; ++child) {
    const std::uint8_t hops = chain_length(page.host, child);
    out.push_back({hops > 0 ? Kind::kHop : Kind::kPage, hops, page.host, child});
  }
  if (page.index != 0) return;
  const std::uint64_t first_host = page.host * kChildren + 1;
  for (std::uint64_t j = first_host; j < first_host + kChildren && j < hosts(); ++j) {
    const auto host = static_cast<std::uint32_t>(j);
    out.push_back(has_exit(host) ? Node{Kind::kExit, 0, page.host, j} : Node{.host = host});
  }
}

void Graph::add_specials(const Node& page, std::vector<Node>& out) const {
  const auto add = [&](Kind kind, std::uint8_t hops, std::uint64_t index) {
    out.push_back({kind, hops, page.host, index});
  };
  if (has_missing(page.host, page.index)) add(Kind::kMissing, 0, page.index);
  if (has_broken(page.host, page.index)) add(Kind::kBroken, 0, page.index);
  if (has_private(page.host, page.index)) {
    for (const Kind kind : {Kind::kPrivate, Kind::kOpen, Kind::kSecret, Kind::kSecretPage})
      add(kind, 0, page.index);
  }
  if (page.index != 0) return;
  if (has_loop(page.host)) add(Kind::kLoop, 0, 0);
  if (!has_traps(page.host)) return;
  const std::uint64_t session = chance(page.host, 0, kSessionSalt);
  if (features_.sessions) add(Kind::kSession, 0, session), add(Kind::kSession, 1, session);
  if (features_.calendar) add(Kind::kCalendar, 0, kFirstMonth);
}

void Graph::add_chance_links(const Node& page, std::vector<Node>& out) const {
  constexpr std::uint64_t kRepeats = 6;     // one link in so many repeats another of the page
  constexpr std::uint64_t kCrossHosts = 7;  // one in so many leaves the host
  Dice dice(chance(page.host, page.index, kLinksSalt));
  for (std::uint64_t count = link_count(dice, links_); count > 0; --count) {
    if (!out.empty() && dice.one_in(kRepeats)) {
      out.push_back(out[dice.below(out.size())]);
      continue;
    }
    const bool leaves = dice.one_in(kCrossHosts);
    const auto host = leaves ? static_cast<std::uint32_t>(popular(dice, hosts(), 2)) : page.host;
    out.push_back({Kind::kPage, 0, host, popular(dice, pages_[host], 3)});
  }
}

}  // namespace weir::testweb
