// Files survive whole or not at all. The system calls that DurableFile makes are defined here once more, so
// that a test can fail the n-th of them; without orders they do what the system does.
#include "base/durable_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace {

// Orders for the calls of this thread.
struct Fault {
  int calls_left = 0;           // until one fails; 0: none will
  int error = 0;                // what that one says
  bool interrupt_next = false;  // the next read or write says EINTR once
};
thread_local Fault fault;

bool fails_now() {
  if (fault.calls_left == 0 || --fault.calls_left != 0) return false;
  errno = fault.error;
  return true;
}

bool interrupted_now() {
  if (!std::exchange(fault.interrupt_next, false)) return false;
  errno = EINTR;
  return true;
}

}  // namespace

extern "C" {
ssize_t write(int descriptor, const void* bytes, size_t count) {
  if (interrupted_now() || fails_now()) return -1;
  return ::syscall(SYS_write, descriptor, bytes, count);
}
ssize_t read(int descriptor, void* bytes, size_t count) {
  if (interrupted_now() || fails_now()) return -1;
  return ::syscall(SYS_read, descriptor, bytes, count);
}
int fsync(int descriptor) {
  if (fails_now()) return -1;
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}
int rename(const char* from, const char* to) noexcept {
  if (fails_now()) return -1;
  return static_cast<int>(::syscall(SYS_rename, from, to));
}
int link(const char* from, const char* to) noexcept {
  if (fails_now()) return -1;
  return static_cast<int>(::syscall(SYS_link, from, to));
}
}

