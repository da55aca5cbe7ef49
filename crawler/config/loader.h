// From files, environment and flags to one Config. Later layers win key by key: built-in values, the system's
// file, --config, environment, --set, flags. Every problem of every layer is collected, so that one run of
// `config check` shows them all. Reads files; keeps nothing; one thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/error.h"
#include "crawler/config/config.h"

namespace weir::crawler {

inline constexpr const char* kSystemConfigFile = "/etc/weir/weir.toml";

struct EnvironmentVariable {
  std::string name;  // "WEIR_CRAWL__DEPTH"; one without "__" that is no mistyped key is another program's
  std::string value;
};

// A flag that stands for a key: {"crawl.depth", "3", "--depth"}.
struct FlagSetting {
  std::string key;
  std::string value;
  std::string flag;
  bool append = false;  // lists: the value is one more element, taken as it is
};

struct ConfigSources {
  std::string system_file = kSystemConfigFile;  // read when it exists; empty: none
  std::string file;                             // of --config; empty: none
  std::vector<EnvironmentVariable> environment;
  std::vector<std::string> sets;  // "section.key=value"
  std::vector<FlagSetting> flags;
};

struct LoadedConfig {
  Config config;
  // Where each key's value came from, by index into key_table(): "built-in", "weir.toml:3:1",
  // "environment WEIR_CRAWL__DEPTH", "--set", "--depth".
  std::vector<std::string> origins;

  const std::string& origin(std::string_view section, std::string_view name) const;
};

inline constexpr std::string_view kBuiltIn = "built-in";

// kUsage with one problem a line.
Result<LoadedConfig> load_config(const ConfigSources& sources);

}  // namespace weir::crawler
