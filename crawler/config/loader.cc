// One layer after another onto the same Config; a problem never stops the layers that follow.
#include "crawler/config/loader.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/check.h"
#include "base/durable_file.h"
#include "crawler/config/assign.h"
#include "crawler/config/check.h"
#include "crawler/config/key_problem.h"
#include "crawler/config/key_table.h"
#include "crawler/config/toml_reader.h"

namespace weir::crawler {
namespace {

constexpr std::uint64_t kConfigBytesMax = 4 << 20;
constexpr std::string_view kEnvironmentPrefix = "WEIR_";
constexpr Duration::rep kPerIpShare = 10;  // politeness.per_ip_delay is this part of politeness.delay

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

struct KeyName {
  std::string section;
  std::string name;
};

class Loader {
 public:
  Loader() : loaded_{{}, std::vector<std::string>(key_table().size(), std::string(kBuiltIn))} {}

  void add_file(const std::string& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) return add_problem(path, "is a directory, not a file");
    const auto text = read_file(path, kConfigBytesMax);
    if (!text) return problems_.push_back(text.error().message());
    const auto settings = read_toml(*text, path);
    if (!settings) return problems_.push_back(settings.error().message());
    for (const TomlSetting& setting : *settings) add_setting(setting, path);
  }

  void add_variable(const EnvironmentVariable& variable) {
    const std::string where = "environment " + variable.name;
    const std::string rest = lower(std::string_view(variable.name).substr(kEnvironmentPrefix.size()));
    const std::size_t separator = rest.find("__");
    if (separator != std::string::npos) {
      return add_text({rest.substr(0, separator), rest.substr(separator + 2)}, variable.value, where);
    }
    for (const KeyRow& row : key_table()) {
      if (rest == fmt::format("{}_{}", row.section, row.name)) {
        return add_problem(where, "needs two underscores between section and key");
      }
    }
  }

  void add_set(const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::size_t dot = text.find('.');
    if (equals == std::string::npos || dot >= equals) {
      return add_problem("--set " + text, "must be section.key=value, like crawl.depth=3");
    }
    add_text({text.substr(0, dot), text.substr(dot + 1, equals - dot - 1)}, text.substr(equals + 1), "--set");
  }

  void add_flag(const FlagSetting& flag) {
    const std::size_t dot = flag.key.find('.');
    if (!flag.append)
      return add_text({flag.key.substr(0, dot), flag.key.substr(dot + 1)}, flag.value, flag.flag);
    const std::size_t index = find_key(flag.key.substr(0, dot), flag.key.substr(dot + 1));
    WEIR_CHECK(index < key_table().size());
    const Slot slot = key_table()[index].slot(loaded_.config);
    std::get<TextList*>(slot)->push_back(flag.value);
    loaded_.origins[index] = flag.flag;
  }

  Result<LoadedConfig> finish() {
    derive();
    if (problems_.empty()) problems_ = check_config(loaded_);
    if (problems_.empty()) return std::move(loaded_);
    std::string message;
    for (const std::string& problem : problems_) message += (message.empty() ? "" : "\n") + problem;
    return fail(ErrorCode::kUsage, std::move(message));
  }

 private:
  void add_problem(const std::string& where, std::string_view what) {
    problems_.push_back(fmt::format("{}: {}", where, what));
  }

  void add_setting(const TomlSetting& setting, const std::string& path) {
    const std::string where = fmt::format("{}:{}:{}", path, setting.place.line, setting.place.column);
    if (setting.section.empty()) return add_problem(where, key_without_section(setting.name));
    if (setting.name.empty()) {
      if (!is_section(setting.section)) add_problem(where, unknown_section(setting.section));
      return;
    }
    if (!is_section(setting.section)) return;  // said once, at the section
    const std::size_t index = find_key(setting.section, setting.name);
    if (index == key_table().size()) return add_problem(where, unknown_key(setting.section, setting.name));
    note(index, assign_toml(key_table()[index], setting, loaded_.config), where);
  }

  void add_text(const KeyName& key, const std::string& value, const std::string& where) {
    if (!is_section(key.section)) return add_problem(where, unknown_section(key.section));
    const std::size_t index = find_key(key.section, key.name);
    if (index == key_table().size()) return add_problem(where, unknown_key(key.section, key.name));
    note(index, assign_text(key_table()[index], value, loaded_.config), where);
  }

  void note(std::size_t index, const Assigned& assigned, const std::string& where) {
    if (!assigned) return add_problem(where, full_name(key_table()[index]) + " " + assigned.error());
    loaded_.origins[index] = where;
  }

  void derive() {
    PolitenessSection& politeness = loaded_.config.politeness;
    std::string& origin = loaded_.origins[find_key("politeness", "per_ip_delay")];
    if (origin != kBuiltIn) return;
    politeness.per_ip_delay = politeness.delay / kPerIpShare;
    if (loaded_.origin("politeness", "delay") != kBuiltIn) origin = "a tenth of politeness.delay";
  }

  LoadedConfig loaded_;
  std::vector<std::string> problems_;
};

}  // namespace

const std::string& LoadedConfig::origin(std::string_view section, std::string_view name) const {
  const std::size_t index = find_key(section, name);
  WEIR_CHECK(index < origins.size());
  return origins[index];
}

Result<LoadedConfig> load_config(const ConfigSources& sources) {
  Loader loader;
  std::error_code error;
  if (!sources.system_file.empty() && std::filesystem::exists(sources.system_file, error)) {
    loader.add_file(sources.system_file);
  }
  if (!sources.file.empty()) loader.add_file(sources.file);
  for (const EnvironmentVariable& variable : sources.environment) loader.add_variable(variable);
  for (const std::string& set : sources.sets) loader.add_set(set);
  for (const FlagSetting& flag : sources.flags) loader.add_flag(flag);
  return loader.finish();
}

}  // namespace weir::crawler
