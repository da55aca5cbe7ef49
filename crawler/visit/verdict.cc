// RFC 9110 section 15 from a crawler's point of view.
#include "crawler/visit/verdict.h"

namespace weir::crawler {
namespace {

using frontier::Outcome;
using frontier::Reason;

constexpr std::uint16_t kRequestTimeout = 408;
constexpr std::uint16_t kTooManyRequests = 429;
constexpr std::uint16_t kServiceUnavailable = 503;

// 301, 302, 303, 307 and 308 redirect; 300, 304, 305 and 306 are answers like any other.
bool redirects(std::uint16_t status) {
  return (status >= 301 && status <= 303) || status == 307 || status == 308;
}

// The server may do better another time. 501 and 505 say that it never will.
bool worth_a_retry(std::uint16_t status) {
  if (status == kRequestTimeout || status == kTooManyRequests) return true;
  return status >= 500 && status != 501 && status != 505;
}

AnswerVerdict judge_failure(Reason reason) {
  AnswerVerdict verdict;
  verdict.reason = reason;
  if (reason == Reason::kStopped) {
    verdict.outcome = Outcome::kReleased;
  } else {
    verdict.outcome = is_transient(reason) ? Outcome::kRetry : Outcome::kFailed;
  }
  return verdict;
}

}  // namespace

AnswerVerdict judge_answer(const HttpAnswer& answer) {
  if (answer.reason != Reason::kOk) return judge_failure(answer.reason);
  AnswerVerdict verdict;
  if (answer.status >= 200 && answer.status < 300) {
    verdict.has_content = true;
  } else if (redirects(answer.status)) {
    verdict.reason = Reason::kRedirect;
    verdict.is_redirect = true;
  } else {
    verdict.reason = Reason::kHttpStatus;
    verdict.overloaded = answer.status == kTooManyRequests || answer.status == kServiceUnavailable;
    if (worth_a_retry(answer.status)) verdict.outcome = Outcome::kRetry;
  }
  return verdict;
}

}  // namespace weir::crawler
