// What the URL Standard does to the input before the state machine sees it: spaces and controls off both
// ends, tabs and line breaks out, bad UTF-8 to U+FFFD. Copies only when something in the middle must change.
#pragma once

#include <string>
#include <string_view>

namespace weir::frontier {

// A view into `input`, or into `storage` when it had to be rewritten.
std::string_view prepare_input(std::string_view input, std::string& storage);

}  // namespace weir::frontier
