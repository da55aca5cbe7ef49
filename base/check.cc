// The failing half of WEIR_CHECK: one line on standard error, then abort. Safe from any thread.
#include "base/check.h"

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace weir {

void check_failed(const char* expression, const char* file, int line) {
  const std::string text =
      "weir: broken invariant at " + std::string(file) + ":" + std::to_string(line) + ": " + expression + "\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  std::abort();
}

}  // namespace weir
