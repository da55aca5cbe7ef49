// The registry: backends by name. A new backend is two files and one line in registry.cc.
// Pure functions; no state.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "dedup/url_set.h"

namespace weir::dedup {

struct SetOptions {
  std::string backend = "exact";
  std::uint64_t capacity = 0;  // keys; must be named for kinds that are sized (bloom)
  double fpr = 0;              // wanted false-positive rate at capacity; must be named likewise
};

struct Backend {
  std::string_view name;
  std::string_view summary;  // one line for help texts
  bool sized;                // needs capacity and fpr
  Result<std::unique_ptr<UrlSet>> (*make)(const SetOptions& options);
};

std::span<const Backend> backends();

// A set that is not exact comes with its shadow sample (metrics/watched_set.h).
// kUsage with the nearest name for an unknown backend, and for a sized one without capacity or rate.
Result<std::unique_ptr<UrlSet>> make_set(const SetOptions& options);

// Puts a shadow sample sized for `options` around a set (metrics/watched_set.cc).
Result<std::unique_ptr<UrlSet>> watched(std::unique_ptr<UrlSet> set, const SetOptions& options);

}  // namespace weir::dedup
