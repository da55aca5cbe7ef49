// statm's second field is the resident set in pages.
#include "crawler/run/process_memory.h"

#include <unistd.h>

#include <fstream>

namespace weir::crawler {

std::uint64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t total_pages = 0;
  std::uint64_t resident_pages = 0;
  if (!(statm >> total_pages >> resident_pages)) return 0;
  return resident_pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace weir::crawler
