// Optimal string alignment distance (Damerau-Levenshtein without editing a swapped pair again).
#include "base/nearest.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace weir {
namespace {

constexpr std::size_t kWordBytesMax = 64;  // longer is no typing error, and the cost is quadratic

std::size_t edits(std::string_view from, std::string_view to) {
  std::vector<std::size_t> before_last(to.size() + 1);
  std::vector<std::size_t> last(to.size() + 1);
  std::vector<std::size_t> row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replace = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      row[j] = std::min({replace, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[to.size()];
}

}  // namespace

std::string_view nearest(std::string_view word, std::span<const std::string_view> known) {
  std::string_view best;
  std::size_t best_edits = kWordBytesMax;
  if (word.empty() || word.size() > kWordBytesMax) return best;
  for (const std::string_view candidate : known) {
    if (candidate.size() > kWordBytesMax) continue;
    const std::size_t count = edits(word, candidate);
    const std::size_t tolerated = (std::max(word.size(), candidate.size()) + 2) / 3;
    if (count <= tolerated && count < best_edits) {
      best = candidate;
      best_edits = count;
    }
  }
  return best;
}

}  // namespace weir
