// fetch.jsonl: what a line holds, that lines of several writers never mix, and what a full disk costs.
#include "crawler/output/fetch_log.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/durable_file.h"

namespace weir::crawler {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kFileBytesMax = 64 << 20;

class FetchLogFile : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        testing::TempDir() + "weir_fetch_log_" + testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path() const { return folder_ + "/out/fetch.jsonl"; }
  std::vector<std::string> lines() const {
    std::ifstream file(path());
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }

  std::string folder_;
};

FetchLine full_line() {
  FetchLine line;
  line.ts = WallTime(1'796'104'239'123'456us);
  line.url = "http://a.test/x?y";
  line.key = "http://a.test/x?y";
  line.status = 200;
  line.reason = "ok";
  line.type = "text/html; charset=\"utf-8\"";
  line.bytes = 12345;
  line.elapsed = 67'890us;
  line.depth = 3;
  line.parent = "http://a.test/";
  line.digest = 0xabc;
  line.ip = "127.0.0.1";
  line.robots = "allowed";
  return line;
}

TEST_F(FetchLogFile, ALineHoldsEveryFieldInOrder) {
  std::string text;
  append_fetch_line(text, full_line());
  EXPECT_EQ(
      text,
      R"({"ts":"2026-12-01T05:50:39.123Z","url":"http://a.test/x?y","key":"http://a.test/x?y","status":200,)"
      R"("reason":"ok","type":"text/html; charset=\"utf-8\"","bytes":12345,"ms":67,"depth":3,)"
      R"("parent":"http://a.test/","digest":"0000000000000abc","redirect":null,"ip":"127.0.0.1",)"
      R"("robots":"allowed"})"
      "\n");
}

TEST_F(FetchLogFile, WhatIsNotThereIsNullOrAbsent) {
  FetchLine line;
  line.url = "http://a.test/";
  line.reason = "dns_not_found";
  std::string text;
  append_fetch_line(text, line);
  const auto json = nlohmann::json::parse(text);
  for (const char* name : {"key", "status", "type", "parent", "digest", "redirect", "ip", "robots"}) {
    EXPECT_TRUE(json.at(name).is_null()) << name;
  }
  for (const char* name : {"tag", "attempt", "truncated", "limited"}) EXPECT_FALSE(json.contains(name)) << name;
  line.tag = "t";
  line.attempt = 2;
  line.truncated = line.limited = true;
  text.clear();
  append_fetch_line(text, line);
  const auto marked = nlohmann::json::parse(text);
  EXPECT_EQ(marked["tag"], "t");
  EXPECT_EQ(marked["attempt"], 2);
  EXPECT_EQ(marked["truncated"], true);
  EXPECT_EQ(marked["limited"], true);
}

TEST_F(FetchLogFile, HostileHeadersStayOneValidLine) {
  FetchLine line = full_line();
  line.type = "text/html\r\n{\"evil\":1}\x1b[31m\xff";
  std::string text;
  append_fetch_line(text, line);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
  EXPECT_EQ(nlohmann::json::parse(text)["type"], "text/html\r\n{\"evil\":1}\x1b[31m\xEF\xBF\xBD");
}

TEST_F(FetchLogFile, OpeningMakesTheFolderAndAppends) {
  for (int run = 0; run < 2; ++run) {
    auto log = FetchLog::open(path());
    ASSERT_TRUE(log) << log.error().message();
    (*log)->add(full_line());
  }
  EXPECT_EQ(lines().size(), 2u);
}

TEST_F(FetchLogFile, ALineCutByACrashIsEndedFirst) {
  std::filesystem::create_directories(folder_ + "/out");
  std::ofstream(path()) << "{\"ts\":\"2026";
  {
    auto log = FetchLog::open(path());
    ASSERT_TRUE(log);
    (*log)->add(full_line());
  }
  ASSERT_EQ(lines().size(), 2u);
  EXPECT_EQ(nlohmann::json::parse(lines()[1])["status"], 200);
}

TEST_F(FetchLogFile, LinesOfSeveralWritersNeverMix) {
  constexpr int kWriters = 4;
  constexpr int kLines = 2000;
  std::vector<std::thread> writers;
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([this, writer] {
      auto log = FetchLog::open(path());
      ASSERT_TRUE(log);
      FetchLine line = full_line();
      for (int i = 0; i < kLines; ++i) {
        line.depth = static_cast<std::uint16_t>(writer);
        (*log)->add(line);
        if (i % 7 == 0) (*log)->flush();
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
  std::vector<int> counts(kWriters, 0);
  for (const std::string& text : lines()) {
    const auto json = nlohmann::json::parse(text, nullptr, false);
    ASSERT_FALSE(json.is_discarded()) << text;
    ++counts[json["depth"].get<std::size_t>()];
  }
  EXPECT_EQ(counts, std::vector<int>(kWriters, kLines));
}

// A file size limit behaves as a full disk does: part of a write goes out, the next fails.
TEST_F(FetchLogFile, LinesThatCannotBeWrittenAreCountedAndTheNextOnesAreWhole) {
  auto opened = FetchLog::open(path());
  ASSERT_TRUE(opened);
  FetchLog& log = **opened;
  std::string one;
  append_fetch_line(one, full_line());
  const auto previous_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit limited{one.size() * 5 / 2, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limited), 0);
  for (int i = 0; i < 4; ++i) log.add(full_line());
  log.flush();
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, previous_handler);
  EXPECT_EQ(log.lines_lost(), 2u);
  log.add(full_line());
  log.flush();
  EXPECT_EQ(log.lines_lost(), 2u);
  int whole = 0;
  for (const std::string& text : lines())
    whole += nlohmann::json::parse(text, nullptr, false).is_discarded() ? 0 : 1;
  EXPECT_EQ(whole, 3);
}

TEST_F(FetchLogFile, AFolderThatCannotBeMadeIsAUsageError) {
  std::filesystem::create_directories(folder_);
  std::ofstream(folder_ + "/out") << "a file in the way";
  const auto log = FetchLog::open(path());
  ASSERT_FALSE(log);
  EXPECT_EQ(log.error().code(), ErrorCode::kUsage);
  EXPECT_NE(log.error().message().find("--out"), std::string::npos);
}

}  // namespace
}  // namespace weir::crawler
