// See gumbo_extractor.h.
#include "crawler/html/gumbo_extractor.h"

#include <csetjmp>
#include <span>

#include "crawler/html/cost_guard.h"
#include "crawler/html/flat_scanner.h"

namespace weir::crawler {
namespace {

Element element_of(const GumboElement& element) {
  switch (static_cast<int>(element.tag)) {
    case GUMBO_TAG_A: return Element::kA;
    case GUMBO_TAG_AREA: return Element::kArea;
    case GUMBO_TAG_AUDIO: return Element::kAudio;
    case GUMBO_TAG_BASE: return Element::kBase;
    case GUMBO_TAG_EMBED: return Element::kEmbed;
    case GUMBO_TAG_FRAME: return Element::kFrame;
    case GUMBO_TAG_IFRAME: return Element::kIframe;
    case GUMBO_TAG_IMG: return Element::kImg;
    case GUMBO_TAG_INPUT: return Element::kInput;
    case GUMBO_TAG_LINK: return Element::kLink;
    case GUMBO_TAG_META: return Element::kMeta;
    case GUMBO_TAG_OBJECT: return Element::kObject;
    case GUMBO_TAG_SCRIPT: return Element::kScript;
    case GUMBO_TAG_SOURCE: return Element::kSource;
    case GUMBO_TAG_TRACK: return Element::kTrack;
    case GUMBO_TAG_VIDEO: return Element::kVideo;
  }
  return Element::kOther;
}

// gumbo calls svg's xlink:href "href" and keeps the rest of the name aside.
Attribute attribute_of(const GumboAttribute& attribute) {
  const Attribute which = find_attribute(attribute.name);
  if (attribute.attr_namespace == GUMBO_ATTR_NAMESPACE_NONE) return which;
  const bool xlink = attribute.attr_namespace == GUMBO_ATTR_NAMESPACE_XLINK && which == Attribute::kHref;
  return xlink ? Attribute::kXlinkHref : Attribute::kOther;
}

template <typename T>
std::span<T* const> items(const GumboVector& vector) {
  return {reinterpret_cast<T* const*>(vector.data), vector.length};
}

AttributeValues values_of(const GumboElement& element) {
  AttributeValues values;
  for (const GumboAttribute* attribute : items<const GumboAttribute>(element.attributes)) {
    const Attribute which = attribute_of(*attribute);
    if (which != Attribute::kOther) values.set_first(which, attribute->value);
  }
  return values;
}

// Formatting elements left open are built again in each paragraph: the same link, not another one.
bool is_copy(const GumboNode& node) {
  constexpr unsigned kCopies =
      GUMBO_INSERTION_RECONSTRUCTED_FORMATTING_ELEMENT | GUMBO_INSERTION_ADOPTION_AGENCY_CLONED;
  return (static_cast<unsigned>(node.parse_flags) & kCopies) != 0;
}

}  // namespace

GumboExtractor::GumboExtractor(const Clock& clock, const ExtractorLimits& limits)
    : clock_(clock), limits_(limits), arena_(clock, limits.arena_bytes_max) {}

Extraction GumboExtractor::extract(std::string_view utf8) {
  if (!costs_too_much(utf8, limits_.tree_depth_max)) {
    if (const GumboOutput* output = parse(utf8)) {
      LinkCollector collector(limits_.links_max);
      collect(output->document, collector);
      return collector.take();
    }
  }
  Extraction extraction = scan_links(utf8, limits_);
  extraction.limited = true;
  return extraction;
}

// Null when the arena gave up. Nothing in this frame has a destructor or changes after setjmp: see ParseArena.
const GumboOutput* GumboExtractor::parse(std::string_view utf8) {
  arena_.start(clock_.now().mono + limits_.deadline);
  GumboOptions options = kGumboDefaultOptions;
  options.allocator = ParseArena::allocate;
  options.deallocator = ParseArena::release;
  options.userdata = &arena_;
  options.max_errors = 0;  // an unclosed table costs gigabytes of error records otherwise
  if (setjmp(arena_.escape()) != 0) return nullptr;
  return gumbo_parse_with_options(&options, utf8.data(), utf8.size());
}

// Document order without recursion: children are pushed last first. Templates are another node type, so they
// and what is in them are passed by.
void GumboExtractor::collect(const GumboNode* root, LinkCollector& collector) {
  pending_.assign(1, root);
  while (!pending_.empty()) {
    const GumboNode& node = *pending_.back();
    pending_.pop_back();
    const bool is_document = node.type == GUMBO_NODE_DOCUMENT;
    if (!is_document && node.type != GUMBO_NODE_ELEMENT) continue;
    const GumboVector& children = is_document ? node.v.document.children : node.v.element.children;
    const auto nodes = items<const GumboNode>(children);
    pending_.insert(pending_.end(), nodes.rbegin(), nodes.rend());
    if (is_document || is_copy(node)) continue;
    const Element element = element_of(node.v.element);
    if (element == Element::kOther) continue;
    collector.add(element, values_of(node.v.element), node.v.element.tag_namespace != GUMBO_NAMESPACE_HTML);
  }
}

}  // namespace weir::crawler
