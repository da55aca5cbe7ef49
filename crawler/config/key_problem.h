// Messages about keys that do not exist: where it stands, what it says, what was probably meant. Pure.
#pragma once

#include <string>
#include <string_view>

namespace weir::crawler {

// "unknown key 'max_depht' in [crawl]; did you mean 'max_depth'?", or where such a key exists, or what there
// is.
std::string unknown_key(std::string_view section, std::string_view name);

// "unknown section [crwal]; did you mean [crawl]?"
std::string unknown_section(std::string_view section);

// A key outside any section.
std::string key_without_section(std::string_view name);

bool is_section(std::string_view name);

}  // namespace weir::crawler
