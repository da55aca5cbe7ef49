// One value into one key: type, unit, range and choices are checked here, for TOML values and for the plain
// texts of flags and environment variables alike. Pure.
#pragma once

#include <string>
#include <string_view>

#include "crawler/config/config.h"
#include "crawler/config/key_table.h"
#include "crawler/config/toml_reader.h"
#include "crawler/config/values.h"

namespace weir::crawler {

// The error is the rest of a sentence that begins with the key's name; the config is untouched then.
using Assigned = std::expected<void, std::string>;

Assigned assign_toml(const KeyRow& row, const TomlSetting& setting, Config& config);

// Text as typed after --set or in the environment: no quotes needed. Lists are separated by commas, tables are
// name=value separated by commas; what begins with '[', '{', '"' or '\'' is read as TOML.
Assigned assign_text(const KeyRow& row, std::string_view text, Config& config);

// The key's value as TOML.
std::string format_value(const KeyRow& row, const Config& config);

// The key's range or choices for a reader: "1 to 4096", "os, interval, commit"; empty: no bound.
std::string format_range(const KeyRow& row);

}  // namespace weir::crawler
