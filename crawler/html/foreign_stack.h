// ForeignStack: the open elements from the outermost <svg> or <math> down, as far as they decide what a tag
// means (HTML Standard 13.2.6.5, "the rules for parsing tokens in foreign content"). Empty on almost every
// tag of almost every page. HTML elements stand on it only inside integration points (foreignObject and its
// like); what is open outside of foreign content is not known here. Constant memory. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "crawler/html/tag_scanner.h"

namespace weir::crawler {

class ForeignStack {
 public:
  // More are not kept: their end tags then close nothing.
  static constexpr std::size_t kOpenMax = 512;

  bool empty() const { return open_.empty(); }
  std::size_t size() const { return open_.size(); }
  void cut(std::size_t size) { open_.resize(size < open_.size() ? size : open_.size()); }

  // Is the innermost element foreign? Then CDATA sections exist.
  bool innermost_is_foreign() const { return !open_.empty() && open_.back().space != Namespace::kHtml; }

  // A start tag, before anything is done with it: foreign (its namespace) or for the rules of HTML? Elements
  // that HTML's breaks out of are closed.
  Namespace place(const Tag& tag);

  void push_root(const Tag& tag);
  void push_foreign(const Tag& tag, Namespace space);
  void push_html(const Tag& tag);  // an HTML element with content, inside an integration point

  // An end tag. True: it is dealt with. False: it is for the rules of HTML outside of this stack, which may
  // have been emptied.
  bool end(const Tag& tag);

 private:
  struct Open {
    std::uint32_t name = 0;  // hash of the lower-case name
    Element element = Element::kOther;
    Namespace space = Namespace::kHtml;
    bool html_inside = false;       // HTML integration point
    bool html_text_inside = false;  // MathML text integration point
  };

  void push(const Open& open);
  void break_out();
  bool end_html(const Tag& tag, std::uint32_t name);

  std::vector<Open> open_;
};

}  // namespace weir::crawler
