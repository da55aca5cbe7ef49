// The progress line and the summary: what they say, how often, and that a live line never wraps.
#include "crawler/output/progress.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "crawler/output/summary.h"

namespace weir::crawler {
namespace {

using namespace std::chrono_literals;

Now at(Duration since_start) { return {MonoTime(since_start), WallTime(since_start)}; }

ProgressSnapshot snapshot(std::uint64_t pages) {
  ProgressSnapshot s;
  s.pages = pages;
  s.queued = 9876;
  s.hosts = 12;
  s.duplicates = 4321;
  s.failed = 3;
  s.memory_bytes = (45u << 20) + 5;
  return s;
}

class ProgressOutput : public testing::Test {
 protected:
  ProgressLine line(bool terminal, std::size_t width = 100) {
    return ProgressLine({terminal, width, 10s}, [this](std::string_view text) { written_.emplace_back(text); });
  }
  std::vector<std::string> written_;
};

TEST_F(ProgressOutput, TheLineNamesAllCounters) {
  EXPECT_EQ(format_progress(snapshot(1234), 56.74),
            "1234 pages 56.7/s | 9876 queued | 12 hosts | 4321 duplicates | 3 failed | 45 MiB");
}

TEST_F(ProgressOutput, WithoutATerminalALineComesEveryInterval) {
  ProgressLine progress = line(false);
  for (int second = 0; second <= 25; ++second) {
    progress.show(snapshot(static_cast<std::uint64_t>(second) * 50), at(std::chrono::seconds(second)));
  }
  progress.finish();
  ASSERT_EQ(written_.size(), 3u);
  EXPECT_TRUE(written_[0].starts_with("0 pages 0.0/s |")) << written_[0];
  EXPECT_TRUE(written_[1].starts_with("500 pages 50.0/s |")) << written_[1];
  EXPECT_TRUE(written_[2].starts_with("1000 pages 50.0/s |")) << written_[2];
  for (const std::string& text : written_) {
    EXPECT_EQ(text.back(), '\n');
    EXPECT_EQ(text.find_first_of("\r\x1b"), std::string::npos);
  }
}

TEST_F(ProgressOutput, ATerminalLineIsRewrittenAndEnded) {
  ProgressLine progress = line(true);
  progress.show(snapshot(1), at(0s));
  progress.show(snapshot(2), at(250ms));
  progress.finish();
  progress.finish();
  ASSERT_EQ(written_.size(), 3u);
  EXPECT_TRUE(written_[1].starts_with("\r2 pages"));
  EXPECT_TRUE(written_[1].ends_with("\x1b[K"));
  EXPECT_EQ(written_[2], "\n");
}

TEST_F(ProgressOutput, ATerminalLineNeverWraps) {
  ProgressLine progress = line(true, 20);
  progress.show(snapshot(1234), at(0s));
  EXPECT_EQ(written_[0], "\r1234 pages 0.0/s | \x1b[K");
}

TEST_F(ProgressOutput, TheRateIsOverASecondOrMore) {
  ProgressLine progress = line(true);
  progress.show(snapshot(0), at(0s));
  progress.show(snapshot(100), at(100ms));
  EXPECT_NE(written_.back().find("100 pages 0.0/s"), std::string::npos);
  progress.show(snapshot(150), at(1500ms));
  EXPECT_NE(written_.back().find("150 pages 100.0/s"), std::string::npos);
}

TEST(CrawlSummaryLine, IsOneJsonObjectWithTheNamesScriptsUse) {
  CrawlSummary summary;
  summary.fetched = 1;
  summary.admitted = 2;
  summary.duplicates = 3;
  summary.out_of_scope = 4;
  summary.failed = 5;
  summary.queued = 6;
  summary.lines_lost = 7;
  summary.elapsed = 1'234'567us;
  summary.dedup_backend = "bloom";
  summary.dedup.keys = 100;
  summary.dedup.bytes = 4096;
  summary.dedup.load = 0.1;
  summary.dedup.expected_fpr = 1e-9;
  const std::string text = format_summary(summary);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["fetched"], 1);
  EXPECT_EQ(json["admitted"], 2);
  EXPECT_EQ(json["duplicates"], 3);
  EXPECT_EQ(json["out_of_scope"], 4);
  EXPECT_EQ(json["failed"], 5);
  EXPECT_EQ(json["queued"], 6);
  EXPECT_EQ(json["lines_lost"], 7);
  EXPECT_EQ(json["seconds"], 1.235);
  EXPECT_EQ(json["dedup"]["backend"], "bloom");
  EXPECT_EQ(json["dedup"]["keys"], 100);
  EXPECT_EQ(json["dedup"]["bytes"], 4096);
  EXPECT_EQ(json["dedup"]["load"], 0.1);
  EXPECT_EQ(json["dedup"]["expected_fpr"], 1e-9);
}

}  // namespace
}  // namespace weir::crawler
