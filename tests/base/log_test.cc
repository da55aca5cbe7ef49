// One call is one line, whatever bytes a page or a URL brings; a log that cannot be written ends nothing.
#include "base/log.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace weir {
namespace {

using namespace std::string_view_literals;

class LogFile : public testing::Test {
 protected:
  LogFile() {
    std::string pattern = (std::filesystem::temp_directory_path() / "weir-log-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~LogFile() override { std::filesystem::remove_all(folder_); }

  LogOptions options(LogLevel level = LogLevel::kDebug) const {
    LogOptions wanted;
    wanted.level = level;
    wanted.file = (folder_ / "weir.log").string();
    return wanted;
  }
  std::vector<std::string> lines() const {
    std::ifstream stream(folder_ / "weir.log");
    std::vector<std::string> all;
    for (std::string line; std::getline(stream, line);) all.push_back(line);
    return all;
  }

  std::filesystem::path folder_;
};

TEST_F(LogFile, EachCallIsOneLineWithTimeAndLevel) {
  auto log = Log::open(options());
  ASSERT_TRUE(log);
  (*log)->info("fetched {} pages from {}", 3, "a.test");
  (*log)->error("stopped");
  (*log)->flush();
  ASSERT_EQ(lines().size(), 2u);
  const std::string first = lines()[0];
  EXPECT_TRUE(first.ends_with(" info fetched 3 pages from a.test")) << first;
  EXPECT_EQ(first[10], 'T') << first;
  EXPECT_TRUE(lines()[1].ends_with(" error stopped")) << lines()[1];
}

TEST_F(LogFile, ControlCharactersCannotForgeALine) {
  auto log = Log::open(options());
  ASSERT_TRUE(log);
  (*log)->write(LogLevel::kWarn, "http://a.test/\n2024 error forged\r\x1b[31m\0\x7f end"sv);
  (*log)->flush();
  ASSERT_EQ(lines().size(), 1u);
  const std::string line = lines()[0];
  EXPECT_TRUE(line.ends_with("http://a.test/\\x0a2024 error forged\\x0d\\x1b[31m\\x00\\x7f end")) << line;
}

TEST_F(LogFile, BracesInTheTextAreNotAFormat) {
  auto log = Log::open(options());
  ASSERT_TRUE(log);
  (*log)->write(LogLevel::kInfo, "{} {0} %v %n");
  (*log)->flush();
  ASSERT_EQ(lines().size(), 1u);
  EXPECT_TRUE(lines()[0].ends_with("{} {0} %v %n"));
}

TEST_F(LogFile, LinesBelowTheLevelAreNotWritten) {
  auto log = Log::open(options(LogLevel::kWarn));
  ASSERT_TRUE(log);
  EXPECT_FALSE((*log)->enabled(LogLevel::kInfo));
  (*log)->debug("no");
  (*log)->info("no");
  (*log)->warn("yes");
  (*log)->flush();
  ASSERT_EQ(lines().size(), 1u);
}

TEST_F(LogFile, AFileThatGrowsTooLargeIsRotated) {
  LogOptions small = options();
  small.file_bytes_max = 2'000;
  small.files_kept = 2;
  auto log = Log::open(small);
  ASSERT_TRUE(log);
  for (int i = 0; i < 200; ++i) (*log)->info("line {} of many", i);
  (*log)->flush();
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    EXPECT_LE(entry.file_size(), small.file_bytes_max) << entry.path();
    ++files;
  }
  EXPECT_EQ(files, 3u);
}

TEST_F(LogFile, AFileThatCannotBeOpenedIsAConfigError) {
  LogOptions bad = options();
  std::ofstream(folder_ / "plain") << "a file, not a folder";
  bad.file = (folder_ / "plain" / "weir.log").string();
  const auto log = Log::open(bad);
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().code(), ErrorCode::kUsage);
  EXPECT_NE(log.error().message().find("log.file: cannot open '" + bad.file), std::string::npos);
}

TEST_F(LogFile, LostLinesAreCountedAndEndNothing) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  LogOptions full = options();
  full.file = "/dev/full";
  auto log = Log::open(full);
  ASSERT_TRUE(log) << log.error().message();
  (*log)->error("lost");
  (*log)->error("lost");
  EXPECT_GE((*log)->write_failures(), 2u);
}

TEST(Log, TheDiscardingLogTakesEverythingAndSaysNothing) {
  const auto log = Log::discard();
  EXPECT_FALSE(log->enabled(LogLevel::kError));
  log->error("unheard {}", 1);
  log->write(LogLevel::kError, "unheard");
  log->flush();
  EXPECT_EQ(log->write_failures(), 0u);
}

}  // namespace
}  // namespace weir
