// `weir scope check|diff`: which URLs belong to a crawl by a configuration, and what another configuration
// would change. Nothing is fetched; a crawl's state is not read.
#pragma once

#include <vector>

#include "crawler/cli/arguments.h"
#include "crawler/cli/streams.h"
#include "crawler/config/config.h"
#include "crawler/config/loader.h"

namespace weir::crawler {

// For each URL "in" or "out", a tab, the deciding rule, a tab, the URL; with --json an object a line.
// kDone: all are in; kRuntime: one is out or no URL; kUsage: the config names no hosts and there are no seeds.
ExitCode run_scope_check(const Arguments& arguments, const Config& config, Streams& streams);

// Counts of what enters, leaves, stays in and stays out between the two configs of `arguments.files`, by the
// pair of deciding rules, with examples. kUsage: a config is wrong or the file cannot be read.
ExitCode run_scope_diff(const Arguments& arguments, const std::vector<EnvironmentVariable>& environment,
                        Streams& streams);

}  // namespace weir::crawler
