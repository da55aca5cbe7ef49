// `weir robots check`: what a robots.txt says about URLs, and which line says it.
#pragma once

#include "crawler/cli/arguments.h"
#include "crawler/cli/streams.h"

namespace weir::crawler {

// "allow URL" or "disallow URL", a tab, the deciding line (nothing after the tab when no rule matched).
ExitCode run_robots_check(const Arguments& arguments, Streams& streams);

}  // namespace weir::crawler
