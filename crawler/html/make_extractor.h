// The extractor that [parse] engine names.
#pragma once

#include <memory>
#include <string_view>

#include "base/clock.h"
#include "crawler/html/extractor.h"

namespace weir::crawler {

// "stream" or "gumbo"; the config's table knows no other. `clock` must outlive the extractor.
std::unique_ptr<Extractor> make_extractor(std::string_view engine, const Clock& clock,
                                          const ExtractorLimits& limits);

}  // namespace weir::crawler
