// The table of backends. To add one: two files, and one line in WEIR_BACKENDS with the function that describes
// it (`Backend toy_backend();`); the conformance suite then runs over it by name.
#include "dedup/registry.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/nearest.h"

namespace weir::dedup {

// A macro, so that one line both declares the function and puts it into the table.
// clang-format off
#define WEIR_BACKENDS(ROW) \
  ROW(exact_backend)       \
  ROW(bloom_backend)
// clang-format on

#define WEIR_DECLARE(function) Backend function();
#define WEIR_CALL(function) function(),
WEIR_BACKENDS(WEIR_DECLARE)

namespace {

std::unexpected<Error> unknown_backend(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Backend& backend : backends()) names.push_back(backend.name);
  std::string message = "no dedup backend is called '" + std::string(name) + "'";
  const std::string_view close = nearest(name, names);
  if (!close.empty()) return fail(ErrorCode::kUsage, message + "; did you mean '" + std::string(close) + "'?");
  message += "; there are:";
  for (const std::string_view known : names) message += " " + std::string(known);
  return fail(ErrorCode::kUsage, message);
}

Result<void> check_size(const Backend& backend, const SetOptions& options) {
  const std::string name = "dedup backend '" + std::string(backend.name) + "'";
  if (options.capacity == 0) {
    return fail(ErrorCode::kUsage, name + " is sized once: name the keys it must hold (dedup.capacity)");
  }
  if (!(options.fpr > 0)) {
    return fail(ErrorCode::kUsage,
                name + " needs the share of new URLs it may drop when full (dedup.fpr, such as 1e-6)");
  }
  return {};
}

}  // namespace

std::span<const Backend> backends() {
  static const auto table = std::to_array<Backend>({WEIR_BACKENDS(WEIR_CALL)});
  return table;
}

Result<std::unique_ptr<UrlSet>> make_set(const SetOptions& options) {
  const auto all = backends();
  const auto found = std::ranges::find(all, options.backend, &Backend::name);
  if (found == all.end()) return unknown_backend(options.backend);
  if (found->sized) {
    if (auto sized = check_size(*found, options); !sized) return std::unexpected(sized.error());
  }
  auto set = found->make(options);
  if (!set || (*set)->exact()) return set;
  return watched(*std::move(set), options);
}

}  // namespace weir::dedup
