// `weir url key|parse|same`: what the program takes a URL for. key and same go by [key] of the config.
#pragma once

#include "crawler/cli/arguments.h"
#include "crawler/cli/streams.h"
#include "crawler/config/config.h"

namespace weir::crawler {

// kRuntime when a URL was invalid (its line says why; the others are answered nonetheless).
ExitCode run_url_key(const Arguments& arguments, const Config& config, Streams& streams);
ExitCode run_url_parse(const Arguments& arguments, Streams& streams);
// kDone: same; kRuntime: different; kUsage: one of them is no URL.
ExitCode run_url_same(const Arguments& arguments, const Config& config, Streams& streams);

}  // namespace weir::crawler
