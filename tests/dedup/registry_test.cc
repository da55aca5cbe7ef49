// The registry: names, nearest names, and what sized backends must be told.
#include "dedup/registry.h"

#include <gtest/gtest.h>

#include <set>

namespace weir::dedup {
namespace {

TEST(Registry, NamesAreUniqueAndSummarised) {
  std::set<std::string_view> names;
  for (const Backend& backend : backends()) {
    EXPECT_TRUE(names.insert(backend.name).second) << backend.name;
    EXPECT_FALSE(backend.summary.empty()) << backend.name;
  }
  EXPECT_TRUE(names.contains("exact"));
  EXPECT_TRUE(names.contains("bloom"));
}

TEST(Registry, MistakenOptionsAreUsageErrorsThatSayTheCure) {
  struct Row {
    SetOptions options;
    const char* said;
  };
  const Row rows[] = {
      {{"blom", 1000, 1e-3}, "did you mean 'bloom'"},
      {{"exakt", 0, 0}, "did you mean 'exact'"},
      {{"postgresql", 0, 0}, "there are: exact bloom"},
      {{"", 0, 0}, "there are: exact bloom"},
      {{"bloom", 0, 1e-3}, "dedup.capacity"},
      {{"bloom", 1000, 0}, "dedup.fpr"},
      {{"bloom", 1000, -1}, "dedup.fpr"},
      {{"bloom", 1000, 0.9}, "between 1e-9 and 0.5"},
      {{"bloom", 1000, 1e-12}, "between 1e-9 and 0.5"},
      {{"bloom", ~std::uint64_t{0}, 1e-3}, "dedup.capacity"},
      {{"bloom", std::uint64_t{1} << 40, 1e-9}, "beyond 256 GiB"},
      {{"exact", ~std::uint64_t{0}, 0}, "beyond any memory"},
  };
  for (const Row& row : rows) {
    const auto set = make_set(row.options);
    ASSERT_FALSE(set) << row.said;
    EXPECT_EQ(set.error().code(), ErrorCode::kUsage) << row.said;
    EXPECT_NE(set.error().message().find(row.said), std::string::npos) << set.error().message();
  }
}

TEST(Registry, MemoryThatCannotBeGotIsAnErrorNotACrash) {
  const auto set = make_set({"exact", std::uint64_t{1} << 50, 0});
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().code(), ErrorCode::kRuntime);
  EXPECT_NE(set.error().message().find("lower the capacity"), std::string::npos) << set.error().message();
}

}  // namespace
}  // namespace weir::dedup
