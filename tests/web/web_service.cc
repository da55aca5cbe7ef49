// Requests by host: the control host answers questions about the crawl, hK.test is the web, others are strange.
#include "tests/web/web_service.h"

#include <fmt/core.h>

#include <charconv>

#include "tests/web/report.h"

namespace weir::testweb {
namespace {

constexpr std::string_view kReportTarget = "/__report";
constexpr std::string_view kWaitTarget = "/__wait?requests=";
constexpr std::uint32_t kNoHost = ~std::uint32_t{0};

bool is_control(const Request& request) {
  return (request.host == "127.0.0.1" || request.host == "localhost") && request.target.starts_with("/__");
}

}  // namespace

WebService::WebService(const WebOptions& options, std::uint16_t port)
    : options_(options),
      graph_(options),
      site_(graph_, options, port),
      record_(options.hosts, options.polite_gap) {
  if (!options.log_file.empty()) log_.open(options.log_file, std::ios::trunc);
}

void WebService::begin(Exchange& exchange, MonoTime now) {
  const Request& request = exchange.request;
  exchange.host = kNoHost;
  if (is_control(request)) return begin_control(exchange);
  const auto host = parse_host_name(request.host, graph_.hosts());
  if (!host) {
    record_.strange_host(request.host);
    exchange.answer = Site::not_found();
    return;
  }
  exchange.host = *host;
  exchange.node = graph_.parse(*host, request.target);
  const bool asked_before = record_.arrived(*host, request.target, exchange.node, now);
  exchange.answer = site_.answer(request, *host, exchange.node, asked_before);
  if (log_.is_open()) log(exchange, now);
}

void WebService::begin_control(Exchange& exchange) {
  exchange.control = true;
  exchange.answer.content_type = "application/json";
  const std::string_view target = exchange.request.target;
  if (target == kReportTarget) {
    log_.flush();
    exchange.answer.body = report();
  } else if (target.starts_with(kWaitTarget)) {
    const std::string_view number = target.substr(kWaitTarget.size());
    std::from_chars(number.data(), number.data() + number.size(), exchange.wait_requests);
    exchange.answer.body = "{}\n";
  } else {
    exchange.answer = Site::not_found();
  }
}

bool WebService::ready(const Exchange& exchange) const { return record_.requests() >= exchange.wait_requests; }

void WebService::finish(const Exchange& exchange, bool sent) {
  if (exchange.host == kNoHost) return;
  record_.answered(exchange.host, sent ? exchange.node : std::nullopt, exchange.answer.status);
}

void WebService::log(const Exchange& exchange, MonoTime now) {
  log_ << fmt::format("{}\t{}\t{}\t{}\t{}\n", now.time_since_epoch().count(), exchange.request.host,
                      exchange.request.target, exchange.answer.status, exchange.connection);
}

std::string WebService::report() const { return to_json(options_, compare(graph_, record_), record_); }

}  // namespace weir::testweb
