// What single values cannot show: keys that need each other, patterns that must compile, names that must exist.
// Runs on a config whose every value is in range. Pure but for compiling the patterns.
#pragma once

#include <string>
#include <vector>

#include "crawler/config/loader.h"

namespace weir::crawler {

// One problem a line, each beginning with where the value came from; empty: all is well.
std::vector<std::string> check_config(const LoadedConfig& loaded);

}  // namespace weir::crawler
