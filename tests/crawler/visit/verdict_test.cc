// The table of what an answer means for its page.
#include "crawler/visit/verdict.h"

#include <gtest/gtest.h>

namespace weir::crawler {
namespace {

using frontier::Outcome;
using frontier::Reason;

struct Row {
  std::uint16_t status;
  Reason transport;
  Outcome outcome;
  Reason reason;
  bool overloaded;
  bool content;
  bool redirect;
};

constexpr Row kRows[] = {
    {200, Reason::kOk, Outcome::kDone, Reason::kOk, false, true, false},
    {204, Reason::kOk, Outcome::kDone, Reason::kOk, false, true, false},
    {301, Reason::kOk, Outcome::kDone, Reason::kRedirect, false, false, true},
    {307, Reason::kOk, Outcome::kDone, Reason::kRedirect, false, false, true},
    {308, Reason::kOk, Outcome::kDone, Reason::kRedirect, false, false, true},
    {300, Reason::kOk, Outcome::kDone, Reason::kHttpStatus, false, false, false},  // choices, no place to go
    {304, Reason::kOk, Outcome::kDone, Reason::kHttpStatus, false, false, false},
    {404, Reason::kOk, Outcome::kDone, Reason::kHttpStatus, false, false, false},
    {408, Reason::kOk, Outcome::kRetry, Reason::kHttpStatus, false, false, false},
    {429, Reason::kOk, Outcome::kRetry, Reason::kHttpStatus, true, false, false},
    {500, Reason::kOk, Outcome::kRetry, Reason::kHttpStatus, false, false, false},
    {501, Reason::kOk, Outcome::kDone, Reason::kHttpStatus, false, false, false},  // will never work
    {503, Reason::kOk, Outcome::kRetry, Reason::kHttpStatus, true, false, false},
    {0, Reason::kDnsFailure, Outcome::kRetry, Reason::kDnsFailure, false, false, false},
    {0, Reason::kDnsNotFound, Outcome::kFailed, Reason::kDnsNotFound, false, false, false},
    {0, Reason::kConnectFailed, Outcome::kRetry, Reason::kConnectFailed, false, false, false},
    {0, Reason::kAddressRefused, Outcome::kFailed, Reason::kAddressRefused, false, false, false},
    {0, Reason::kStopped, Outcome::kReleased, Reason::kStopped, false, false, false},
    {200, Reason::kConnectionBroken, Outcome::kRetry, Reason::kConnectionBroken, false, false, false},
};

TEST(AnswerVerdict, EveryKindOfAnswerHasItsOutcome) {
  for (const Row& row : kRows) {
    HttpAnswer answer;
    answer.status = row.status;
    answer.reason = row.transport;
    const AnswerVerdict verdict = judge_answer(answer);
    const auto name = testing::Message() << row.status << " " << frontier::reason_name(row.transport);
    EXPECT_EQ(verdict.outcome, row.outcome) << name;
    EXPECT_EQ(verdict.reason, row.reason) << name;
    EXPECT_EQ(verdict.overloaded, row.overloaded) << name;
    EXPECT_EQ(verdict.has_content, row.content) << name;
    EXPECT_EQ(verdict.is_redirect, row.redirect) << name;
  }
}

}  // namespace
}  // namespace weir::crawler
