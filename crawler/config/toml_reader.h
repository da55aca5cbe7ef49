// TOML text as a flat list of settings with their places. toml++ stands behind it (in toml_reader.cc alone);
// what a key means is not known here. Pure; recursion of the input ends in the library (its depth is bounded).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace weir::crawler {

struct TomlPlace {
  std::uint32_t line = 0;  // from 1
  std::uint32_t column = 0;
};

enum class TomlType : std::uint8_t { kBool, kInteger, kFloat, kText, kOther };

struct TomlScalar {
  TomlType type = TomlType::kOther;
  bool boolean = false;
  std::int64_t integer = 0;
  double number = 0;
  std::string text;  // of kText; of kOther: what it is, "a date"
  TomlPlace place;
};

enum class TomlShape : std::uint8_t { kScalar, kList, kTable, kTables };

// A value inside a table of a list of tables: one level further down is not read.
struct TomlField {
  std::string name;
  bool is_list = false;
  TomlScalar scalar;
  std::vector<TomlScalar> list;
};

struct TomlSetting {
  std::string section;  // empty: a key outside any section
  std::string name;     // empty: the section itself, so that an empty unknown one is seen too
  TomlPlace place;      // of the key where the library knows it, else of its value
  TomlShape shape = TomlShape::kScalar;
  TomlScalar scalar;
  std::vector<TomlScalar> list;
  std::vector<std::pair<std::string, TomlScalar>> table;
  std::vector<std::vector<TomlField>> tables;  // of kTables: a list that has nothing but tables
};

// `where` names the text in messages ("weir.toml"). kUsage with "where:line:column: reason" on bad syntax and
// on a key given twice; the library stops at the first of these.
Result<std::vector<TomlSetting>> read_toml(std::string_view text, std::string_view where);

}  // namespace weir::crawler
