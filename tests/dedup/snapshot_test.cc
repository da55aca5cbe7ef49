// Snapshot files: damage of any byte and any truncation is found, named, and leaves the set as it was.
#include "dedup/snapshot.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "dedup/registry.h"
#include "tests/dedup/keys.h"

namespace weir::dedup {
namespace {

using testing::keys;
using testing::secret;

std::string slurp(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void spill(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

class Snapshot : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("weir_snapshot_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    options_.path = (folder_ / "set").string();
    options_.secret = secret(1);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<UrlSet> filled(std::uint64_t count, std::uint64_t capacity = 100) {
    auto set = make_set({GetParam(), capacity, 1e-3});
    EXPECT_TRUE(set);
    EXPECT_TRUE((*set)->insert(keys(0, count)));
    return std::move(*set);
  }
  // Loads into a set that holds 7 other keys, and checks that a failure leaves exactly those.
  Result<std::uint64_t> load() {
    auto set = make_set({GetParam(), 100, 1e-3});
    EXPECT_TRUE((*set)->insert(keys(1000, 7)));
    auto stamp = load_snapshot(**set, options_.path, options_.secret);
    if (!stamp) {
      EXPECT_EQ((*set)->stats().keys, 7U) << "a damaged file changed the set";
    }
    return stamp;
  }

  std::filesystem::path folder_;
  SnapshotOptions options_;
};

TEST_P(Snapshot, EveryFlippedByteIsFound) {
  ASSERT_TRUE(save_snapshot(*filled(60), 9, options_));
  const std::string whole = slurp(options_.path);
  std::fstream file(options_.path, std::ios::in | std::ios::out | std::ios::binary);
  const auto put = [&](std::size_t place, char byte) {
    file.seekp(static_cast<std::streamoff>(place));
    file.put(byte).flush();
  };
  for (std::size_t i = 0; i < whole.size(); ++i) {
    put(i, static_cast<char>(static_cast<unsigned char>(whole[i]) ^ 1U << i % 8));
    const auto stamp = load();
    ASSERT_FALSE(stamp) << "byte " << i;
    ASSERT_EQ(stamp.error().code(), ErrorCode::kState);
    ASSERT_NE(stamp.error().message().find(options_.path), std::string::npos);
    const char* said = i < 8 ? "WEIRSNAP" : i < 76 ? "header is damaged" : "payload is damaged";
    ASSERT_NE(stamp.error().message().find(said), std::string::npos) << i << ": " << stamp.error().message();
    put(i, whole[i]);
  }
  EXPECT_EQ(load().value_or(0), 9U);
}

TEST_P(Snapshot, EveryTruncationAndEveryExtraByteIsFound) {
  ASSERT_TRUE(save_snapshot(*filled(60), 9, options_));
  const std::string whole = slurp(options_.path);
  spill(options_.path, whole + "x");
  EXPECT_NE(load().error().message().find("too long"), std::string::npos);
  for (std::size_t length = whole.size(); length-- > 0;) {
    std::filesystem::resize_file(options_.path, length);
    const auto stamp = load();
    ASSERT_FALSE(stamp) << "length " << length;
    ASSERT_EQ(stamp.error().code(), ErrorCode::kState);
    ASSERT_NE(stamp.error().message().find("truncated"), std::string::npos) << stamp.error().message();
  }
}

TEST_P(Snapshot, AbsentFileIsSkippedNotDamaged) {
  const auto stamp = load();
  ASSERT_FALSE(stamp);
  EXPECT_EQ(stamp.error().code(), ErrorCode::kSkip);
}

TEST_P(Snapshot, AnotherSecretIsRefused) {
  ASSERT_TRUE(save_snapshot(*filled(60), 9, options_));
  options_.secret = secret(2);
  const auto stamp = load();
  ASSERT_FALSE(stamp);
  EXPECT_EQ(stamp.error().code(), ErrorCode::kState);
  EXPECT_NE(stamp.error().message().find("secret"), std::string::npos);
}

TEST_P(Snapshot, TheSecretIsNotInTheFile) {
  ASSERT_TRUE(save_snapshot(*filled(60), 9, options_));
  const std::string whole = slurp(options_.path);
  const std::string start(reinterpret_cast<const char*>(options_.secret.data()), 8);
  EXPECT_EQ(whole.find(start), std::string::npos);
}

TEST_P(Snapshot, AnotherBackendIsRefused) {
  for (const Backend& other : backends()) {
    if (other.name == GetParam()) continue;
    auto set = make_set({std::string(other.name), 100, 1e-3});
    if ((*set)->snapshotable() == nullptr) continue;
    ASSERT_TRUE(save_snapshot(**set, 9, options_));
    const auto stamp = load();
    ASSERT_FALSE(stamp);
    EXPECT_NE(stamp.error().message().find(other.name), std::string::npos) << stamp.error().message();
  }
}

TEST_P(Snapshot, AnotherCapacityIsRefusedWhereSizeIsPartOfTheSet) {
  auto set = filled(60, 5000);
  if (set->stats().capacity == 0) GTEST_SKIP() << GetParam() << " has no fixed size";
  ASSERT_TRUE(save_snapshot(*set, 9, options_));
  const auto stamp = load();
  ASSERT_FALSE(stamp);
  EXPECT_EQ(stamp.error().code(), ErrorCode::kState);
  EXPECT_NE(stamp.error().message().find("dedup.capacity"), std::string::npos) << stamp.error().message();
}

TEST_P(Snapshot, ThePreviousFileIsKept) {
  options_.previous = options_.path + ".previous";
  ASSERT_TRUE(save_snapshot(*filled(10), 1, options_));
  ASSERT_TRUE(save_snapshot(*filled(20), 2, options_));
  EXPECT_EQ(load().value_or(0), 2U);
  options_.path = options_.previous;
  EXPECT_EQ(load().value_or(0), 1U);
}

TEST_P(Snapshot, NothingIsPublishedWhereTheLogCannotBeSynced) {
  ASSERT_TRUE(save_snapshot(*filled(10), 1, options_));
  options_.before_publish = [] { return fail(ErrorCode::kRetry, "disk full"); };
  const auto saved = save_snapshot(*filled(20), 2, options_);
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code(), ErrorCode::kRetry);
  EXPECT_EQ(load().value_or(0), 1U);
}

std::vector<std::string> snapshotable_names() {
  std::vector<std::string> names;
  for (const Backend& backend : backends()) {
    const auto set = make_set({std::string(backend.name), 100, 1e-3});
    if (set && (*set)->snapshotable() != nullptr) names.emplace_back(backend.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Backends, Snapshot, ::testing::ValuesIn(snapshotable_names()),
                         [](const auto& backend) {
                           std::string name = backend.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace weir::dedup
