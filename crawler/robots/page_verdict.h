// What a host's rules say of one URL, in a crawl and in explain. Pure.
#pragma once

#include "crawler/robots/robots.h"
#include "frontier/url/url.h"

namespace weir::crawler {

// Rules are compared with the key's spelling, in which escaped unreserved characters are decoded (RFC
// 9309 2.2.2):
// "/%70rivate" must not open what "/private" closes. A rule that is itself written with escapes is compared
// with the spelling that would be sent, too. The verdict borrows from `rules`.
RobotsVerdict judge_page(const RobotsRules& rules, const frontier::Url& page);

}  // namespace weir::crawler
