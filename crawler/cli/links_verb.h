// `weir links`: the links that the crawler's own extractor sees in a page.
#pragma once

#include "base/clock.h"
#include "crawler/cli/arguments.h"
#include "crawler/cli/streams.h"
#include "crawler/config/config.h"

namespace weir::crawler {

// Needs a stack of limits::kParserStackBytes. Links that are no URLs are left out, as in a crawl.
ExitCode run_links(const Arguments& arguments, const Config& config, const Clock& clock, Streams& streams);

}  // namespace weir::crawler
