// See stream_extractor.h.
#include "crawler/html/stream_extractor.h"

#include "crawler/html/character_reference.h"

namespace weir::crawler {
namespace {

// Besides what holds links: attributes that decide what becomes of the tag or of its neighbours.
ElementSet scanned(const ExtractorLimits& limits) {
  ElementSet set = LinkCollector::wanted(limits);
  set.add(Element::kInput);          // type=hidden
  set.add(Element::kFont);           // color, face, size: ends foreign content
  set.add(Element::kAnnotationXml);  // encoding: holds HTML
  return set;
}

}  // namespace

StreamExtractor::StreamExtractor(const ExtractorLimits& limits)
    : limits_(limits), wanted_(scanned(limits)), linking_(LinkCollector::wanted(limits)) {}

void StreamExtractor::extract(std::string_view utf8, Extraction& out) {
  start(out);
  run(utf8, true);
  page_.reset();
}

void StreamExtractor::start(Extraction& out) {
  left_over_.clear();
  style_.clear();
  in_style_ = false;
  page_.emplace(wanted_, limits_, out);
  page_->scanner.watch_text();
}

void StreamExtractor::feed(std::string_view piece) {
  if (left_over_.empty()) {
    run(piece, false);
    left_over_.assign(piece.substr(page_->scanner.consumed()));
  } else {
    left_over_.append(piece);
    run(left_over_, false);
    left_over_.erase(0, page_->scanner.consumed());
  }
}

void StreamExtractor::finish() {
  run(left_over_, true);
  page_.reset();
}

void StreamExtractor::run(std::string_view piece, bool last) {
  TagScanner& scanner = page_->scanner;
  scanner.refill(piece, last);
  while (scanner.next(tag_) == TagScanner::Found::kTag) {
    if (in_style_) end_style();
    if (tag_.end) {
      page_->context.end(tag_);
    } else {
      take_start_tag(tag_);
    }
    scanner.set_foreign(page_->context.in_foreign_content());
  }
  if (!last) return;
  if (in_style_) end_style();
  page_->out.limited = page_->out.limited || scanner.tags_skipped() > 0;
}

void StreamExtractor::take_start_tag(const Tag& tag) {
  const Placement placement = page_->context.start(tag, page_->scanner.text_seen());
  if (placement.opens_body) page_->collector.mark_body();
  if (placement.drops_body) page_->collector.drop_body();
  if (placement.content != RawText::kNone) {
    in_style_ = limits_.requisites && tag.element == Element::kStyle && placement.in_page;
    page_->scanner.enter(placement.content, tag.element, in_style_ ? &style_ : nullptr);
  }
  if (placement.in_page && linking_.has(tag.element) && !tag.raw.empty())
    page_->collector.add(tag.element, decode(tag.raw), placement.space);
}

// Most values are what is written; the others are decoded into buffers that live until the next tag.
const AttributeValues& StreamExtractor::decode(const AttributeValues& raw) {
  values_.clear();
  raw.each([&](Attribute which) {
    const std::string_view value = raw.text(which);
    if (!needs_decoding(value)) return values_.set(which, value);
    std::string& buffer = buffers_[static_cast<std::size_t>(which)];
    decode_attribute(value, buffer);
    values_.set(which, buffer);
  });
  return values_;
}

void StreamExtractor::end_style() {
  page_->collector.add_css(style_);
  style_.clear();
  in_style_ = false;
}

}  // namespace weir::crawler
