// See tree_context.h. Section numbers are those of the HTML Standard.
#include "crawler/html/tree_context.h"

#include <algorithm>

#include "crawler/html/ascii.h"

namespace weir::crawler {
namespace {

RawText raw_text_of(Element element) {
  if (element == Element::kScript) return RawText::kScript;
  if (element == Element::kPlaintext) return RawText::kPlaintext;
  const bool raw = is_any(element, Element::kStyle, Element::kTextarea, Element::kTitle, Element::kXmp,
                          Element::kIframe, Element::kNoembed, Element::kNoframes);
  return raw ? RawText::kElement : RawText::kNone;
}

bool is_cell(Element element) { return is_any(element, Element::kTd, Element::kTh, Element::kCaption); }

bool is_table_part(Element element) {
  return is_cell(element) || is_any(element, Element::kCol, Element::kColgroup, Element::kTbody,
                                    Element::kTfoot, Element::kThead, Element::kTr);
}

// In a table, these close a <select>.
bool closes_select_in_table(Element element) {
  return element == Element::kTable ||
         (is_table_part(element) && !is_any(element, Element::kCol, Element::kColgroup));
}

bool hidden_input(const Tag& tag) {
  return tag.element == Element::kInput && ascii_equal_ignore_case(tag.raw.text(Attribute::kType), "hidden");
}

}  // namespace

Placement TreeContext::start(const Tag& tag, bool text_before) {
  // Nine tags in ten, and nothing to note.
  const bool settled = phase_ == Phase::kBody && !frameset_ok_ && !select_ && foreign_.empty();
  if (settled && !has_trait(tag.element, kContextual)) return {.in_page = !in_template()};
  const bool text_opens_body = text_before && phase_ == Phase::kHead && !in_template();
  if (text_before) {
    frameset_ok_ = false;
    head_seen_ = true;
  }
  if (text_opens_body) phase_ = Phase::kBody;
  const Namespace space = foreign_.place(tag);
  if (space != Namespace::kHtml) {
    foreign_.push_foreign(tag, space);
    return {.in_page = !in_template(), .space = space};
  }
  const bool inside_foreign = !foreign_.empty();
  Placement placement = start_html(tag);
  const bool is_root = tag.element == Element::kSvg || tag.element == Element::kMath;
  placement.opens_body = placement.opens_body || text_opens_body;
  if (placement.in_page && is_root) {
    placement.space = tag.element == Element::kSvg ? Namespace::kSvg : Namespace::kMathml;
  } else if (placement.in_page && inside_foreign && placement.content == RawText::kNone) {
    foreign_.push_html(tag);
  }
  placement.in_page = placement.in_page && !in_template();
  return placement;
}

// 13.2.6.4. in_page means here: the tag is not ignored.
Placement TreeContext::start_html(const Tag& tag) {
  if (phase_ == Phase::kFrameset || phase_ == Phase::kAfterFrameset) return start_in_frameset(tag);
  if (select_ && !taken_in_select(tag)) return {};
  Placement placement;
  if (phase_ == Phase::kHead && !has_trait(tag.element, kInHead) && tag.element != Element::kFrameset &&
      !in_template()) {
    phase_ = Phase::kBody;
    placement.opens_body = true;
  }
  if (tag.element == Element::kFrameset) {
    const bool had_body = phase_ == Phase::kBody;
    placement.in_page = start_frameset();
    placement.drops_body = placement.in_page && had_body;
    return placement;
  }
  placement.in_page = taken(tag);
  if (placement.in_page) placement.content = raw_text_of(tag.element);
  if (tag.element != Element::kHtml) head_seen_ = true;
  if (has_trait(tag.element, kEndsFramesetOk) || (tag.element == Element::kInput && !hidden_input(tag)))
    frameset_ok_ = false;
  return placement;
}

// Is the tag not ignored? Takes note of what it opens.
bool TreeContext::taken(const Tag& tag) {
  const Element element = tag.element;
  if (is_table_part(element)) {
    if (!in_table() && !in_template()) return false;
    note_table_part(element);
    return true;
  }
  if (element == Element::kFrame) return false;
  if (element == Element::kHead) return !head_seen_;
  if (element == Element::kForm) return open_form();
  if (element == Element::kSelect) select_ = true;
  if (element == Element::kTable) note_table_part(element);
  if (element == Element::kTemplate) open_template();
  if (element == Element::kSvg || element == Element::kMath) foreign_.push_root(tag);
  return true;
}

// A form in a form is none.
bool TreeContext::open_form() {
  if (in_template()) return true;
  const bool nested = form_;
  form_ = true;
  return !nested;
}

// 13.2.6.4.16-17, as parsers did before <select> was allowed to hold anything. Some tags close it first.
bool TreeContext::taken_in_select(const Tag& tag) {
  if (is_any(tag.element, Element::kOption, Element::kOptgroup, Element::kHr, Element::kScript,
             Element::kTemplate)) {
    return true;
  }
  const bool control = is_any(tag.element, Element::kInput, Element::kKeygen, Element::kTextarea);
  const bool closes =
      control || tag.element == Element::kSelect || (in_table() && closes_select_in_table(tag.element));
  if (closes) select_ = false;
  return closes && tag.element != Element::kSelect;
}

// 13.2.6.4.20-21: of all elements only these.
Placement TreeContext::start_in_frameset(const Tag& tag) {
  Placement placement;
  const bool inside = phase_ == Phase::kFrameset;
  if (tag.element == Element::kNoframes) {
    placement.in_page = true;
    placement.content = RawText::kElement;
  } else if (inside && tag.element == Element::kFrameset) {
    ++framesets_;
    placement.in_page = true;
  } else if (inside && tag.element == Element::kFrame) {
    placement.in_page = true;
  }
  return placement;
}

bool TreeContext::start_frameset() {
  if (in_template() || !foreign_.empty() || (phase_ == Phase::kBody && !frameset_ok_)) return false;
  phase_ = Phase::kFrameset;
  framesets_ = 1;
  return true;
}

void TreeContext::note_table_part(Element element) {
  if (element == Element::kTable) {
    // In a table but in no cell of it, a table closes the one it is in.
    if ((!in_table() || cells_.back()) && cells_.size() < kNestedMax) cells_.push_back(false);
  } else if (in_table()) {
    cells_.back() = is_cell(element);
  }
}

void TreeContext::open_template() {
  if (templates_.size() < kNestedMax) templates_.push_back({select_, cells_.size(), foreign_.size()});
  select_ = false;
}

void TreeContext::close_template() {
  if (!in_template()) return;
  select_ = templates_.back().select;
  cells_.resize(std::min(cells_.size(), templates_.back().tables));
  foreign_.cut(templates_.back().foreign);
  templates_.pop_back();
}

void TreeContext::end(const Tag& tag) {
  if (!foreign_.empty() && foreign_.end(tag)) return;
  end_html(tag.element);
}

void TreeContext::end_html(Element element) {
  if (phase_ == Phase::kFrameset || phase_ == Phase::kAfterFrameset) {
    if (element == Element::kFrameset && framesets_ > 0 && --framesets_ == 0) phase_ = Phase::kAfterFrameset;
    return;
  }
  if (element == Element::kTemplate) return close_template();
  if (select_) {
    if (element != Element::kSelect && !(in_table() && closes_select_in_table(element))) return;
    select_ = false;
    if (element == Element::kSelect) return;
  }
  if (element == Element::kForm && !in_template()) form_ = false;
  if (element == Element::kBr) frameset_ok_ = false;  // it makes one
  const std::size_t outer = in_template() ? templates_.back().tables : 0;
  if (cells_.size() <= outer) return;
  if (element == Element::kTable) {
    cells_.pop_back();
  } else if (is_table_part(element)) {
    cells_.back() = false;
  }
}

}  // namespace weir::crawler
