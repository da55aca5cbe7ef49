// Each kind of key has one reader from TOML and one from text; both end in the same checks.
#include "crawler/config/assign.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace weir::crawler {
namespace {

std::unexpected<std::string> wrong(std::string message) { return std::unexpected(std::move(message)); }

TextList split(std::string_view text, char separator) {
  TextList parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    std::string_view part = text.substr(0, end);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (!part.empty()) parts.emplace_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string format_number(KeyKind kind, double value) {
  switch (kind) {
    case KeyKind::kDuration: return '"' + format_duration(Duration(static_cast<Duration::rep>(value))) + '"';
    case KeyKind::kBytes: return '"' + format_bytes(static_cast<std::uint64_t>(value)) + '"';
    case KeyKind::kCount: return fmt::format("{}", static_cast<std::uint64_t>(value));
    case KeyKind::kFraction: return format_fraction(value);
    case KeyKind::kBool:
    case KeyKind::kText:
    case KeyKind::kChoice:
    case KeyKind::kTexts:
    case KeyKind::kChoices:
    case KeyKind::kTextMap:
    case KeyKind::kParamTables: break;
  }
  return {};
}

template <typename T>
Assigned store(const KeyRow& row, T value, Config& config) {
  const Slot slot = row.slot(config);
  T* const* place = std::get_if<T*>(&slot);
  WEIR_CHECK(place != nullptr);  // the table says another type than the struct
  **place = std::move(value);
  return {};
}

double as_number(Duration value) { return static_cast<double>(value.count()); }
double as_number(std::uint64_t value) { return static_cast<double>(value); }
double as_number(double value) { return value; }

template <typename T>
Assigned store_in_range(const KeyRow& row, const Parsed<T>& value, Config& config) {
  if (!value) return wrong(value.error());
  const double number = as_number(*value);
  if (!(number >= row.range.lowest && number <= row.range.highest)) {
    return wrong(fmt::format("must be {}, not {}", format_range(row), format_number(row.kind, number)));
  }
  return store(row, *value, config);
}

Assigned check_choice(const KeyRow& row, const std::string& text) {
  const TextList choices = split(row.choices, ' ');
  if (std::ranges::find(choices, text) != choices.end()) return {};
  return wrong(fmt::format("cannot be '{}' in this version; it has: {}", text, format_range(row)));
}

Assigned store_choices(const KeyRow& row, TextList list, Config& config) {
  for (const std::string& text : list) {
    if (auto known = check_choice(row, text); !known) return known;
  }
  return store(row, std::move(list), config);
}

Assigned store_map(const KeyRow& row, TextMap map, Config& config) {
  for (std::size_t i = 0; i < map.size(); ++i) {
    const auto same = [&](const auto& entry) { return entry.first == map[i].first; };
    if (std::any_of(map.begin(), map.begin() + static_cast<std::ptrdiff_t>(i), same)) {
      return wrong(fmt::format("names '{}' twice", map[i].first));
    }
  }
  return store(row, std::move(map), config);
}

std::string describe(const TomlSetting& setting) {
  switch (setting.shape) {
    case TomlShape::kList: return "a list";
    case TomlShape::kTable: return "a table";
    case TomlShape::kTables: return "a list of tables";
    case TomlShape::kScalar: break;
  }
  switch (setting.scalar.type) {
    case TomlType::kBool: return setting.scalar.boolean ? "true" : "false";
    case TomlType::kInteger: return fmt::format("{}", setting.scalar.integer);
    case TomlType::kFloat: return fmt::format("{}", setting.scalar.number);
    case TomlType::kText: return toml_string(setting.scalar.text);
    case TomlType::kOther: return setting.scalar.text;
  }
  return {};
}

bool is_number(const TomlSetting& setting) {
  return setting.shape == TomlShape::kScalar &&
         (setting.scalar.type == TomlType::kInteger || setting.scalar.type == TomlType::kFloat);
}

// Durations and sizes: a text with a unit; a bare number is answered with the right spelling.
template <typename T>
Assigned assign_quantity(const KeyRow& row, const TomlSetting& setting, Parsed<T> (*parse)(std::string_view),
                         Config& config) {
  if (setting.shape == TomlShape::kScalar && setting.scalar.type == TomlType::kText) {
    return store_in_range(row, parse(setting.scalar.text), config);
  }
  if (is_number(setting)) return store_in_range(row, parse(describe(setting)), config);
  return wrong(fmt::format("must be a text with a unit, not {}", describe(setting)));
}

Assigned assign_count(const KeyRow& row, const TomlSetting& setting, Config& config) {
  const bool whole = setting.shape == TomlShape::kScalar && setting.scalar.type == TomlType::kInteger;
  if (!whole) return wrong(fmt::format("must be a whole number without quotes, not {}", describe(setting)));
  if (setting.scalar.integer < 0)
    return wrong(fmt::format("must be {}, not {}", format_range(row), describe(setting)));
  return store_in_range(row, Parsed<std::uint64_t>(static_cast<std::uint64_t>(setting.scalar.integer)), config);
}

Assigned assign_fraction(const KeyRow& row, const TomlSetting& setting, Config& config) {
  if (!is_number(setting))
    return wrong(fmt::format("must be a number without quotes, not {}", describe(setting)));
  const double value = setting.scalar.type == TomlType::kInteger ? static_cast<double>(setting.scalar.integer)
                                                                 : setting.scalar.number;
  return store_in_range(row, Parsed<double>(value), config);
}

Assigned assign_bool(const KeyRow& row, const TomlSetting& setting, Config& config) {
  if (setting.shape != TomlShape::kScalar || setting.scalar.type != TomlType::kBool) {
    return wrong(fmt::format("must be true or false without quotes, not {}", describe(setting)));
  }
  return store(row, setting.scalar.boolean, config);
}

Parsed<std::string> text_of(const TomlSetting& setting) {
  if (setting.shape == TomlShape::kScalar && setting.scalar.type == TomlType::kText) return setting.scalar.text;
  return wrong(fmt::format("must be a text in quotes, not {}", describe(setting)));
}

Parsed<TextList> list_of(const TomlSetting& setting) {
  if (setting.shape != TomlShape::kList) {
    const bool text = setting.shape == TomlShape::kScalar && setting.scalar.type == TomlType::kText;
    return wrong(fmt::format("must be a list of texts, like [{}], not {}",
                             text ? toml_string(setting.scalar.text) : "\"a\", \"b\"", describe(setting)));
  }
  TextList list;
  for (const TomlScalar& item : setting.list) {
    if (item.type != TomlType::kText) return wrong("must be a list of texts in quotes");
    list.push_back(item.text);
  }
  return list;
}

Parsed<TextMap> map_of(const TomlSetting& setting) {
  if (setting.shape != TomlShape::kTable) {
    return wrong(
        fmt::format("must be a table like {{ \"a.test\" = \"127.0.0.2\" }}, not {}", describe(setting)));
  }
  TextMap map;
  for (const auto& [name, item] : setting.table) {
    if (item.type != TomlType::kText) {
      return wrong(fmt::format("must be a table of texts; '{}' is {} (names with a dot need quotes)", name,
                               item.type == TomlType::kOther ? item.text : "not in quotes"));
    }
    map.emplace_back(name, item.text);
  }
  return map;
}

constexpr std::string_view kParamTablesExample = "[{ host = \"a.test\", params = [\"sid\"] }]";

// One field of one table. The error is the rest of a sentence.
Assigned read_param_field(const TomlField& field, StripParamsEntry& entry) {
  if (field.name == "host") {
    if (field.is_list || field.scalar.type != TomlType::kText)
      return wrong("has a host that is no text in quotes");
    entry.host = field.scalar.text;
    return {};
  }
  if (field.name != "params") {
    return wrong(fmt::format("has a table with '{}'; it takes host and params only", field.name));
  }
  for (const TomlScalar& item : field.list) {
    if (item.type != TomlType::kText) return wrong("has params that are no texts in quotes");
    entry.params.push_back(item.text);
  }
  return entry.params.empty() ? Assigned(wrong("has params that are no list of texts, like [\"sid\"]"))
                              : Assigned();
}

Parsed<ParamTables> param_tables_of(const TomlSetting& setting) {
  ParamTables tables;
  if (setting.shape == TomlShape::kList && setting.list.empty()) return tables;
  if (setting.shape != TomlShape::kTables) {
    return wrong(
        fmt::format("must be a list of tables, like {}, not {}", kParamTablesExample, describe(setting)));
  }
  for (const auto& fields : setting.tables) {
    StripParamsEntry entry;
    for (const TomlField& field : fields) {
      if (auto read = read_param_field(field, entry); !read) return wrong(read.error());
    }
    if (entry.params.empty()) return wrong("has a table without params");
    tables.push_back(std::move(entry));
  }
  return tables;
}

std::string toml_param_tables(const ParamTables& tables) {
  std::string text = "[";
  for (const StripParamsEntry& entry : tables) {
    if (text.size() > 1) text += ", ";
    const std::string host = entry.host.empty() ? "" : fmt::format("host = {}, ", toml_string(entry.host));
    text += fmt::format("{{ {}params = {} }}", host, toml_list(entry.params));
  }
  return text + "]";
}

Parsed<TextMap> map_of(std::string_view text) {
  TextMap map;
  for (const std::string& entry : split(text, ',')) {
    const std::size_t equals = entry.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return wrong(fmt::format("must be name=value, separated by commas, not '{}'", entry));
    }
    map.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
  }
  return map;
}

bool looks_like_toml(const KeyRow& row, std::string_view text) {
  switch (row.kind) {
    case KeyKind::kTexts:
    case KeyKind::kChoices:
    case KeyKind::kParamTables: return text.starts_with('[');
    case KeyKind::kTextMap: return text.starts_with('{');
    case KeyKind::kDuration:
    case KeyKind::kBytes:
    case KeyKind::kText:
    case KeyKind::kChoice: return text.size() > 1 && (text.front() == '"' || text.front() == '\'');
    case KeyKind::kBool:
    case KeyKind::kCount:
    case KeyKind::kFraction: break;
  }
  return false;
}

Assigned assign_as_toml(const KeyRow& row, std::string_view text, Config& config) {
  const auto settings = read_toml(fmt::format("value = {}\n", text), "value");
  if (!settings || settings->size() != 1) {
    return wrong(
        fmt::format("cannot be read: '{}' begins like TOML but is not; write lists as [\"a\", \"b\"]", text));
  }
  return assign_toml(row, settings->front(), config);
}

template <typename T>
Assigned store_parsed(const KeyRow& row, Parsed<T> value, Config& config) {
  if (!value) return wrong(value.error());
  return store(row, *std::move(value), config);
}

}  // namespace

