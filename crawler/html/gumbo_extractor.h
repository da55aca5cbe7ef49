// GumboExtractor: links from the tree that libgumbo builds, which is the tree of an HTML5 browser with
// scripting off: noscript counts, template content does not. A page that would cost too
// much, or runs into the arena's cap or the deadline, is read by the flat scanner instead and marked limited.
// One per fetcher thread (stack: limits::kParserStackBytes); between pages it keeps some memory, nothing else.
#pragma once

#include <gumbo.h>

#include <string_view>
#include <vector>

#include "base/clock.h"
#include "crawler/html/extractor.h"
#include "crawler/html/link_collector.h"
#include "crawler/html/parse_arena.h"

namespace weir::crawler {

class GumboExtractor final : public Extractor {
 public:
  // `clock` must outlive this.
  GumboExtractor(const Clock& clock, const ExtractorLimits& limits);

  Extraction extract(std::string_view utf8) override;

 private:
  const GumboOutput* parse(std::string_view utf8);
  void collect(const GumboNode* root, LinkCollector& collector);

  const Clock& clock_;
  ExtractorLimits limits_;
  ParseArena arena_;
  std::vector<const GumboNode*> pending_;  // of the walk
};

}  // namespace weir::crawler
