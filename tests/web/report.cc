// Breadth-first reference walk, comparison, and the JSON form (numbers and plain ASCII only, so written by
// hand).
#include "tests/web/report.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>

namespace weir::testweb {
namespace {

constexpr std::size_t kSamplesMax = 20;
constexpr std::uint32_t kHostsListedMax = 1000;

void sample(std::vector<std::string>& list, std::string text) {
  if (list.size() < kSamplesMax) list.push_back(std::move(text));
}

std::string name(const Graph& graph, const Node& node) { return host_name(node.host) + graph.target(node); }

// Endless redirect pairs and errors have their final answers too, a 500 is final by being asked.
bool had_its_answer(const Graph& graph, const Node& node, const UrlRecord& url) {
  return url.answers > 0 || graph.status(node) >= 500;
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || byte < 0x20 || byte > 0x7e) {
      out += fmt::format("\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string json_strings(const std::vector<std::string>& list) {
  std::string out = "[";
  for (const std::string& text : list) out += (out.size() > 1 ? "," : "") + json_string(text);
  return out + "]";
}

std::int64_t gap_or_minus_one(Duration gap) { return gap == Duration::max() ? -1 : gap.count(); }

struct HostTotals {
  std::uint64_t asked = 0, robots_requests = 0, robots_not_first = 0, short_gaps = 0;
  std::uint32_t running_max = 0;
  Duration smallest_gap = Duration::max();
};

HostTotals total(const Record& record) {
  HostTotals totals;
  for (const HostRecord& host : record.hosts()) {
    if (host.requests == 0) continue;
    ++totals.asked;
    totals.robots_requests += host.robots_requests;
    if (!host.robots_first) ++totals.robots_not_first;
    totals.short_gaps += host.short_gaps;
    totals.running_max = std::max(totals.running_max, host.running_max);
    totals.smallest_gap = std::min(totals.smallest_gap, host.smallest_gap);
  }
  return totals;
}

std::string json_hosts(const Record& record) {
  std::string out = "[";
  for (std::uint32_t k = 0; k < std::min<std::size_t>(record.hosts().size(), kHostsListedMax); ++k) {
    const HostRecord& host = record.hosts()[k];
    if (host.requests == 0) continue;
    out += fmt::format(
        R"({}{{"host":"{}","requests":{},"robots_requests":{},"robots_first":{},"smallest_gap_us":{},)"
        R"("short_gaps":{},"parallel_max":{}}})",
        out.size() > 1 ? "," : "", host_name(k), host.requests, host.robots_requests, host.robots_first,
        gap_or_minus_one(host.smallest_gap), host.short_gaps, host.running_max);
  }
  return out + "]";
}

void compare_expected(const Graph& graph, const Record& record, const std::vector<Node>& expected,
                      Report& report) {
  for (const Node& node : expected) {
    const bool page = graph.status(node) == 200;
    report.expected_pages += page ? 1 : 0;
    const auto found = record.urls().find(node);
    if (found != record.urls().end() && had_its_answer(graph, node, found->second)) {
      ++report.fetched;
      report.fetched_pages += page ? 1 : 0;
    } else {
      ++report.missed;
      sample(report.missed_urls, name(graph, node));
    }
  }
}

void compare_asked(const Graph& graph, const Record& record, const std::vector<Node>& expected,
                   Report& report) {
  for (const auto& [node, url] : record.urls()) {
    if (graph.forbidden(node)) {
      report.forbidden += url.requests;
      sample(report.forbidden_urls, name(graph, node));
    } else if (Graph::endless(node)) {
      report.traps += url.requests;
      continue;
    } else if (!std::ranges::binary_search(expected, node)) {
      ++report.unexpected;
    }
    report.retried += url.requests - 1 - url.repeats;
    if (url.repeats == 0) continue;
    ++report.doubled;
    report.repeats += url.repeats;
    sample(report.doubled_urls, name(graph, node));
  }
}

}  // namespace

std::vector<Node> reference_set(const Graph& graph) {
  std::unordered_set<Node, NodeHash> met;
  std::vector<Node> queue;
  const auto offer = [&](const Node& node) {
    if (Graph::endless(node) || graph.forbidden(node)) return;
    if (met.insert(node).second) queue.push_back(node);
  };
  offer(Node{});
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const Node node = queue[next];
    if (const auto target = graph.redirect(node)) offer(*target);
    for (const Node& link : graph.links(node)) offer(link);
  }
  std::ranges::sort(queue);
  return queue;
}

Report compare(const Graph& graph, const Record& record) {
  Report report;
  const std::vector<Node> expected = reference_set(graph);
  report.expected = expected.size();
  compare_expected(graph, record, expected, report);
  compare_asked(graph, record, expected, report);
  for (const auto& [url, count] : record.strays()) {
    report.strays += count;
    sample(report.stray_urls, url);
  }
  return report;
}

std::string to_json(const WebOptions& options, const Report& report, const Record& record) {
  const HostTotals totals = total(record);
  std::vector<std::string> strange;
  for (const auto& [host, count] : record.strange_hosts()) sample(strange, host);
  std::string out = fmt::format(
      R"({{"seed":{},"hosts":{},"pages":{},"requests":{},"expected":{},"expected_pages":{},"fetched":{},)"
      R"("fetched_pages":{},"missed":{},"doubled":{},"repeats":{},"retried":{},"forbidden":{},"traps":{},)"
      R"("strays":{},"unexpected":{},)",
      options.seed, options.hosts, options.pages, record.requests(), report.expected, report.expected_pages,
      report.fetched, report.fetched_pages, report.missed, report.doubled, report.repeats, report.retried,
      report.forbidden, report.traps, report.strays, report.unexpected);
  out += fmt::format(
      R"("hosts_asked":{},"robots_requests":{},"robots_not_first":{},"polite_gap_us":{},"impolite":{},)"
      R"("smallest_gap_us":{},"parallel_max":{},)",
      totals.asked, totals.robots_requests, totals.robots_not_first, options.polite_gap.count(),
      totals.short_gaps, gap_or_minus_one(totals.smallest_gap), totals.running_max);
  out += fmt::format(
      R"("missed_urls":{},"doubled_urls":{},"forbidden_urls":{},"stray_urls":{},"strange_hosts":{},"per_host":{}}})",
      json_strings(report.missed_urls), json_strings(report.doubled_urls), json_strings(report.forbidden_urls),
      json_strings(report.stray_urls), json_strings(strange), json_hosts(record));
  return out + "\n";
}

}  // namespace weir::testweb
