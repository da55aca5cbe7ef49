// See page_verdict.h.
#include "crawler/robots/page_verdict.h"

#include "frontier/url/url_key.h"

namespace weir::crawler {

RobotsVerdict judge_page(const RobotsRules& rules, const frontier::Url& page) {
  const std::size_t origin_length = frontier::origin(page).size();
  const frontier::UrlKey key = frontier::canonical_key(page);
  const std::string_view spelled = key.text().substr(origin_length);
  const RobotsVerdict by_key = rules.judge(spelled);
  const std::string_view sent = page.href_without_fragment().substr(origin_length);
  if (!by_key.allowed || spelled == sent) return by_key;
  const RobotsVerdict as_sent = rules.judge(sent);
  const bool written_with_escapes = as_sent.text.find('%') != std::string_view::npos;
  return !as_sent.allowed && written_with_escapes ? as_sent : by_key;
}

}  // namespace weir::crawler
