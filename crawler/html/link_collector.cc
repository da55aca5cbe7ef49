// The link rules. See link_collector.h. Lists (srcset, ping, archive), forms and citations are no links here.
#include "crawler/html/link_collector.h"

#include <array>
#include <utility>

#include "crawler/html/ascii.h"
#include "crawler/html/refresh.h"

namespace weir::crawler {
namespace {

// What <link rel> makes a part of the page, or of the connection, not a place to go.
constexpr std::array<std::string_view, 13> kRequisiteRels = {
    "stylesheet",    "icon",       "apple-touch-icon", "apple-touch-icon-precomposed",
    "mask-icon",     "manifest",   "preload",          "prefetch",
    "modulepreload", "preconnect", "dns-prefetch",     "pingback",
    "expect"};

bool is_page_rel(std::string_view rel) {
  if (trim_ascii_space(rel).empty()) return false;  // makes no link at all
  for (const std::string_view requisite : kRequisiteRels) {
    if (has_word_ignore_case(rel, requisite)) return false;
  }
  return true;
}

bool content_says(std::string_view content, std::string_view directive) {
  constexpr std::string_view kSeparators = ", \t\n\f\r;";
  return has_word_ignore_case(content, directive, kSeparators) ||
         has_word_ignore_case(content, "none", kSeparators);
}

}  // namespace

void LinkCollector::add(Element element, const AttributeValues& values, bool foreign) {
  if (foreign && element != Element::kA) return;
  switch (element) {
    case Element::kA:
      if (values[Attribute::kHref]) return add_link(element, Attribute::kHref, values, true);
      if (foreign) add_link(element, Attribute::kXlinkHref, values, true);
      return;
    case Element::kArea: return add_link(element, Attribute::kHref, values, true);
    case Element::kFrame:
    case Element::kIframe: return add_link(element, Attribute::kSrc, values, true);
    case Element::kLink: return add_link_element(values);
    case Element::kMeta: return add_meta(values);
    case Element::kBase:
      if (!base_seen_ && values[Attribute::kHref]) {
        base_seen_ = true;
        extraction_.base = values.text(Attribute::kHref);
      }
      return;
    case Element::kAudio:
    case Element::kEmbed:
    case Element::kImg:
    case Element::kInput:
    case Element::kObject:
    case Element::kScript:
    case Element::kSource:
    case Element::kTrack:
    case Element::kVideo: return add_requisite(element, values);
    case Element::kOther: return;
  }
}

void LinkCollector::add_link(Element element, Attribute attribute, const AttributeValues& values, bool page) {
  if (!values[attribute]) return;
  const std::string_view rel = values.text(Attribute::kRel);
  push({.raw = std::string(*values[attribute]),
        .tag = name_of(element),
        .attribute = name_of(attribute),
        .rel = std::string(rel),
        .nofollow = !rel.empty() && has_word_ignore_case(rel, "nofollow"),
        .page = page});
}

void LinkCollector::add_link_element(const AttributeValues& values) {
  add_link(Element::kLink, Attribute::kHref, values, is_page_rel(values.text(Attribute::kRel)));
}

void LinkCollector::add_meta(const AttributeValues& values) {
  if (!values[Attribute::kContent]) return;
  const std::string_view content = values.text(Attribute::kContent);
  if (ascii_equal_ignore_case(values.text(Attribute::kName), "robots")) {
    extraction_.nofollow = extraction_.nofollow || content_says(content, "nofollow");
    extraction_.noindex = extraction_.noindex || content_says(content, "noindex");
  }
  if (!ascii_equal_ignore_case(values.text(Attribute::kHttpEquiv), "refresh")) return;
  const auto refresh = parse_refresh(content);
  if (!refresh) return;
  push({.raw = std::string(refresh->url), .tag = name_of(Element::kMeta), .attribute = "refresh", .rel = {}});
}

void LinkCollector::add_requisite(Element element, const AttributeValues& values) {
  if (element == Element::kInput && !ascii_equal_ignore_case(values.text(Attribute::kType), "image")) return;
  add_link(element, element == Element::kObject ? Attribute::kData : Attribute::kSrc, values, false);
  if (element == Element::kVideo) add_link(element, Attribute::kPoster, values, false);
}

void LinkCollector::push(Link link) {
  if (extraction_.links.size() >= links_max_) {
    extraction_.limited = true;
    return;
  }
  extraction_.links.push_back(std::move(link));
}

}  // namespace weir::crawler
