// See flat_scanner.h.
#include "crawler/html/flat_scanner.h"

#include <array>
#include <string>

#include "crawler/html/ascii.h"
#include "crawler/html/character_reference.h"
#include "crawler/html/link_collector.h"
#include "crawler/html/tag_scanner.h"

namespace weir::crawler {
namespace {

// Buffers of one page, reused from tag to tag.
class AttributeDecoder {
 public:
  AttributeValues decode(const AttributeValues& raw) {
    AttributeValues values;
    for (std::size_t i = 0; i < kAttributeCount; ++i) {
      const auto which = static_cast<Attribute>(i);
      if (!raw[which]) continue;
      decode_attribute(*raw[which], buffers_[i]);
      values.set_first(which, buffers_[i]);
    }
    return values;
  }

 private:
  std::array<std::string, kAttributeCount> buffers_;
};

}  // namespace

Extraction scan_links(std::string_view utf8, const ExtractorLimits& limits) {
  TagScanner scanner(utf8, TagScanner::Attributes::kCollect);
  LinkCollector collector(limits.links_max);
  AttributeDecoder decoder;
  std::uint32_t templates = 0;  // open ones: what is inside is no part of the page
  for (Tag tag; scanner.next(tag);) {
    if (ascii_equal_ignore_case(tag.name, "template") && !scanner.foreign()) {
      if (!tag.end) {
        ++templates;
      } else if (templates > 0) {
        --templates;
      }
    }
    const Element element = tag.end || templates > 0 ? Element::kOther : find_element(tag.name);
    if (element != Element::kOther) collector.add(element, decoder.decode(tag.raw), scanner.foreign());
  }
  return collector.take();
}

}  // namespace weir::crawler
