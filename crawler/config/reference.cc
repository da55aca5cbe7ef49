// Both walk the key table in its order, which is the order of the file.
#include "crawler/config/reference.h"

#include <fmt/core.h>

#include <algorithm>

#include "crawler/config/assign.h"
#include "crawler/config/key_table.h"

namespace weir::crawler {
namespace {

constexpr std::size_t kOriginColumn = 40;

constexpr std::string_view kReferenceHead =
    "# Every key of weir with its built-in value: a file without a key means the value written here.\n"
    "# Order: built-in < /etc/weir/weir.toml < --config FILE < WEIR_SECTION__KEY < --set section.key=value < "
    "flags.\n"
    "# Durations: us ms s m h d. Sizes: B KiB MiB GiB TiB. `weir config print --reference` writes this file,\n"
    "# `weir config print` shows what is in effect and where it comes from.\n";

std::string reference_entry(const KeyRow& row, const Config& defaults) {
  std::string text = fmt::format("# {}\n", row.meaning);
  const std::string range = format_range(row);
  text += fmt::format("#   {}{}cost: {}\n", range.empty() ? "" : "range: " + range, range.empty() ? "" : "; ",
                      row.cost);
  // A key whose default follows another key must not be pinned by the reference.
  const bool derived = row.section == "politeness" && row.name == "per_ip_delay";
  return text + fmt::format("{}{} = {}\n", derived ? "#" : "", row.name, format_value(row, defaults));
}

}  // namespace

std::string format_config(const LoadedConfig& loaded) {
  std::string text;
  std::string_view section;
  for (std::size_t i = 0; i < key_table().size(); ++i) {
    const KeyRow& row = key_table()[i];
    if (row.section != section) text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", row.section);
    section = row.section;
    std::string line = fmt::format("{} = {}", row.name, format_value(row, loaded.config));
    line.resize(std::max(line.size() + 1, kOriginColumn), ' ');
    text += line + "# " + loaded.origins[i] + "\n";
  }
  return text;
}

std::string format_reference() {
  const Config defaults;
  std::string text(kReferenceHead);
  for (const SectionRow& section : section_table()) {
    text += fmt::format("\n[{}]  # {}\n", section.name, section.meaning);
    for (const KeyRow& row : key_table()) {
      if (row.section == section.name) text += "\n" + reference_entry(row, defaults);
    }
  }
  return text;
}

}  // namespace weir::crawler
