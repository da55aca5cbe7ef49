// See extractor.h.
#include "crawler/html/extractor.h"

namespace weir::crawler {

std::string_view link_kind_name(LinkKind kind) {
  switch (kind) {
    case LinkKind::kPage: return "page";
    case LinkKind::kRequisite: return "requisite";
    case LinkKind::kReference: return "reference";
  }
  return "unknown";
}

void Extraction::add(std::string_view raw, std::string_view rel, Link link) {
  link.at = static_cast<std::uint32_t>(text.size());
  link.length = static_cast<std::uint32_t>(raw.size());
  link.rel_length = static_cast<std::uint32_t>(rel.size());
  text.append(raw).append(rel);
  links.push_back(link);
}

void Extraction::clear() {
  links.clear();
  text.clear();
  base.clear();
  nofollow = noindex = limited = false;
}

}  // namespace weir::crawler
