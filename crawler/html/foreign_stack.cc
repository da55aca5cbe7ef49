// See foreign_stack.h.
#include "crawler/html/foreign_stack.h"

#include "crawler/html/ascii.h"

namespace weir::crawler {
namespace {

// <font> breaks out only when it says how text looks.
bool breaks_out(const Tag& tag) {
  if (tag.element != Element::kFont) return has_trait(tag.element, kBreaksOut);
  return tag.raw.has(Attribute::kColor) || tag.raw.has(Attribute::kFace) || tag.raw.has(Attribute::kSize);
}

bool is_math_text_point(Element element) {
  return element == Element::kMi || element == Element::kMo || element == Element::kMn ||
         element == Element::kMs || element == Element::kMtext;
}

bool holds_html(const Tag& tag, Namespace space) {
  if (space == Namespace::kSvg) {
    return tag.element == Element::kForeignObject || tag.element == Element::kDesc ||
           tag.element == Element::kTitle;
  }
  const std::string_view encoding = tag.raw.text(Attribute::kEncoding);
  return tag.element == Element::kAnnotationXml && (ascii_equal_ignore_case(encoding, "text/html") ||
                                                    ascii_equal_ignore_case(encoding, "application/xhtml+xml"));
}

// Of HTML outside it is not known what is open. An end tag that belongs to something in HTML mostly has its
// start there, and then closes everything foreign inside with it. Body and html stay open.
bool may_be_open_outside(Element element) {
  const bool foreign_only = (element >= Element::kMath && element <= Element::kDesc) ||
                            is_any(element, Element::kImage, Element::kUse, Element::kFeImage);
  return element != Element::kOther && !foreign_only && !has_trait(element, kVoid) &&
         !is_any(element, Element::kBody, Element::kHtml);
}

// What a block's end tag looks for: itself, with whatever is open inside. The others stop at special elements.
bool searches_in_scope(Element element) { return has_trait(element, kSpecial); }

}  // namespace

Namespace ForeignStack::place(const Tag& tag) {
  if (open_.empty()) return Namespace::kHtml;
  const Open& top = open_.back();
  if (top.space == Namespace::kHtml || top.html_inside) return Namespace::kHtml;
  if (top.html_text_inside && tag.element != Element::kMglyph && tag.element != Element::kMalignmark)
    return Namespace::kHtml;
  if (top.element == Element::kAnnotationXml && top.space == Namespace::kMathml &&
      tag.element == Element::kSvg) {
    return Namespace::kHtml;
  }
  if (!breaks_out(tag)) return top.space;
  break_out();
  return Namespace::kHtml;
}

void ForeignStack::break_out() {
  while (innermost_is_foreign() && !open_.back().html_inside && !open_.back().html_text_inside)
    open_.pop_back();
}

void ForeignStack::push(const Open& open) {
  if (open_.size() < kOpenMax) open_.push_back(open);
}

void ForeignStack::push_root(const Tag& tag) {
  push_foreign(tag, tag.element == Element::kSvg ? Namespace::kSvg : Namespace::kMathml);
}

void ForeignStack::push_foreign(const Tag& tag, Namespace space) {
  if (tag.self_closing) return;
  push({.name = name_hash(tag.name),
        .element = tag.element,
        .space = space,
        .html_inside = holds_html(tag, space),
        .html_text_inside = space == Namespace::kMathml && is_math_text_point(tag.element)});
}

void ForeignStack::push_html(const Tag& tag) {
  if (has_trait(tag.element, kVoid)) return;
  push({.name = name_hash(tag.name), .element = tag.element});
}

bool ForeignStack::end(const Tag& tag) {
  if (open_.empty()) return false;
  const std::uint32_t name = name_hash(tag.name);
  if (open_.back().space == Namespace::kHtml) return end_html(tag, name);
  if (tag.element == Element::kBr || tag.element == Element::kP) {
    break_out();
    return !open_.empty();
  }
  std::size_t i = open_.size();
  while (i > 0 && open_[i - 1].space != Namespace::kHtml) {
    --i;
    if (open_[i].name == name) {
      open_.resize(i);
      return true;
    }
  }
  if (i > 0) return end_html(tag, name);
  if (may_be_open_outside(tag.element)) open_.clear();
  return false;
}

// Within the HTML of the innermost integration point; never beyond it.
bool ForeignStack::end_html(const Tag& tag, std::uint32_t name) {
  std::size_t i = open_.size();
  while (i > 0 && open_[i - 1].space != Namespace::kHtml) --i;  // foreign elements that would be closed too
  for (; i > 0 && open_[i - 1].space == Namespace::kHtml; --i) {
    if (open_[i - 1].name == name) {
      open_.resize(i - 1);
      return tag.element != Element::kTemplate;
    }
    if (!searches_in_scope(tag.element) && has_trait(open_[i - 1].element, kSpecial)) return true;
  }
  return tag.element != Element::kTemplate;
}

}  // namespace weir::crawler
