// dropped.jsonl: what a line holds. How lines reach the disk is tested with fetch.jsonl, which shares it.
#include "crawler/output/dropped_log.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace weir::crawler {
namespace {

using namespace std::chrono_literals;

TEST(DroppedLog, ALineHoldsEveryFieldInOrder) {
  std::string text;
  append_dropped_line(text,
                      {.url = "http://b.test/\"x\"",
                       .parent = "http://a.test/",
                       .reason = DropReason::kOutOfScope,
                       .rule = "scope.deny[2] '/private'",
                       .depth = 3,
                       .tag = "news"},
                      WallTime(1'796'104'239'123'456us));
  EXPECT_EQ(text, R"({"ts":"2026-12-01T05:50:39.123Z","url":"http://b.test/\"x\"","parent":"http://a.test/",)"
                  R"("reason":"out_of_scope","rule":"scope.deny[2] '/private'","depth":3,"tag":"news"})"
                  "\n");
}

TEST(DroppedLog, WhatIsNotThereIsNullOrAbsent) {
  std::string text;
  append_dropped_line(
      text, {.url = "x", .parent = {}, .reason = DropReason::kInvalidUrl, .rule = {}, .depth = 0, .tag = {}},
      WallTime{});
  const auto json = nlohmann::json::parse(text);
  EXPECT_TRUE(json.at("parent").is_null());
  EXPECT_TRUE(json.at("rule").is_null());
  EXPECT_FALSE(json.contains("tag"));
}

TEST(DroppedLog, ReasonsHaveTheNamesThatReadersUse) {
  const std::pair<DropReason, const char*> names[] = {
      {DropReason::kOutOfScope, "out_of_scope"},
      {DropReason::kRedirectOutOfScope, "redirect_out_of_scope"},
      {DropReason::kNotHttp, "not_http"},
      {DropReason::kInvalidUrl, "invalid_url"},
      {DropReason::kNofollow, "nofollow"}};
  for (const auto& [reason, name] : names) EXPECT_EQ(drop_reason_name(reason), name);
}

TEST(DroppedLog, ADiskWithoutSpaceCostsLinesAndIsCounted) {
  auto log = DroppedLog::open("/dev/full");
  ASSERT_TRUE(log) << log.error().message();
  (*log)->add({.url = "x", .parent = {}, .reason = DropReason::kNotHttp, .rule = {}, .depth = 0, .tag = {}});
  (*log)->add({.url = "y", .parent = {}, .reason = DropReason::kNotHttp, .rule = {}, .depth = 0, .tag = {}});
  (*log)->flush();
  EXPECT_EQ((*log)->lines_lost(), 2u);
}

}  // namespace
}  // namespace weir::crawler
