// What verbs read: a whole small file or standard input. Blocking; for one thread.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"

namespace weir::crawler {

// "-" is standard input. kUsage when it cannot be read; at most `bytes_max` are read, the rest is left.
Result<std::string> read_input(const std::string& path, std::uint64_t bytes_max);

}  // namespace weir::crawler
