// The program's one reader of the environment: variables WEIR_SECTION__KEY as settings.
// Call from the main thread before others start (POSIX allows no concurrent change of the environment).
#pragma once

#include <vector>

#include "crawler/config/loader.h"

namespace weir::crawler {

// Every variable that begins with "WEIR_", in the order of the environment.
std::vector<EnvironmentVariable> weir_environment();

}  // namespace weir::crawler
