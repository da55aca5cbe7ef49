// `weir rekey`: a state's keys made anew under the rules of the configuration (frontier/local/rekey.h). Takes
// the state's lock: not beside a running crawl.
#pragma once

#include "base/log.h"
#include "crawler/cli/arguments.h"
#include "crawler/cli/streams.h"
#include "crawler/config/config.h"

namespace weir::crawler {

// "name: value" lines: rules, and what was kept, merged and removed; with --json one object. kState: no state,
// locked, damaged.
ExitCode run_rekey(const Arguments& arguments, const Config& config, Log& log, Streams& streams);

}  // namespace weir::crawler
