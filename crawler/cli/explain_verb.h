// `weir explain URL`: what became of a URL in a crawl's state, and why. Reads the state without a lock, beside
// a running crawl, as of the moment it was opened.
#pragma once

#include "crawler/cli/arguments.h"
#include "crawler/cli/streams.h"
#include "crawler/config/config.h"

namespace weir::crawler {

// First line "verdict: unknown|queued|done|failed|lost", then "name: value" lines; with --json one object.
// kUsage: no URL; kState: the state cannot be read. The dedup and scope lines follow `config`, which should be
// the crawl's own.
ExitCode run_explain(const Arguments& arguments, const Config& config, Streams& streams);

}  // namespace weir::crawler
