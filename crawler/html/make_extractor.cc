// See make_extractor.h.
#include "crawler/html/make_extractor.h"

#include "crawler/html/gumbo_extractor.h"
#include "crawler/html/stream_extractor.h"

namespace weir::crawler {

std::unique_ptr<Extractor> make_extractor(std::string_view engine, const Clock& clock,
                                          const ExtractorLimits& limits) {
  if (engine == "gumbo") return std::make_unique<GumboExtractor>(clock, limits);
  return std::make_unique<StreamExtractor>(limits);
}

}  // namespace weir::crawler
