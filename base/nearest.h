// nearest: what a mistyped word was meant to be, for "did you mean" in messages about keys, verbs and backends.
// Pure; cost O(words * length^2), meant for short lists.
#pragma once

#include <span>
#include <string_view>

namespace weir {

// The known word with the fewest edits (insert, delete, replace, swap of neighbours), the first of equals;
// empty when none is near enough to be meant: more edits than a third of the longer word, rounded up.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

}  // namespace weir
