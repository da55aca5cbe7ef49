// GumboExtractor: links from the tree that libgumbo builds, which is the tree of an HTML5 browser with
// scripting off: noscript counts, template content does not. A page that would cost too
// much, or runs into the arena's cap or the deadline, is read by StreamExtractor instead and marked limited.
// One per fetcher thread (stack: limits::kParserStackBytes); between pages it keeps some memory, nothing else.
#pragma once

#include <gumbo.h>

#include <string_view>
#include <vector>

#include "base/clock.h"
#include "crawler/html/extractor.h"
#include "crawler/html/link_collector.h"
#include "crawler/html/parse_arena.h"
#include "crawler/html/stream_extractor.h"

namespace weir::crawler {

class GumboExtractor final : public Extractor {
 public:
  // `clock` must outlive this.
  GumboExtractor(const Clock& clock, const ExtractorLimits& limits);

  void extract(std::string_view utf8, Extraction& out) override;

 private:
  const GumboOutput* parse(std::string_view utf8);
  void collect(const GumboNode* root, LinkCollector& collector);
  void take_element(const GumboElement& node, LinkCollector& collector);

  const Clock& clock_;
  const ExtractorLimits limits_;
  const ElementSet wanted_;
  ParseArena arena_;
  StreamExtractor stream_;                 // for pages that gumbo must not have
  std::vector<const GumboNode*> pending_;  // of the walk
};

}  // namespace weir::crawler
