// Reads; names are judged by the loader, so that tests need no environment.
#include "crawler/config/environment.h"

#include <unistd.h>

#include <string_view>

namespace weir::crawler {

std::vector<EnvironmentVariable> weir_environment() {
  std::vector<EnvironmentVariable> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (!text.starts_with("WEIR_") || equals == std::string_view::npos) continue;
    variables.push_back({std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))});
  }
  return variables;
}

}  // namespace weir::crawler
