// Retry-After and HTTP-date, by table; RFC 9110 10.2.3 and 5.6.7.
#include "crawler/fetch/retry_after.h"

#include <gtest/gtest.h>

#include "crawler/fetch/response_head.h"

namespace weir::crawler {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

// 2026-12-01 12:00:00 UTC, a Tuesday
constexpr WallTime kNow = std::chrono::sys_days(std::chrono::year(2026) / 12 / 1) + hours(12);

struct Row {
  const char* text;
  std::optional<Duration> wait;
};

TEST(RetryAfter, Rfc9110_SecondsAndDates) {
  const Row rows[] = {
      {"120", seconds(120)},
      {"3", seconds(3)},
      {"0", seconds(0)},
      {"  7\t", seconds(7)},
      {"007", seconds(7)},
      {"99999999", seconds(99999999)},
      {"99999999999999999999999999", kRetryAfterMax},
      {"31536000", seconds(31536000)},
      {"-1", std::nullopt},
      {"+1", std::nullopt},
      {"1e3", std::nullopt},
      {"1.5", std::nullopt},
      {"", std::nullopt},
      {"   ", std::nullopt},
      {"abc", std::nullopt},
      {"120s", std::nullopt},
      {"Tue, 01 Dec 2026 12:00:30 GMT", seconds(30)},
      {"Tue, 01 Dec 2026 11:59:00 GMT", seconds(0)},
      {"Fri, 31 Dec 1999 23:59:59 GMT", seconds(0)},
      {"Tuesday, 01-Dec-26 12:00:30 GMT", seconds(30)},
      {"Tue Dec  1 12:00:30 2026", seconds(30)},
      {"Tue Dec 01 12:00:30 2026", seconds(30)},
      {"Thu, 01 Jan 2099 00:00:00 GMT", kRetryAfterMax},
      {"Tue, 01 Dec 2026 12:00:60 GMT", seconds(60)},  // a leap second
  };
  for (const Row& row : rows) EXPECT_EQ(parse_retry_after(row.text, kNow), row.wait) << row.text;
}

TEST(RetryAfter, WhatIsNoDateIsNothing) {
  for (const char* text :
       {"Tue, 01 Dec 2026 12:00:30 +0900", "Tue, 01 Dec 2026 12:00:30", "Tue, 01 Dec 2026 12:00:30 UTC",
        "Tue, 1 Dec 2026 12:00:30 GMT", "Tue, 01 Foo 2026 12:00:30 GMT", "Tue, 31 Feb 2026 12:00:30 GMT",
        "Tue, 00 Dec 2026 12:00:30 GMT", "Tue, 01 Dec 2026 24:00:30 GMT", "Tue, 01 Dec 2026 12:60:30 GMT",
        "Tue, 01 Dec 2026 12:00:61 GMT", "01 Dec 2026 12:00:30 GMT", "Tue, 01 Dec 2026 12:00:30 GMT x",
        "Tuesday, 01-Dec-2026 12:00:30 GMT", "Tue Dec 1 12:00:30 2026", "2026-12-01T12:00:30Z"}) {
    EXPECT_FALSE(parse_retry_after(text, kNow)) << text;
  }
}

TEST(RetryAfter, AForeignZoneDoesNotLeakIntoTheNextDate) {
  // Symptom (NUTCH-2814): a date with another zone shifted all dates parsed after it.
  EXPECT_FALSE(parse_http_date("Wed, 21 Oct 2037 07:28:00 +0900", kNow));
  const WallTime wanted =
      std::chrono::sys_days(std::chrono::year(2037) / 10 / 21) + hours(7) + std::chrono::minutes(28);
  EXPECT_EQ(parse_http_date("Wed, 21 Oct 2037 07:28:00 GMT", kNow), wanted);
  EXPECT_EQ(parse_http_date("Wed Oct 21 07:28:00 2037", kNow), wanted);
}

TEST(RetryAfter, Rfc9110_TwoDigitYearsAreAtMostFiftyYearsAhead) {
  const auto year_of = [](const char* text) {
    const auto time = parse_http_date(text, kNow);
    return time ? static_cast<int>(
                      std::chrono::year_month_day(std::chrono::floor<std::chrono::days>(*time)).year())
                : 0;
  };
  EXPECT_EQ(year_of("Sunday, 06-Nov-94 08:49:37 GMT"), 1994);
  EXPECT_EQ(year_of("Sunday, 06-Nov-76 08:49:37 GMT"), 2076);
  EXPECT_EQ(year_of("Sunday, 06-Nov-77 08:49:37 GMT"), 1977);
  EXPECT_EQ(year_of("Sunday, 06-Nov-00 08:49:37 GMT"), 2000);
}

void feed(ResponseHead& head, std::initializer_list<const char*> lines) {
  for (const char* line : lines) EXPECT_TRUE(head.add_line(std::string(line) + "\r\n", kNow));
}

TEST(ResponseHead, TheFieldsThatMatter) {
  ResponseHead head;
  feed(head, {"HTTP/1.1 200 OK", "content-TYPE: text/plain", "Content-Type:  text/html; charset=x \t",
              "Location: /a", "LOCATION: /b", "X-Location: /c", "Retry-After: 5", "Retry-After: junk",
              "Retry-After: 9", "Retry-After: 7", ""});
  EXPECT_EQ(head.content_type(), "text/html; charset=x");
  EXPECT_EQ(head.location(), "/a");
  EXPECT_EQ(head.retry_after(), "9");
  EXPECT_TRUE(head.complete());
}

TEST(ResponseHead, FieldsThatHoldLinks) {
  ResponseHead head;
  feed(head, {"HTTP/1.1 200 OK\r\n", "Link: </1>; rel=prev\r\n", "link: </3>; rel=next\r\n",
              "Refresh: 0; url=/a\r\n", "Refresh: 0; url=/b\r\n", "Content-Location: /c\r\n", "\r\n"});
  EXPECT_EQ(head.link(), "</1>; rel=prev, </3>; rel=next");
  EXPECT_EQ(head.refresh(), "0; url=/a");
  EXPECT_EQ(head.content_location(), "/c");
}

TEST(ResponseHead, InterimAnswersAndTrailersAreForgotten) {
  ResponseHead head;
  feed(head, {"HTTP/1.1 103 Early Hints", "Content-Type: a/b", "Location: /early", ""});
  EXPECT_FALSE(head.complete());
  feed(head, {"HTTP/1.1 200 OK", "Content-Type: c/d", "", "Content-Type: trailer/x", "Location: /trailer"});
  EXPECT_EQ(head.content_type(), "c/d");
  EXPECT_EQ(head.location(), "");
}

TEST(ResponseHead, AnEmptyFirstLocationIsStillTheFirst) {
  ResponseHead head;
  feed(head, {"HTTP/1.1 302 Found", "Location:", "Location: /b", ""});
  EXPECT_EQ(head.location(), "");
}

TEST(ResponseHead, FoldedLinesAreOneValue) {
  ResponseHead head;
  feed(head, {"HTTP/1.1 200 OK", "Content-Type: text/html;", "\t charset=utf-8", "X: y", ""});
  EXPECT_EQ(head.content_type(), "text/html; charset=utf-8");
}

TEST(ResponseHead, AllHeaderBytesTogetherAreBounded) {
  ResponseHead head;
  const std::string line = "Set-Cookie: " + std::string(1000, 'x') + "\r\n";
  bool within = true;
  std::size_t lines = 0;
  for (; within && lines < 10'000; ++lines) within = head.add_line(line, kNow);
  EXPECT_FALSE(within);
  EXPECT_LT(lines, 300u);
}

}  // namespace
}  // namespace weir::crawler
