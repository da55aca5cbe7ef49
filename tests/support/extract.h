// Links of a text in one call, for tests: by each engine.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "crawler/html/gumbo_extractor.h"
#include "crawler/html/stream_extractor.h"

namespace weir::test {

inline crawler::Extraction by_gumbo(std::string_view html, const crawler::ExtractorLimits& limits = {}) {
  const SystemClock clock;
  crawler::Extraction out;
  crawler::GumboExtractor(clock, limits).extract(html, out);
  return out;
}

inline crawler::Extraction by_stream(std::string_view html, const crawler::ExtractorLimits& limits = {}) {
  crawler::Extraction out;
  crawler::StreamExtractor(limits).extract(html, out);
  return out;
}

inline std::vector<std::string> raws(const crawler::Extraction& extraction) {
  std::vector<std::string> out;
  for (const crawler::Link& link : extraction.links) out.emplace_back(extraction.raw(link));
  return out;
}

}  // namespace weir::test
