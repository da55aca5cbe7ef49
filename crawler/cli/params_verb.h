// `weir params`: query parameters that never changed a page in this crawl, host by host, as a suggestion for
// [[key.strip_params]]. Reads the state without a lock, beside a running crawl; changes nothing.
#pragma once

#include "base/log.h"
#include "crawler/cli/arguments.h"
#include "crawler/cli/streams.h"
#include "crawler/config/config.h"

namespace weir::crawler {

// TOML with the evidence as comments, or with --json an object a line. Only parameters with at least --min
// pairs of pages that agree and none that disagrees. kState: no state, damaged, no room for the scratch files.
ExitCode run_params(const Arguments& arguments, const Config& config, Log& log, Streams& streams);

}  // namespace weir::crawler
