// LinkCollector: which attributes of which elements are links, and what they are for. All engines hand their
// elements to it, in document order, so that the rules stand once. Owned by one extraction.
#pragma once

#include <string_view>
#include <vector>

#include "crawler/html/element.h"
#include "crawler/html/extractor.h"

namespace weir::crawler {

// What a rel of <link>, or of a Link header field, makes of its target.
LinkKind kind_of_rel(std::string_view rel);

class LinkCollector {
 public:
  // `out` is cleared, and borrowed.
  LinkCollector(const ExtractorLimits& limits, Extraction& out);

  // Elements worth asking for their attributes, under these limits.
  static ElementSet wanted(const ExtractorLimits& limits);

  void add(Element element, const AttributeValues& values, Namespace space);

  // The text of a <style> element.
  void add_css(std::string_view css);

  // The body begins here; it turns out to be none (HTML Standard 13.2.6.4.7, a frameset in its place).
  void mark_body();
  void drop_body();

 private:
  void add_html(Element element, const AttributeValues& values);
  void add_foreign(Element element, const AttributeValues& values, Namespace space);
  void add_link(Element element, Attribute attribute, const AttributeValues& values, LinkKind kind);
  void add_list(Element element, Attribute attribute, const AttributeValues& values, LinkKind kind);
  void add_srcset(Element element, Attribute attribute, const AttributeValues& values);
  void add_anchor(Element element, const AttributeValues& values);
  void add_link_element(const AttributeValues& values);
  void add_meta(const AttributeValues& values);
  void add_base(const AttributeValues& values);
  void add_form(const AttributeValues& values);
  void add_form_control(Element element, const AttributeValues& values);
  void add_once(Element element, Attribute attribute, const AttributeValues& values, bool& done);
  void add_style(Element element, const AttributeValues& values);
  bool wants(LinkKind kind) const;
  void push(std::string_view raw, std::string_view rel, Link link);

  const ExtractorLimits limits_;
  Extraction& out_;
  std::vector<std::string_view> candidates_;  // of one srcset
  std::size_t body_start_ = 0;                // links before it
  bool in_body_ = false;
  bool base_seen_ = false;
  bool base_in_body_ = false;
  bool body_background_seen_ = false;
  bool manifest_seen_ = false;
  bool form_posts_ = false;  // the last form
};

}  // namespace weir::crawler
