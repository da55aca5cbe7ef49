// Cheap counts first; pieces are gathered only where a count leaves room for a repeat.
#include "frontier/scope/url_traps.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory_resource>
#include <span>
#include <vector>

namespace weir::frontier {
namespace {

constexpr std::size_t kPiecesInline = 64;      // more than the default limits let through
constexpr std::size_t kGroupSegmentsMax = 16;  // longer groups are left to the other limits

// Non-empty pieces between separators, on the stack where they fit.
class Pieces {
 public:
  Pieces(std::string_view text, char separator, std::size_t count) : pieces_(&memory_) {
    pieces_.reserve(count);
    for (std::size_t start = 0; start < text.size();) {
      const std::size_t end = std::min(text.find(separator, start), text.size());
      if (end > start) pieces_.push_back(text.substr(start, end - start));
      start = end + 1;
    }
  }
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;

  std::pmr::vector<std::string_view>& get() { return pieces_; }

 private:
  std::array<std::byte, kPiecesInline * sizeof(std::string_view)> space_;
  std::pmr::monotonic_buffer_resource memory_{space_.data(), space_.size()};
  std::pmr::vector<std::string_view> pieces_;
};

std::size_t count_of(std::string_view text, char c) {
  return static_cast<std::size_t>(std::ranges::count(text, c));
}

// Sorts.
bool repeats_more_than(std::pmr::vector<std::string_view>& pieces, std::size_t limit) {
  if (pieces.size() <= limit) return false;
  std::ranges::sort(pieces);
  // Equal pieces stand together: one that stands `limit` places further on is one too many.
  for (std::size_t i = limit; i < pieces.size(); ++i) {
    if (pieces[i] == pieces[i - limit]) return true;
  }
  return false;
}

bool all_equal(std::span<const std::string_view> pieces) {
  return std::ranges::all_of(pieces, [&](std::string_view piece) { return piece == pieces.front(); });
}

// A group of `length` segments that follows itself more than `limit` times; one segment alone is no group.
bool group_repeats(std::span<const std::string_view> segments, std::size_t length, std::size_t limit) {
  std::size_t equal = 0;  // segments in a row that are as the one `length` before
  for (std::size_t i = length; i < segments.size(); ++i) {
    equal = segments[i] == segments[i - length] ? equal + 1 : 0;
    if (equal >= length * limit && !all_equal(segments.subspan(i + 1 - length, length))) return true;
  }
  return false;
}

bool any_group_repeats(std::span<const std::string_view> segments, std::size_t limit) {
  const std::size_t longest = std::min(segments.size() / (limit + 1), kGroupSegmentsMax);
  for (std::size_t length = 2; length <= longest; ++length) {
    if (group_repeats(segments, length, limit)) return true;
  }
  return false;
}

}  // namespace

std::optional<ScopeRule> find_path_trap(std::string_view path, const TrapLimits& limits) {
  const std::size_t depth = count_of(path, '/');
  if (depth > limits.path_depth_max) return ScopeRule::kPathDepth;
  const bool room_for_group = depth >= 2 * (std::size_t{limits.group_repeats_max} + 1);
  if (depth <= limits.segment_repeats_max && !room_for_group) return std::nullopt;
  Pieces segments(path, '/', depth);
  if (any_group_repeats(segments.get(), limits.group_repeats_max)) return ScopeRule::kGroupRepeats;
  if (repeats_more_than(segments.get(), limits.segment_repeats_max)) return ScopeRule::kSegmentRepeats;
  return std::nullopt;
}

std::optional<ScopeRule> find_query_trap(std::string_view query, const TrapLimits& limits) {
  const std::size_t count = count_of(query, '&') + 1;
  if (count <= limits.query_parameters_max && count <= limits.parameter_repeats_max) return std::nullopt;
  Pieces parameters(query, '&', count);
  if (parameters.get().size() > limits.query_parameters_max) return ScopeRule::kQueryParameters;
  for (std::string_view& parameter : parameters.get()) parameter = parameter.substr(0, parameter.find('='));
  if (repeats_more_than(parameters.get(), limits.parameter_repeats_max)) return ScopeRule::kParameterRepeats;
  return std::nullopt;
}

}  // namespace weir::frontier
