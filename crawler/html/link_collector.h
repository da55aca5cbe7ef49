// LinkCollector: which attributes of which elements are links, and what they are for. Both engines hand their
// elements to it, in document order, so that the rules stand once. Owned by one extraction.
#pragma once

#include "crawler/html/element.h"
#include "crawler/html/extractor.h"

namespace weir::crawler {

class LinkCollector {
 public:
  explicit LinkCollector(std::uint32_t links_max) : links_max_(links_max) {}

  // `foreign`: inside svg or math, where only links of <a> are taken and <base> means nothing.
  void add(Element element, const AttributeValues& values, bool foreign);

  // Ends the collection. Base is the first <base href> of all.
  Extraction take() { return std::move(extraction_); }

 private:
  void add_link(Element element, Attribute attribute, const AttributeValues& values, bool page);
  void add_link_element(const AttributeValues& values);
  void add_meta(const AttributeValues& values);
  void add_requisite(Element element, const AttributeValues& values);
  void push(Link link);

  std::uint32_t links_max_;
  bool base_seen_ = false;
  Extraction extraction_;
};

}  // namespace weir::crawler
