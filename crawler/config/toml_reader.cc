// The one home of toml++.
#define TOML_EXCEPTIONS 0
#include "crawler/config/toml_reader.h"

#include <fmt/core.h>
#include <toml++/toml.h>

#include <algorithm>

namespace weir::crawler {
namespace {

TomlPlace place_of(const toml::source_region& region) { return {region.begin.line, region.begin.column}; }

std::string_view describe(toml::node_type type) {
  switch (type) {
    case toml::node_type::none: return "nothing";
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "a list";
    case toml::node_type::string: return "a text";
    case toml::node_type::integer: return "a whole number";
    case toml::node_type::floating_point: return "a number";
    case toml::node_type::boolean: return "a truth value";
    case toml::node_type::date: return "a date";
    case toml::node_type::time: return "a time";
    case toml::node_type::date_time: return "a date with time";
  }
  return "nothing";
}

TomlScalar to_scalar(const toml::node& node) {
  TomlScalar scalar;
  scalar.place = place_of(node.source());
  if (const auto* text = node.as_string()) {
    scalar.type = TomlType::kText;
    scalar.text = text->get();
  } else if (const auto* integer = node.as_integer()) {
    scalar.type = TomlType::kInteger;
    scalar.integer = integer->get();
  } else if (const auto* number = node.as_floating_point()) {
    scalar.type = TomlType::kFloat;
    scalar.number = number->get();
  } else if (const auto* boolean = node.as_boolean()) {
    scalar.type = TomlType::kBool;
    scalar.boolean = boolean->get();
  } else {
    scalar.text = describe(node.type());
  }
  return scalar;
}

std::vector<TomlField> to_fields(const toml::table& table) {
  std::vector<TomlField> fields;
  for (const auto& [name, node] : table) {
    TomlField field;
    field.name = name.str();
    field.scalar = to_scalar(node);
    if (const toml::array* array = node.as_array()) {
      field.is_list = true;
      for (const toml::node& item : *array) field.list.push_back(to_scalar(item));
    }
    fields.push_back(std::move(field));
  }
  return fields;
}

void read_list(const toml::array& array, TomlSetting& setting) {
  const bool tables = !array.empty() && array.is_array_of_tables();
  setting.shape = tables ? TomlShape::kTables : TomlShape::kList;
  for (const toml::node& item : array) {
    if (tables) {
      setting.tables.push_back(to_fields(*item.as_table()));
    } else {
      setting.list.push_back(to_scalar(item));
    }
  }
}

TomlSetting to_setting(std::string_view section, const toml::key& key, const toml::node& node) {
  TomlSetting setting;
  setting.section = section;
  setting.name = key.str();
  setting.place = place_of(key.source());
  if (setting.place.line == 0) setting.place = place_of(node.source());
  if (const toml::array* array = node.as_array()) {
    read_list(*array, setting);
  } else if (const toml::table* table = node.as_table()) {
    setting.shape = TomlShape::kTable;
    for (const auto& [name, item] : *table) setting.table.emplace_back(name.str(), to_scalar(item));
  } else {
    setting.scalar = to_scalar(node);
  }
  return setting;
}

void append_section(const toml::key& name, const toml::table& table, std::vector<TomlSetting>& out) {
  TomlSetting header;
  header.section = name.str();
  header.place = place_of(name.source());
  if (header.place.line == 0) header.place = place_of(table.source());
  header.shape = TomlShape::kTable;
  out.push_back(std::move(header));
  for (const auto& [key, node] : table) out.push_back(to_setting(name.str(), key, node));
}

}  // namespace

Result<std::vector<TomlSetting>> read_toml(std::string_view text, std::string_view where) {
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const TomlPlace place = place_of(parsed.error().source());
    return fail(ErrorCode::kUsage,
                fmt::format("{}:{}:{}: {}", where, place.line, place.column, parsed.error().description()));
  }
  std::vector<TomlSetting> settings;
  for (const auto& [key, node] : parsed.table()) {
    if (const toml::table* section = node.as_table()) {
      append_section(key, *section, settings);
    } else {
      settings.push_back(to_setting("", key, node));
    }
  }
  // The library keeps tables sorted by name; messages should come in the order of the file.
  std::ranges::stable_sort(settings, [](const TomlSetting& a, const TomlSetting& b) {
    return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
  });
  return settings;
}

}  // namespace weir::crawler
