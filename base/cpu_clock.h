// CPU time of the calling thread, for shares of work per stage: never for deadlines. A system call of about
// 0.3 us, so it brackets stages of a page, not links.
#pragma once

#include <chrono>

namespace weir {

std::chrono::nanoseconds thread_cpu_time();

}  // namespace weir
