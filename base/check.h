// WEIR_CHECK: an invariant of ours, on in release builds too. A false one is a bug in weir, never bad
// input: it prints the place and aborts, because going on could lose or repeat URLs.
#pragma once

namespace weir {

[[noreturn]] void check_failed(const char* expression, const char* file, int line);

}  // namespace weir

#define WEIR_CHECK(expression) \
  ((expression) ? static_cast<void>(0) : ::weir::check_failed(#expression, __FILE__, __LINE__))