Assigned assign_toml(const KeyRow& row, const TomlSetting& setting, Config& config) {
  switch (row.kind) {
    case KeyKind::kBool: return assign_bool(row, setting, config);
    case KeyKind::kCount: return assign_count(row, setting, config);
    case KeyKind::kFraction: return assign_fraction(row, setting, config);
    case KeyKind::kDuration: return assign_quantity<Duration>(row, setting, parse_duration, config);
    case KeyKind::kBytes: return assign_quantity<std::uint64_t>(row, setting, parse_bytes, config);
    case KeyKind::kText: return store_parsed(row, text_of(setting), config);
    case KeyKind::kTexts: return store_parsed(row, list_of(setting), config);
    case KeyKind::kChoice: {
      auto text = text_of(setting);
      if (!text) return wrong(text.error());
      if (auto known = check_choice(row, *text); !known) return known;
      return store(row, *std::move(text), config);
    }
    case KeyKind::kChoices: {
      auto list = list_of(setting);
      return list ? store_choices(row, *std::move(list), config) : Assigned(wrong(list.error()));
    }
    case KeyKind::kTextMap: {
      auto map = map_of(setting);
      return map ? store_map(row, *std::move(map), config) : Assigned(wrong(map.error()));
    }
    case KeyKind::kParamTables: return store_parsed(row, param_tables_of(setting), config);
  }
  return wrong("has no kind");
}

