// See gumbo_extractor.h.
#include "crawler/html/gumbo_extractor.h"

#include <array>
#include <csetjmp>
#include <span>

#include "crawler/html/cost_guard.h"

namespace weir::crawler {
namespace {

using ElementTable = std::array<Element, GUMBO_TAG_LAST>;

ElementTable make_elements() {
  ElementTable elements{};
  for (int tag = 0; tag < GUMBO_TAG_UNKNOWN; ++tag)
    elements[static_cast<std::size_t>(tag)] =
        find_element(gumbo_normalized_tagname(static_cast<GumboTag>(tag)));
  return elements;
}

// A name that gumbo does not know is read from the page.
Element element_of(const GumboElement& element) {
  static const ElementTable elements = make_elements();
  if (element.tag != GUMBO_TAG_UNKNOWN) return elements[element.tag];
  GumboStringPiece name = element.original_tag;
  gumbo_tag_from_original_text(&name);
  return find_element({name.data, name.length});
}

Namespace space_of(const GumboElement& element) {
  switch (element.tag_namespace) {
    case GUMBO_NAMESPACE_HTML: return Namespace::kHtml;
    case GUMBO_NAMESPACE_SVG: return Namespace::kSvg;
    case GUMBO_NAMESPACE_MATHML: return Namespace::kMathml;
  }
  return Namespace::kHtml;
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

std::string_view text_of(const GumboElement& element) {
  if (element.children.length == 0) return {};
  const GumboNode& child = *items<const GumboNode>(element.children)[0];
  return child.type == GUMBO_NODE_TEXT ? std::string_view(child.v.text.text) : std::string_view{};
}

// Elements that nobody wrote. Formatting elements left open are built again in each paragraph: the same link,
// not another one. <isindex> became a form in parsers of its time only.
bool is_invented(const GumboNode& node) {
  constexpr unsigned kInvented = GUMBO_INSERTION_RECONSTRUCTED_FORMATTING_ELEMENT |
                                 GUMBO_INSERTION_ADOPTION_AGENCY_CLONED | GUMBO_INSERTION_FROM_ISINDEX;
  return (static_cast<unsigned>(node.parse_flags) & kInvented) != 0;
}

}  // namespace

GumboExtractor::GumboExtractor(const Clock& clock, const ExtractorLimits& limits)
    : clock_(clock),
      limits_(limits),
      wanted_(LinkCollector::wanted(limits)),
      arena_(clock, limits.arena_bytes_max),
      stream_(limits) {}

void GumboExtractor::extract(std::string_view utf8, Extraction& out) {
  if (!costs_too_much(utf8, limits_.tree_depth_max)) {
    if (const GumboOutput* output = parse(utf8)) {
      LinkCollector collector(limits_, out);
      return collect(output->document, collector);
    }
  }
  stream_.extract(utf8, out);
  out.limited = true;
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
    if (is_document || is_invented(node)) continue;
    take_element(node.v.element, collector);
  }
}

void GumboExtractor::take_element(const GumboElement& node, LinkCollector& collector) {
  const Element element = element_of(node);
  if (!wanted_.has(element)) return;
  if (element == Element::kStyle && limits_.requisites) collector.add_css(text_of(node));
  if (node.attributes.length > 0) collector.add(element, values_of(node), space_of(node));
}

}  // namespace weir::crawler
