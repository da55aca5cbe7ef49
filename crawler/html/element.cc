// Names of element.h, in the order of the enumerations.
#include "crawler/html/element.h"

#include "crawler/html/ascii.h"

namespace weir::crawler {
namespace {

constexpr std::array<std::string_view, 17> kElements = {"",       "a",      "area",   "audio", "base", "embed",
                                                        "frame",  "iframe", "img",    "input", "link", "meta",
                                                        "object", "script", "source", "track", "video"};

constexpr std::array<std::string_view, kAttributeCount> kAttributes = {
    "content", "data", "href", "http-equiv", "name", "poster", "rel", "src", "type", "xlink:href"};

template <typename Id, std::size_t kCount>
Id find_name(const std::array<std::string_view, kCount>& names, std::string_view name, Id none) {
  for (std::size_t i = 0; i < kCount; ++i) {
    if (names[i].size() == name.size() && ascii_equal_ignore_case(names[i], name)) return static_cast<Id>(i);
  }
  return none;
}

}  // namespace

Element find_element(std::string_view name) {
  // "image" is how some wrote "img", and parsers believe them.
  if (ascii_equal_ignore_case(name, "image")) return Element::kImg;
  return find_name(kElements, name, Element::kOther);
}

Attribute find_attribute(std::string_view name) { return find_name(kAttributes, name, Attribute::kOther); }

std::string_view name_of(Element element) { return kElements[static_cast<std::size_t>(element)]; }

std::string_view name_of(Attribute attribute) { return kAttributes[static_cast<std::size_t>(attribute)]; }

}  // namespace weir::crawler
