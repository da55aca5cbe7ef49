// The config as text: effective values with their origin for `config print`, and the commented reference that
// configs/weir.toml is (a test holds the file against it). Pure.
#pragma once

#include <string>

#include "crawler/config/loader.h"

namespace weir::crawler {

// TOML, one key a line, "# origin" behind it.
std::string format_config(const LoadedConfig& loaded);

// Every key with its meaning, range, cost and built-in value.
std::string format_reference();

}  // namespace weir::crawler
