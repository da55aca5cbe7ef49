// The verdict table of robots_fetch.h.
#include "crawler/fetch/robots_fetch.h"

#include <string>

#include "base/limits.h"
#include "crawler/robots/robots.h"
#include "frontier/reason.h"

namespace weir::crawler {
namespace {

using frontier::Reason;
using frontier::RobotsFeedback;
using frontier::RobotsState;

RobotsFeedback without_rules(RobotsState state, Duration fresh_for) {
  RobotsFeedback feedback;
  feedback.state = state;
  feedback.fresh_for = fresh_for;
  return feedback;
}

// Half a line could say more than was meant: "Disallow: /" is the head of "Disallow: /private".
std::string_view whole_lines(std::string_view body) {
  const std::size_t end = body.find_last_of("\r\n");
  return end == std::string_view::npos ? std::string_view{} : body.substr(0, end + 1);
}

RobotsFeedback rules_of(const HttpAnswer& answer, std::string_view agent) {
  const bool cut = answer.truncated || answer.body.size() > limits::kRobotsBytesMax;
  std::string_view body = std::string_view(answer.body).substr(0, limits::kRobotsBytesMax);
  if (cut) body = whole_lines(body);
  RobotsFeedback feedback = without_rules(RobotsState::kRules, cut ? kRobotsFreshForDoubtful : kRobotsFreshFor);
  feedback.body = body;
  feedback.crawl_delay = RobotsRules::parse(body, agent).crawl_delay();
  return feedback;
}

bool is_redirect_without_end(Reason reason) {
  return reason == Reason::kRedirect || reason == Reason::kTooManyRedirects || reason == Reason::kBadRedirect;
}

}  // namespace

RobotsFeedback robots_feedback(const HttpAnswer& answer, std::string_view agent) {
  if (is_redirect_without_end(answer.reason)) return without_rules(RobotsState::kNone, kRobotsFreshForDoubtful);
  if (answer.reason != Reason::kOk && answer.reason != Reason::kHttpStatus) {
    return without_rules(RobotsState::kUnreachable, kRobotsUnreachableFor);
  }
  if (answer.status == 429) return without_rules(RobotsState::kUnreachable, kRobotsUnreachableFor);
  switch (answer.status / 100) {
    case 2: return rules_of(answer, agent);
    case 3: return without_rules(RobotsState::kNone, kRobotsFreshForDoubtful);
    case 4: return without_rules(RobotsState::kNone, kRobotsFreshFor);
  }
  return without_rules(RobotsState::kUnreachable, kRobotsUnreachableFor);
}

}  // namespace weir::crawler
