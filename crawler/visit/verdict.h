// What an answer means for the page: done, again later, or failed. The one table of it; pure.
#pragma once

#include <cstdint>

#include "crawler/fetch/http_client.h"
#include "frontier/messages.h"

namespace weir::crawler {

struct AnswerVerdict {
  frontier::Outcome outcome = frontier::Outcome::kDone;
  frontier::Reason reason = frontier::Reason::kOk;
  bool overloaded = false;   // 429 or 503: the host wants a pause
  bool has_content = false;  // 2xx: read its links
  bool is_redirect = false;  // 3xx that names a Location
};

AnswerVerdict judge_answer(const HttpAnswer& answer);

}  // namespace weir::crawler
