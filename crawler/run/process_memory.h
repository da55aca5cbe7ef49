// Resident memory of this process, as the kernel counts it. Reads /proc/self/statm; 0 where there is none.
#pragma once

#include <cstdint>

namespace weir::crawler {

std::uint64_t resident_bytes();

}  // namespace weir::crawler
