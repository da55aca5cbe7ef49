// See document_base.h.
#include "crawler/html/document_base.h"

namespace weir::crawler {

std::optional<frontier::Url> document_base(const Extraction& extraction, const frontier::Url* page) {
  if (extraction.base.empty()) return std::nullopt;
  auto base = frontier::parse_url(extraction.base, page);
  if (!base || base->scheme() == "data" || base->scheme() == "javascript") return std::nullopt;
  return *std::move(base);
}

}  // namespace weir::crawler
