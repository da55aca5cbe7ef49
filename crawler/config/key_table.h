// The table of configuration keys: one row each with kind, range, meaning and cost. It drives parsing, checks,
// `config print` and configs/weir.toml, so that no key exists in one of them alone. Immutable; pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "crawler/config/config.h"

namespace weir::crawler {

enum class KeyKind : std::uint8_t {
  kBool,
  kCount,     // whole number
  kFraction,  // number with a point
  kDuration,  // "200ms", "5s"
  kBytes,     // "64MiB"
  kText,
  kChoice,      // one of choices
  kTexts,       // list of texts
  kChoices,     // list, each one of choices
  kTextMap,     // table of texts
  kParamTables  // list of tables, each with an optional host and a list of params
};

using Slot =
    std::variant<bool*, std::uint64_t*, double*, Duration*, std::string*, TextList*, TextMap*, ParamTables*>;

// Bounds of a value, both allowed: counts and bytes as they are, durations in microseconds, fractions.
struct KeyRange {
  double lowest = 0;
  double highest = 0;
};

struct KeyRow {
  std::string_view section;
  std::string_view name;
  KeyKind kind = KeyKind::kText;
  Slot (*slot)(Config& config) = nullptr;  // its type follows from kind
  KeyRange range;                          // of kCount, kFraction, kDuration and kBytes
  std::string_view choices;                // of kChoice and kChoices, separated by ' '
  std::string_view meaning;                // one line
  std::string_view cost;                   // one line: what a larger, smaller or other value costs
};

std::span<const KeyRow> key_table();

// Sections in the order of the file, and what each is about.
struct SectionRow {
  std::string_view name;
  std::string_view meaning;
};
std::span<const SectionRow> section_table();

// "crawl.depth".
std::string full_name(const KeyRow& row);

// Index into key_table(), or key_table().size().
std::size_t find_key(std::string_view section, std::string_view name);

}  // namespace weir::crawler
