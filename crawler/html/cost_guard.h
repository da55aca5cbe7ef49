// Would this page cost gumbo too much? gumbo is quadratic in the depth of the tree and in the attributes of one
// tag, and has no cancel. An estimate from the tags alone, in one linear pass and memory for `depth_max` names.
// Elements whose end tag may be left out do not count (20,000 <p> in a row are no depth), so the tree can be a
// few times deeper than estimated; the parse's deadline covers that. Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace weir::crawler {

// More in one tag than any honest page has; 40,000 cost gumbo seconds.
inline constexpr std::uint32_t kTagAttributesMax = 1'000;

bool costs_too_much(std::string_view html, std::uint32_t depth_max);

}  // namespace weir::crawler
