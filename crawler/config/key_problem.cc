// Suggestions come from the key table, so that they never name what does not exist.
#include "crawler/config/key_problem.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/nearest.h"
#include "crawler/config/key_table.h"

namespace weir::crawler {
namespace {

std::vector<std::string_view> names_of_section(std::string_view section) {
  std::vector<std::string_view> names;
  for (const KeyRow& row : key_table()) {
    if (row.section == section) names.push_back(row.name);
  }
  return names;
}

std::vector<std::string_view> section_names() {
  std::vector<std::string_view> names;
  for (const SectionRow& row : section_table()) names.push_back(row.name);
  return names;
}

std::string joined(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) text.append(text.empty() ? "" : ", ").append(name);
  return text;
}

const KeyRow* key_elsewhere(std::string_view name) {
  const auto found = std::ranges::find(key_table(), name, &KeyRow::name);
  return found == key_table().end() ? nullptr : &*found;
}

}  // namespace

bool is_section(std::string_view name) {
  return std::ranges::find(section_table(), name, &SectionRow::name) != section_table().end();
}

std::string unknown_key(std::string_view section, std::string_view name) {
  const std::string start = fmt::format("unknown key '{}' in [{}]", name, section);
  if (const KeyRow* row = key_elsewhere(name)) {
    return fmt::format("{}; did you mean '{}' in [{}]?", start, name, row->section);
  }
  const auto names = names_of_section(section);
  const std::string_view meant = nearest(name, names);
  if (!meant.empty()) return fmt::format("{}; did you mean '{}'?", start, meant);
  return fmt::format("{}; it has: {}", start, joined(names));
}

std::string unknown_section(std::string_view section) {
  const auto names = section_names();
  const std::string_view meant = nearest(section, names);
  if (!meant.empty()) return fmt::format("unknown section [{}]; did you mean [{}]?", section, meant);
  return fmt::format("unknown section [{}]; there are: {}", section, joined(names));
}

std::string key_without_section(std::string_view name) {
  if (is_section(name)) return fmt::format("'{}' is a section: write [{}] and its keys below", name, name);
  if (const KeyRow* row = key_elsewhere(name)) {
    return fmt::format("key '{}' stands outside a section; write it below [{}]", name, row->section);
  }
  return fmt::format("unknown key '{}' outside any section; sections are: {}", name, joined(section_names()));
}

}  // namespace weir::crawler
