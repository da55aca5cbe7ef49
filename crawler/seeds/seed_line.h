// One line of a seed file: a URL and what the operator says about it.
//
//   example.org/x <TAB> depth=2 <TAB> priority=high <TAB> tag=news    # a comment
//
// "http://" is added where no scheme is written. Attributes follow after tabs; after spaces too, where the word
// is one of the known attributes. '#' at the start or after white space begins a comment. Pure.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "frontier/candidates.h"
#include "frontier/url/url.h"

namespace weir::crawler {

struct Seed {
  frontier::Url url;                                    // wire form, and a fragment "#!..."
  std::uint16_t depth_limit = frontier::kNoDepthLimit;  // depth=N: N links away from this seed
  frontier::Priority priority = frontier::Priority::kNormal;
  std::string tag;
  bool credentials_dropped = false;  // user:password@ was written; it is never sent
};

inline constexpr std::size_t kTagBytesMax = 256;

// nullopt: blank or only a comment. The error says what is wrong with the line.
std::expected<std::optional<Seed>, std::string> parse_seed_line(std::string_view line);

}  // namespace weir::crawler
