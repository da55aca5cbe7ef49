// See site.h. Bodies are chunked in pieces that split tags and entities at will.
#include "tests/web/site.h"

#include <fmt/core.h>

#include <algorithm>

#include "base/check.h"

namespace weir::testweb {
namespace {

constexpr std::uint64_t kEncodingSalt = 300;
constexpr std::size_t kChunkBytes = 1000;
constexpr int kGzipWindow = 15 + 16;  // zlib: +16 writes a gzip header

std::string_view reason_phrase(std::uint16_t status) {
  switch (status) {
    case 200: return "OK";
    case 301: return "Moved Permanently";
    case 302: return "Found";
    case 307: return "Temporary Redirect";
    case 308: return "Permanent Redirect";
    case 404: return "Not Found";
    case 503: return "Service Unavailable";
  }
  return "Error";
}

std::string chunks(std::string_view body) {
  std::string out;
  while (!body.empty()) {
    const std::string_view piece = body.substr(0, kChunkBytes);
    out += fmt::format("{:x}\r\n{}\r\n", piece.size(), piece);
    body.remove_prefix(piece.size());
  }
  return out + "0\r\n\r\n";
}

}  // namespace

Site::Site(const Graph& graph, const WebOptions& options, std::uint16_t port)
    : graph_(graph), writer_(graph, port, options.body_bytes), slow_delay_(options.slow_delay) {
  WEIR_CHECK(deflateInit2(&deflate_, Z_BEST_SPEED, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) == Z_OK);
}

Site::~Site() { deflateEnd(&deflate_); }

Answer Site::not_found() {
  Answer answer;
  answer.status = 404;
  answer.body = "<!DOCTYPE html><title>404</title><p>There is no such page.</p>\n";
  return answer;
}

Answer Site::robots(std::uint32_t host) const {
  Answer answer;
  answer.content_type = "text/plain; charset=utf-8";
  switch (graph_.robots_mode(host)) {
    case RobotsMode::kRules: answer.body = graph_.robots_text(host); break;
    case RobotsMode::kNone: answer = not_found(); break;
    case RobotsMode::kDown: answer.status = 503; break;
  }
  return answer;
}

Answer Site::answer(const Request& request, std::uint32_t host, const std::optional<Node>& node,
                    bool asked_before) {
  Answer answer;
  if (request.target == kRobotsTarget) return robots(host);
  if (!node) {
    answer = not_found();
  } else if (graph_.flaky(*node) && !asked_before) {
    answer.status = 503;
    answer.body = "<!DOCTYPE html><title>503</title><p>Not now.</p>\n";
  } else if (const auto target = graph_.redirect(*node)) {
    answer.status = graph_.status(*node);
    answer.location = writer_.location(*node, *target);
  } else if (answer.status = graph_.status(*node); answer.status == 200) {
    answer.body = writer_.write(*node);
    encode(request, *node, answer);
  } else {
    answer.body = "<!DOCTYPE html><title>error</title><p>Nothing here.</p>\n";
  }
  if (graph_.slow(host)) answer.delay = slow_delay_;
  return answer;
}

void Site::encode(const Request& request, const Node& node, Answer& answer) {
  if (!graph_.features().encodings) return;
  const std::uint64_t drawn = mix(graph_.seed(), kEncodingSalt, node.host, node.index) % 64;
  answer.chunked = request.chunked_allowed && drawn % 8 == 0;
  answer.gzip = request.accepts_gzip && drawn / 8 == 0;
  if (answer.gzip) compress(answer.body);
}

void Site::compress(std::string& body) {
  WEIR_CHECK(deflateReset(&deflate_) == Z_OK);
  std::string out(deflateBound(&deflate_, body.size()), '\0');
  deflate_.next_in = reinterpret_cast<Bytef*>(body.data());
  deflate_.avail_in = static_cast<uInt>(body.size());
  deflate_.next_out = reinterpret_cast<Bytef*>(out.data());
  deflate_.avail_out = static_cast<uInt>(out.size());
  WEIR_CHECK(deflate(&deflate_, Z_FINISH) == Z_STREAM_END);
  out.resize(deflate_.total_out);
  body = std::move(out);
}

std::string Site::wire(const Request& request, const Answer& answer) {
  std::string out;
  out.reserve(answer.body.size() + 256);
  out += fmt::format("HTTP/1.1 {} {}\r\nServer: testweb\r\nContent-Type: {}\r\n", answer.status,
                     reason_phrase(answer.status), answer.content_type);
  if (!answer.location.empty()) out += fmt::format("Location: {}\r\n", answer.location);
  if (answer.gzip) out += "Content-Encoding: gzip\r\n";
  out += request.keep_alive ? "Connection: keep-alive\r\n" : "Connection: close\r\n";
  if (answer.chunked) {
    out += "Transfer-Encoding: chunked\r\n\r\n";
    if (request.method != "HEAD") out += chunks(answer.body);
  } else {
    out += fmt::format("Content-Length: {}\r\n\r\n", answer.body.size());
    if (request.method != "HEAD") out += answer.body;
  }
  return out;
}

}  // namespace weir::testweb
