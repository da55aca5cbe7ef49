// Through the readers of the configuration, so that there is one grammar.
#include "crawler/config/key_rules_text.h"

#include <string>

#include "crawler/config/assign.h"
#include "crawler/config/options.h"
#include "crawler/config/toml_reader.h"

namespace weir::crawler {

Result<frontier::KeyRules> key_rules_of(std::string_view text) {
  const auto damaged = [] {
    return fail(ErrorCode::kState, "the key rules of the state cannot be read: use the weir that made it");
  };
  const auto settings = read_toml("[key]\n" + std::string(text), "state");
  if (!settings) return damaged();
  Config config;
  for (const TomlSetting& setting : *settings) {
    if (setting.name.empty()) continue;
    const std::size_t row = find_key(setting.section, setting.name);
    if (row == key_table().size() || !assign_toml(key_table()[row], setting, config)) return damaged();
  }
  auto rules = frontier::KeyRules::compile(key_rules_options(config));
  if (!rules) return damaged();
  return rules;
}

}  // namespace weir::crawler
