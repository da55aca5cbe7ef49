// Durations, sizes and numbers as text: one row, one reason.
#include "crawler/config/values.h"

#include <gtest/gtest.h>

#include <string_view>

namespace weir::crawler {
namespace {

using namespace std::chrono_literals;

TEST(ConfigValues, DurationsCarryAUnit) {
  struct Row {
    std::string_view text;
    Duration value;
  };
  constexpr Row kRows[] = {{"5s", 5s},    {"200ms", 200ms}, {"10us", 10us}, {"1.5s", 1500ms}, {"5m", 5min},
                           {"1h", 60min}, {"2d", 48h},      {"0s", 0s},     {"5 s", 5s}};
  for (const Row& row : kRows) {
    const auto value = parse_duration(row.text);
    ASSERT_TRUE(value) << row.text << ": " << value.error();
    EXPECT_EQ(*value, row.value) << row.text;
  }
}

TEST(ConfigValues, WrongDurationsSayWhatIsRight) {
  struct Row {
    std::string_view text;
    std::string_view message;
  };
  constexpr Row kRows[] = {
      {"5", "needs a unit: write \"5s\""},  // the usual mistake, with its cure
      {"5sec", "has no unit 'sec'"},
      {"-5s", "cannot be negative"},
      {"", "write a number with a unit"},
      {"soon", "write a number with a unit"},
      {"nan", "write a number with a unit"},
      {"1e5s", "has no unit 'e5s'"},
      {"99999999999999999999d", "is too large"},
      {"5MiB", "has no unit 'MiB'"},
  };
  for (const Row& row : kRows) {
    const auto value = parse_duration(row.text);
    ASSERT_FALSE(value) << row.text;
    EXPECT_NE(value.error().find(row.message), std::string::npos) << row.text << ": " << value.error();
  }
}

TEST(ConfigValues, SizesAreBinaryUnits) {
  EXPECT_EQ(parse_bytes("64MiB").value_or(0), 64u << 20);
  EXPECT_EQ(parse_bytes("512B").value_or(0), 512u);
  EXPECT_EQ(parse_bytes("0.5KiB").value_or(0), 512u);
  EXPECT_FALSE(parse_bytes("64MB"));  // decimal and binary would be confused
  EXPECT_FALSE(parse_bytes("64"));
}

TEST(ConfigValues, CountsAreDigitsOnly) {
  EXPECT_EQ(parse_count("1_000_000").value_or(0), 1'000'000u);
  for (const std::string_view text :
       {"", "-1", "1.5", "0x10", "1e6", "_1", "1_", " 1", "18446744073709551616"}) {
    EXPECT_FALSE(parse_count(text)) << text;
  }
}

TEST(ConfigValues, OnlyTrueAndFalseAreBooleans) {
  EXPECT_EQ(parse_bool("true").value_or(false), true);
  EXPECT_EQ(parse_bool("false").value_or(true), false);
  for (const std::string_view text : {"no", "yes", "1", "0", "True", ""})
    EXPECT_FALSE(parse_bool(text)) << text;
}

TEST(ConfigValues, FormattedQuantitiesReadBackEqual) {
  for (const Duration value :
       {Duration(0), Duration(1), Duration(1500), Duration(90s), Duration(24h), Duration(100ms)}) {
    EXPECT_EQ(parse_duration(format_duration(value)).value_or(Duration(-1)), value) << format_duration(value);
  }
  for (const std::uint64_t value :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1025}, std::uint64_t{64} << 20}) {
    EXPECT_EQ(parse_bytes(format_bytes(value)).value_or(~0ull), value) << format_bytes(value);
  }
  EXPECT_EQ(format_duration(90s), "90s");
  EXPECT_EQ(format_bytes(64u << 20), "64MiB");
  EXPECT_EQ(format_fraction(0), "0.0");
  EXPECT_EQ(format_fraction(1e-6), "1e-06");
}

TEST(ConfigValues, TomlStringsEscapeWhatTomlForbids) {
  EXPECT_EQ(toml_string("a\"b\n"), "\"a\\\"b\\u000a\"");
  EXPECT_EQ(toml_string(R"(\.pdf$)"), R"('\.pdf$')");
  EXPECT_EQ(toml_list({"a", "b"}), R"(["a", "b"])");
  EXPECT_EQ(toml_map({{"a.test", "127.0.0.2"}}), R"({ "a.test" = "127.0.0.2" })");
}

}  // namespace
}  // namespace weir::crawler
