// srcset and imagesrcset: HTML Standard 4.8.4.2.2, "parse a srcset attribute". Pure, linear.
#pragma once

#include <string_view>
#include <vector>

namespace weir::crawler {

// Appends the URLs of the valid candidates, in order, repeats included: views into `value`.
void parse_srcset(std::string_view value, std::vector<std::string_view>& urls);

}  // namespace weir::crawler
