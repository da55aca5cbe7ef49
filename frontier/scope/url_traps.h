// Signs of an endless site in a single URL: paths that are too deep, segments, groups of segments and query
// parameters that repeat. Pure; no allocation for paths of up to 64 segments.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "frontier/scope/verdict.h"

namespace weir::frontier {

struct TrapLimits {
  std::uint16_t path_depth_max = 64;         // segments
  std::uint16_t segment_repeats_max = 8;     // the same segment anywhere in one path
  std::uint16_t group_repeats_max = 3;       // two or more segments, again and again: /i/w/i/w/i/w
  std::uint16_t query_parameters_max = 64;   // of one URL
  std::uint16_t parameter_repeats_max = 16;  // the same name in one query
};

// The first limit that is exceeded; nullopt: none.
std::optional<ScopeRule> find_path_trap(std::string_view path, const TrapLimits& limits);
std::optional<ScopeRule> find_query_trap(std::string_view query, const TrapLimits& limits);

}  // namespace weir::frontier
