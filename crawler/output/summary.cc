// The names are used from outside: scripts read this line.
#include "crawler/output/summary.h"

#include <cmath>

#include "crawler/output/json.h"

namespace weir::crawler {
namespace {

constexpr double kMilliseconds = 1000;

std::string format_dedup(const CrawlSummary& summary) {
  std::string text;
  JsonObject object(text);
  object.text("backend", summary.dedup_backend).number("keys", summary.dedup.keys);
  object.boolean("estimated", summary.dedup.estimated).number("capacity", summary.dedup.capacity);
  object.number("bytes", summary.dedup.bytes).fraction("load", summary.dedup.load);
  object.fraction("expected_fpr", summary.dedup.expected_fpr);
  if (const auto& observed = summary.dedup.observed) {
    object.fraction("observed_fpr", observed->fpr).fraction("observed_low", observed->low);
    object.fraction("observed_high", observed->high).number("observed_sample", observed->sample);
    object.fraction("lost_urls", observed->lost_urls).number("false_negatives", observed->false_negatives);
  }
  object.close();
  return text;
}

double milliseconds(double seconds) { return std::round(seconds * kMilliseconds) / kMilliseconds; }

std::string format_cpu(const CpuSeconds& cpu) {
  std::string text;
  JsonObject object(text);
  object.fraction("fetch", milliseconds(cpu.fetch)).fraction("parse", milliseconds(cpu.parse));
  object.fraction("links", milliseconds(cpu.links)).fraction("settle", milliseconds(cpu.settle));
  object.fraction("dedup", milliseconds(cpu.dedup)).fraction("store", milliseconds(cpu.store));
  object.fraction("lease", milliseconds(cpu.lease));
  object.close();
  return text;
}

}  // namespace

std::string format_summary(const CrawlSummary& summary) {
  std::string text;
  JsonObject object(text);
  object.number("fetched", summary.fetched).number("redirected", summary.redirected);
  object.number("admitted", summary.admitted).number("duplicates", summary.duplicates);
  object.number("out_of_scope", summary.out_of_scope).number("robots_denied", summary.robots_denied);
  object.number("failed", summary.failed).number("retried", summary.retried).number("queued", summary.queued);
  object.number("bytes", summary.bytes).number("lines_lost", summary.lines_lost);
  object.fraction("seconds", milliseconds(std::chrono::duration<double>(summary.elapsed).count()));
  object.raw("dedup", format_dedup(summary)).raw("cpu_seconds", format_cpu(summary.cpu));
  object.close();
  return text;
}

}  // namespace weir::crawler
