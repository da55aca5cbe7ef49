// See cost_guard.h.
#include "crawler/html/cost_guard.h"

#include <algorithm>
#include <vector>

#include "crawler/html/ascii.h"
#include "crawler/html/tag_scanner.h"
#include "crawler/html/tree_context.h"

namespace weir::crawler {
namespace {

// Void elements, and those that a later tag or their parent closes by itself.
bool never_nests(std::uint32_t hash) {
  switch (hash) {
    case name_hash("area"):
    case name_hash("base"):
    case name_hash("basefont"):
    case name_hash("bgsound"):
    case name_hash("br"):
    case name_hash("col"):
    case name_hash("embed"):
    case name_hash("frame"):
    case name_hash("hr"):
    case name_hash("image"):
    case name_hash("img"):
    case name_hash("input"):
    case name_hash("keygen"):
    case name_hash("link"):
    case name_hash("meta"):
    case name_hash("param"):
    case name_hash("source"):
    case name_hash("track"):
    case name_hash("wbr"):
    case name_hash("html"):
    case name_hash("head"):
    case name_hash("body"):
    case name_hash("a"):
    case name_hash("button"):
    case name_hash("colgroup"):
    case name_hash("dd"):
    case name_hash("dt"):
    case name_hash("form"):
    case name_hash("li"):
    case name_hash("nobr"):
    case name_hash("optgroup"):
    case name_hash("option"):
    case name_hash("p"):
    case name_hash("rb"):
    case name_hash("rp"):
    case name_hash("rt"):
    case name_hash("rtc"):
    case name_hash("select"):
    case name_hash("tbody"):
    case name_hash("td"):
    case name_hash("tfoot"):
    case name_hash("th"):
    case name_hash("thead"):
    case name_hash("tr"): return true;
  }
  return false;
}

}  // namespace

bool costs_too_much(std::string_view html, std::uint32_t depth_max) {
  const ElementSet no_attributes;
  TagScanner scanner(no_attributes);
  TreeContext context;
  std::vector<std::uint32_t> open;
  scanner.refill(html, true);
  for (Tag tag;
       scanner.next(tag) == TagScanner::Found::kTag && scanner.attributes_max() <= kTagAttributesMax;) {
    const std::uint32_t hash = name_hash(tag.name);
    if (tag.end) {
      context.end(tag);
      const auto found = std::find(open.rbegin(), open.rend(), hash);
      if (found != open.rend()) open.erase(std::prev(found.base()), open.end());
    } else {
      const Placement placement = context.start(tag, true);
      if (placement.content != RawText::kNone) scanner.enter(placement.content, tag.element);
      if (!never_nests(hash) && !(tag.self_closing && placement.space != Namespace::kHtml))
        open.push_back(hash);
      if (open.size() > depth_max) return true;
    }
    scanner.set_foreign(context.in_foreign_content());
  }
  return scanner.attributes_max() > kTagAttributesMax;
}

}  // namespace weir::crawler
