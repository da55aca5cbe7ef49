// The verdict table of an answer to /robots.txt, row by row.
#include "crawler/fetch/robots_fetch.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace weir::crawler {
namespace {

using frontier::Reason;
using frontier::RobotsFeedback;
using frontier::RobotsState;

HttpAnswer answer(Reason reason, std::uint16_t status, std::string body = {}) {
  HttpAnswer out;
  out.reason = reason;
  out.status = status;
  out.body = std::move(body);
  return out;
}

TEST(RobotsFetch, Rfc9309_StatusDecides) {
  struct Row {
    Reason reason;
    std::uint16_t status;
    RobotsState state;
    Duration fresh_for;
  };
  constexpr Row kRows[] = {
      {Reason::kOk, 200, RobotsState::kRules, kRobotsFreshFor},
      {Reason::kOk, 204, RobotsState::kRules, kRobotsFreshFor},
      {Reason::kOk, 404, RobotsState::kNone, kRobotsFreshFor},
      {Reason::kOk, 410, RobotsState::kNone, kRobotsFreshFor},
      {Reason::kOk, 401, RobotsState::kNone, kRobotsFreshFor},
      {Reason::kOk, 403, RobotsState::kNone, kRobotsFreshFor},
      {Reason::kHttpStatus, 403, RobotsState::kNone, kRobotsFreshFor},
      {Reason::kOk, 429, RobotsState::kUnreachable, kRobotsUnreachableFor},
      {Reason::kOk, 500, RobotsState::kUnreachable, kRobotsUnreachableFor},
      {Reason::kHttpStatus, 503, RobotsState::kUnreachable, kRobotsUnreachableFor},
      {Reason::kOk, 0, RobotsState::kUnreachable, kRobotsUnreachableFor},
      {Reason::kOk, 301, RobotsState::kNone, kRobotsFreshForDoubtful},
      {Reason::kTooManyRedirects, 302, RobotsState::kNone, kRobotsFreshForDoubtful},
      {Reason::kBadRedirect, 302, RobotsState::kNone, kRobotsFreshForDoubtful},
      {Reason::kDnsNotFound, 0, RobotsState::kUnreachable, kRobotsUnreachableFor},
      {Reason::kDnsFailure, 0, RobotsState::kUnreachable, kRobotsUnreachableFor},
      {Reason::kAddressRefused, 0, RobotsState::kUnreachable, kRobotsUnreachableFor},
      {Reason::kConnectTimeout, 0, RobotsState::kUnreachable, kRobotsUnreachableFor},
      {Reason::kTlsFailed, 0, RobotsState::kUnreachable, kRobotsUnreachableFor},
      {Reason::kTotalTimeout, 200, RobotsState::kUnreachable, kRobotsUnreachableFor},
      {Reason::kConnectionBroken, 200, RobotsState::kUnreachable, kRobotsUnreachableFor},
      {Reason::kDecodeFailed, 200, RobotsState::kUnreachable, kRobotsUnreachableFor},
  };
  for (const Row& row : kRows) {
    const RobotsFeedback feedback = robots_feedback(answer(row.reason, row.status), "weir");
    EXPECT_EQ(feedback.state, row.state) << static_cast<int>(row.reason) << " " << row.status;
    EXPECT_EQ(feedback.fresh_for, row.fresh_for) << static_cast<int>(row.reason) << " " << row.status;
    EXPECT_EQ(feedback.body, "");
  }
}

TEST(RobotsFetch, RulesComeWithOurGroupsDelay) {
  const std::string body = "User-agent: *\nCrawl-delay: 9\nUser-agent: weir\nCrawl-delay: 2\n";
  const RobotsFeedback feedback = robots_feedback(answer(Reason::kOk, 200, body), "weir");
  EXPECT_EQ(feedback.body, body);
  EXPECT_EQ(feedback.crawl_delay, std::chrono::seconds(2));
}

TEST(RobotsFetch, TruncatedBodyEndsAtAWholeLine) {
  HttpAnswer cut = answer(Reason::kOk, 200, "User-agent: *\nDisallow: /a\nDisallow: /");
  cut.truncated = true;
  const RobotsFeedback feedback = robots_feedback(cut, "weir");
  EXPECT_EQ(feedback.body, "User-agent: *\nDisallow: /a\n");
  EXPECT_EQ(feedback.fresh_for, kRobotsFreshForDoubtful);
}

TEST(RobotsFetch, BodyAboveTheLimitIsCutHereToo) {
  std::string body = "User-agent: *\nDisallow: /a\n";
  while (body.size() <= limits::kRobotsBytesMax) body += "Disallow: /" + std::string(1'000, 'b') + "\n";
  const RobotsFeedback feedback = robots_feedback(answer(Reason::kOk, 200, body), "weir");
  EXPECT_LE(feedback.body.size(), limits::kRobotsBytesMax);
  EXPECT_TRUE(feedback.body.ends_with("b\n"));
}

}  // namespace
}  // namespace weir::crawler
