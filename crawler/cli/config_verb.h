// `weir config check|print`: the configuration in effect, or everything that is wrong with it.
#pragma once

#include "crawler/cli/arguments.h"
#include "crawler/cli/streams.h"
#include "crawler/config/loader.h"

namespace weir::crawler {

ExitCode run_config_check(const Arguments& arguments, const Result<LoadedConfig>& loaded, Streams& streams);
ExitCode run_config_print(const Arguments& arguments, const Result<LoadedConfig>& loaded, Streams& streams);

// Every problem on a line of its own.
void say_config_problems(const Error& error, Streams& streams);

}  // namespace weir::crawler