namespace weir {
namespace {

class DurableFile : public testing::Test {
 protected:
  DurableFile() {
    std::string pattern = (std::filesystem::temp_directory_path() / "weir-durable-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~DurableFile() override { std::filesystem::remove_all(folder_); }

  std::string path(std::string_view name) const { return (folder_ / name).string(); }
  std::string content(std::string_view name) const {
    auto text = read_file(path(name), 64 << 20);
    return text ? *text : "unreadable: " + text.error().message();
  }
  bool exists(std::string_view name) const { return std::filesystem::exists(folder_ / name); }
  Result<void> replace(std::string_view name, std::string_view text, const ReplaceOptions& options = {}) const {
    return replace_file(path(name), [&](FileWriter& file) { return file.append(text); }, options);
  }

  std::filesystem::path folder_;
};

TEST_F(DurableFile, WhatWasAppendedIsReadBack) {
  const std::string chunk(300'000, 'x');
  std::string whole;
  auto file = FileWriter::create(path("a"));
  ASSERT_TRUE(file);
  for (int i = 0; i < 10; ++i) {  // crosses the buffer's end
    const std::string piece = std::to_string(i) + chunk;
    ASSERT_TRUE(file->append(piece));
    whole += piece;
  }
  ASSERT_TRUE(file->append(std::string(3 << 20, 'y')));  // larger than the buffer
  whole += std::string(3 << 20, 'y');
  ASSERT_TRUE(file->sync_and_close());
  EXPECT_EQ(content("a"), whole);
}

TEST_F(DurableFile, AMovedWriterGoesOnWhereTheFirstStopped) {
  auto first = FileWriter::create(path("a"));
  ASSERT_TRUE(first);
  ASSERT_TRUE(first->append("one "));
  FileWriter second(std::move(*first));
  ASSERT_TRUE(second.append("two"));
  ASSERT_TRUE(second.sync_and_close());
  EXPECT_EQ(content("a"), "one two");
}

TEST_F(DurableFile, ReplacingKeepsThePreviousWhenAsked) {
  ASSERT_TRUE(replace("a", "one", {.previous = path("a.old"), .before_publish = {}}));
  EXPECT_FALSE(exists("a.old"));
  ASSERT_TRUE(replace("a", "two", {.previous = path("a.old"), .before_publish = {}}));
  ASSERT_TRUE(replace("a", "three", {.previous = path("a.old"), .before_publish = {}}));
  EXPECT_EQ(content("a"), "three");
  EXPECT_EQ(content("a.old"), "two");
  EXPECT_FALSE(exists("a.tmp"));
}

TEST_F(DurableFile, ThePublisherRunsAfterTheFileIsWholeAndBeforeItIsSeen) {
  ASSERT_TRUE(replace("a", "old"));
  bool ran = false;
  const auto check = [&]() -> Result<void> {
    EXPECT_EQ(content("a"), "old");
    EXPECT_EQ(content("a.tmp"), "new");
    ran = true;
    return {};
  };
  ASSERT_TRUE(replace("a", "new", {.previous = {}, .before_publish = check}));
  EXPECT_TRUE(ran);
  EXPECT_EQ(content("a"), "new");
}

TEST_F(DurableFile, AFailedPublisherLeavesTheOldFileAlone) {
  ASSERT_TRUE(replace("a", "old"));
  const auto refuse = [] { return Result<void>(fail(ErrorCode::kRetry, "log not synced")); };
  const auto replaced = replace("a", "new", {.previous = path("a.old"), .before_publish = refuse});
  ASSERT_FALSE(replaced);
  EXPECT_EQ(replaced.error().message(), "log not synced");
  EXPECT_EQ(content("a"), "old");
  EXPECT_FALSE(exists("a.tmp"));
}

TEST_F(DurableFile, AFailedWriteOfTheCallerLeavesTheOldFileAlone) {
  ASSERT_TRUE(replace("a", "old"));
  const auto half = [](FileWriter& file) -> Result<void> {
    if (auto written = file.append("half"); !written) return written;
    return fail(ErrorCode::kState, "no more");
  };
  EXPECT_FALSE(replace_file(path("a"), half));
  EXPECT_EQ(content("a"), "old");
  EXPECT_FALSE(exists("a.tmp"));
}

TEST_F(DurableFile, AFailureAtAnyCallLeavesTheOldOrTheNewContentWhole) {
  // Symptom once: a failed second rename left no file at all under the name.
  const std::string old_text(2 << 20, 'o');
  const std::string new_text(3 << 20, 'n');
  ASSERT_TRUE(replace("a", old_text));
  int call = 1;
  for (bool failed = true; failed; ++call) {
    ASSERT_LT(call, 50) << "replace_file never came to an end without failing";
    fault = {.calls_left = call, .error = EIO};
    const auto replaced = replace("a", new_text, {.previous = path("a.old"), .before_publish = {}});
    failed = !replaced;
    fault = {};
    const std::string now = content("a");
    EXPECT_TRUE(now == old_text || now == new_text) << "call " << call << " left " << now.size() << " bytes";
    EXPECT_FALSE(exists("a.tmp")) << "call " << call;
    if (failed) {
      EXPECT_NE(replaced.error().message().find(folder_.string()), std::string::npos)
          << replaced.error().message();
      EXPECT_EQ(replaced.error().code(), ErrorCode::kState);
    }
  }
  EXPECT_GT(call, 5) << "too few calls were failed for the test to mean anything";
  EXPECT_EQ(content("a"), new_text);
}

TEST_F(DurableFile, AFullDiskIsTransientAndSaysWhichFile) {
  fault = {.calls_left = 1, .error = ENOSPC};
  const auto replaced = replace("a", "text");
  ASSERT_FALSE(replaced);
  EXPECT_EQ(replaced.error().code(), ErrorCode::kRetry);
  EXPECT_EQ(replaced.error().message(), "cannot write '" + path("a.tmp") + "': No space left on device");
}

TEST_F(DurableFile, AWriterThatFailedOnceNeverReportsSuccess) {
  // Symptom once: after a full disk a second try wrote the buffer again behind its own first half.
  auto file = FileWriter::create(path("a"));
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->append("buffered"));
  fault = {.calls_left = 1, .error = ENOSPC};
  EXPECT_FALSE(file->append(std::string(2 << 20, 'x')));
  EXPECT_FALSE(file->append("more"));
  EXPECT_FALSE(file->sync_and_close());
}

TEST_F(DurableFile, TheFullDeviceOfTheSystemIsReportedToo) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  auto file = FileWriter::create("/dev/full");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->append("buffered"));
  const auto closed = file->sync_and_close();
  ASSERT_FALSE(closed);
  EXPECT_EQ(closed.error().code(), ErrorCode::kRetry);
}

TEST_F(DurableFile, InterruptedCallsAreRepeated) {
  fault.interrupt_next = true;
  ASSERT_TRUE(replace("a", "text"));
  fault.interrupt_next = true;
  EXPECT_EQ(content("a"), "text");
}

TEST_F(DurableFile, AFailedReadIsAnErrorAndNotAnEmptyFile) {
  ASSERT_TRUE(replace("a", "text"));
  fault = {.calls_left = 1, .error = EIO};
  const auto text = read_file(path("a"), 100);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().message(), "cannot read '" + path("a") + "': Input/output error");
}

TEST_F(DurableFile, AFileLargerThanTheBoundIsRefused) {
  ASSERT_TRUE(replace("a", "12345"));
  EXPECT_EQ(*read_file(path("a"), 5), "12345");
  const auto text = read_file(path("a"), 4);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), ErrorCode::kSkip);
}

TEST_F(DurableFile, MissingFoldersAndFilesAreNamed) {
  const auto created = FileWriter::create(path("gone/a"));
  ASSERT_FALSE(created);
  EXPECT_EQ(created.error().message(), "cannot create '" + path("gone/a") + "': No such file or directory");
  EXPECT_FALSE(read_file(path("gone"), 10));
  EXPECT_FALSE(sync_folder(path("gone")));
  EXPECT_TRUE(sync_folder(folder_.string()));
}

TEST_F(DurableFile, APathWithoutFolderIsInTheWorkingDirectory) {
  // Symptom once: the file was published and then reported as failed, because its folder's name was empty.
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder_);
  EXPECT_TRUE(replace_file("bare", [](FileWriter& file) { return file.append("text"); }));
  std::filesystem::current_path(before);
  EXPECT_EQ(content("bare"), "text");
}

}  // namespace
}  // namespace weir