Assigned assign_text(const KeyRow& row, std::string_view text, Config& config) {
  if (looks_like_toml(row, text)) return assign_as_toml(row, text, config);
  switch (row.kind) {
    case KeyKind::kBool: return store_parsed(row, parse_bool(text), config);
    case KeyKind::kCount: return store_in_range(row, parse_count(text), config);
    case KeyKind::kFraction: return store_in_range(row, parse_fraction(text), config);
    case KeyKind::kDuration: return store_in_range(row, parse_duration(text), config);
    case KeyKind::kBytes: return store_in_range(row, parse_bytes(text), config);
    case KeyKind::kText: return store(row, std::string(text), config);
    case KeyKind::kTexts: return store(row, split(text, ','), config);
    case KeyKind::kChoices: return store_choices(row, split(text, ','), config);
    case KeyKind::kChoice: {
      std::string choice(text);
      if (auto known = check_choice(row, choice); !known) return known;
      return store(row, std::move(choice), config);
    }
    case KeyKind::kTextMap: {
      auto map = map_of(text);
      return map ? store_map(row, *std::move(map), config) : Assigned(wrong(map.error()));
    }
    case KeyKind::kParamTables: return wrong(fmt::format("must be written as TOML: {}", kParamTablesExample));
  }
  return wrong("has no kind");
}

std::string format_value(const KeyRow& row, const Config& config) {
  Config copy = config;  // slots point into a mutable config; printing is rare
  const Slot slot = row.slot(copy);
  if (const auto* flag = std::get_if<bool*>(&slot)) return **flag ? "true" : "false";
  if (const auto* count = std::get_if<std::uint64_t*>(&slot))
    return format_number(row.kind, as_number(**count));
  if (const auto* fraction = std::get_if<double*>(&slot)) return format_fraction(**fraction);
  if (const auto* duration = std::get_if<Duration*>(&slot))
    return format_number(row.kind, as_number(**duration));
  if (const auto* text = std::get_if<std::string*>(&slot)) return toml_string(**text);
  if (const auto* list = std::get_if<TextList*>(&slot)) return toml_list(**list);
  if (const auto* tables = std::get_if<ParamTables*>(&slot)) return toml_param_tables(**tables);
  return toml_map(*std::get<TextMap*>(slot));
}

std::string format_range(const KeyRow& row) {
  if (!row.choices.empty()) {
    std::string text;
    for (const std::string& choice : split(row.choices, ' ')) text += (text.empty() ? "" : ", ") + choice;
    return text;
  }
  if (row.range.highest == 0) return {};
  return format_number(row.kind, row.range.lowest) + " to " + format_number(row.kind, row.range.highest);
}

}  // namespace weir::crawler
