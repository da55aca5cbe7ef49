// `weir crawl`: from the config to a finished crawl and its exit code. Progress and problems go to standard
// error, the summary is the last line of standard output.
#pragma once

#include "base/clock.h"
#include "base/log.h"
#include "crawler/cli/exit_code.h"
#include "crawler/cli/standard_streams.h"
#include "crawler/config/config.h"

namespace weir::crawler {

// Nothing is touched before the seeds have been read and the contact rule holds.
ExitCode run_crawl_verb(const Config& config, const Terminal& terminal, const Clock& clock, Log& log,
                        Streams& streams);

}  // namespace weir::crawler
