// See xhtml_extractor.h.
#include "crawler/xml/xhtml_extractor.h"

#include "crawler/html/link_collector.h"
#include "crawler/xml/xml_parser.h"

namespace weir::crawler {
namespace {

constexpr std::string_view kXhtml = "http://www.w3.org/1999/xhtml";
constexpr std::string_view kSvg = "http://www.w3.org/2000/svg";
constexpr std::string_view kMathml = "http://www.w3.org/1998/Math/MathML";
constexpr std::string_view kXlink = "http://www.w3.org/1999/xlink";
constexpr std::size_t kStyleBytesMax = 1 << 20;

// Names have a case in XML: <A HREF> is nobody's element.
Element element_of(const XmlName& name) {
  if (name.space == kSvg && name.local == "feImage") return Element::kFeImage;
  const Element element = find_element(name.local);
  return name_of(element) == name.local ? element : Element::kOther;
}

class XhtmlHandler final : public XmlHandler {
 public:
  XhtmlHandler(const ExtractorLimits& limits, Extraction& out)
      : collector_(limits, out), wanted_(LinkCollector::wanted(limits)), styles_(limits.requisites) {}

  bool start(const XmlName& name, std::span<const XmlAttribute> attributes) override {
    const Element element = element_of(name);
    const bool html = name.space == kXhtml;
    if (html && element == Element::kTemplate) ++templates_;
    if (templates_ > 0 || !wanted_.has(element)) return true;
    in_style_ = styles_ && html && element == Element::kStyle;
    values_.clear();
    for (const XmlAttribute& attribute : attributes) take_attribute(attribute);
    if (html) collector_.add(element, values_, Namespace::kHtml);
    if (name.space == kSvg) collector_.add(element, values_, Namespace::kSvg);
    if (name.space == kMathml) collector_.add(element, values_, Namespace::kMathml);
    return true;
  }

  bool end(const XmlName& name) override {
    if (name.space == kXhtml && name.local == "template") --templates_;
    if (in_style_) collector_.add_css(style_);
    in_style_ = false;
    style_.clear();
    return true;
  }

  void text(std::string_view text) override {
    if (in_style_ && style_.size() < kStyleBytesMax) style_.append(text);
  }

 private:
  void take_attribute(const XmlAttribute& attribute) {
    if (attribute.name.space == kXlink && attribute.name.local == "href")
      return values_.set_first(Attribute::kXlinkHref, attribute.value);
    const Attribute which = find_attribute(attribute.name.local);
    if (which == Attribute::kOther || !attribute.name.space.empty() || name_of(which) != attribute.name.local)
      return;
    values_.set_first(which, attribute.value);
  }

  LinkCollector collector_;
  const ElementSet wanted_;
  const bool styles_;
  AttributeValues values_;
  std::string style_;
  std::size_t templates_ = 0;  // open ones
  bool in_style_ = false;
};

}  // namespace

bool extract_xhtml(std::string_view utf8, const ExtractorLimits& limits, Extraction& out) {
  std::string mended;
  XhtmlHandler handler(limits, out);
  return !parse_xml(mend_references(utf8, true, mended), XmlNames::kNamespaces, handler);
}

}  // namespace weir::crawler
