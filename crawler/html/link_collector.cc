// The link rules. See link_collector.h and docs/extraction.md, whose table is this file in words.
#include "crawler/html/link_collector.h"

#include <algorithm>
#include <array>

#include "crawler/html/ascii.h"
#include "crawler/html/css.h"
#include "crawler/html/refresh.h"
#include "crawler/html/srcset.h"

namespace weir::crawler {
namespace {

// What <link rel> makes a part of the page, or of the connection, not a place to go.
constexpr std::array<std::string_view, 13> kRequisiteRels = {
    "stylesheet",    "icon",       "apple-touch-icon", "apple-touch-icon-precomposed",
    "mask-icon",     "manifest",   "preload",          "prefetch",
    "modulepreload", "preconnect", "dns-prefetch",     "pingback",
    "expect"};

// The plain cases: an attribute of an HTML element that holds one URL, or a srcset.
struct Rule {
  Element element;
  Attribute attribute;
  LinkKind kind;
};

constexpr Rule kRules[] = {
    {Element::kIframe, Attribute::kSrc, LinkKind::kPage},
    {Element::kIframe, Attribute::kLongdesc, LinkKind::kReference},
    {Element::kFrame, Attribute::kSrc, LinkKind::kPage},
    {Element::kFrame, Attribute::kLongdesc, LinkKind::kReference},
    {Element::kImg, Attribute::kSrc, LinkKind::kRequisite},
    {Element::kImg, Attribute::kSrcset, LinkKind::kRequisite},
    {Element::kImg, Attribute::kLongdesc, LinkKind::kReference},
    {Element::kSource, Attribute::kSrc, LinkKind::kRequisite},
    {Element::kSource, Attribute::kSrcset, LinkKind::kRequisite},
    {Element::kVideo, Attribute::kSrc, LinkKind::kRequisite},
    {Element::kVideo, Attribute::kPoster, LinkKind::kRequisite},
    {Element::kAudio, Attribute::kSrc, LinkKind::kRequisite},
    {Element::kTrack, Attribute::kSrc, LinkKind::kRequisite},
    {Element::kEmbed, Attribute::kSrc, LinkKind::kRequisite},
    {Element::kScript, Attribute::kSrc, LinkKind::kRequisite},
    {Element::kObject, Attribute::kData, LinkKind::kRequisite},
    {Element::kApplet, Attribute::kCodebase, LinkKind::kRequisite},
    {Element::kApplet, Attribute::kCode, LinkKind::kRequisite},
    {Element::kApplet, Attribute::kArchive, LinkKind::kRequisite},
    {Element::kTable, Attribute::kBackground, LinkKind::kRequisite},
    {Element::kTr, Attribute::kBackground, LinkKind::kRequisite},
    {Element::kTd, Attribute::kBackground, LinkKind::kRequisite},
    {Element::kTh, Attribute::kBackground, LinkKind::kRequisite},
    {Element::kBlockquote, Attribute::kCite, LinkKind::kReference},
    {Element::kQ, Attribute::kCite, LinkKind::kReference},
    {Element::kIns, Attribute::kCite, LinkKind::kReference},
    {Element::kDel, Attribute::kCite, LinkKind::kReference},
    {Element::kHead, Attribute::kProfile, LinkKind::kReference},
};

bool content_says(std::string_view content, std::string_view directive) {
  constexpr std::string_view kSeparators = ", \t\n\f\r;";
  return has_word_ignore_case(content, directive, kSeparators) ||
         has_word_ignore_case(content, "none", kSeparators);
}

bool is_html_link(Element element) {
  return is_any(element, Element::kA, Element::kArea, Element::kBase, Element::kLink, Element::kMeta,
                Element::kIframe, Element::kFrame, Element::kForm, Element::kButton, Element::kInput,
                Element::kMath, Element::kMi, Element::kMn, Element::kMo, Element::kMs, Element::kMtext,
                Element::kMrow, Element::kMaction, Element::kSemantics, Element::kAnnotation,
                Element::kAnnotationXml);
}

bool is_html_reference(Element element) {
  return is_any(element, Element::kBlockquote, Element::kDel, Element::kHead, Element::kImg, Element::kIns,
                Element::kQ);
}

}  // namespace

LinkKind kind_of_rel(std::string_view rel) {
  const bool requisite = trim_ascii_space(rel).empty() ||  // makes no link at all
                         std::ranges::any_of(kRequisiteRels, [&](std::string_view known) {
                           return has_word_ignore_case(rel, known);
                         });
  return requisite ? LinkKind::kRequisite : LinkKind::kPage;
}

LinkCollector::LinkCollector(const ExtractorLimits& limits, Extraction& out) : limits_(limits), out_(out) {
  out_.clear();
}

ElementSet LinkCollector::wanted(const ExtractorLimits& limits) {
  ElementSet set;
  if (limits.requisites) {
    set.add_all();  // any of them may have a style attribute
    return set;
  }
  for (std::size_t i = 0; i < kElementCount; ++i) {
    const auto element = static_cast<Element>(i);
    if (is_html_link(element) || (limits.references && is_html_reference(element))) set.add(element);
  }
  return set;
}

bool LinkCollector::wants(LinkKind kind) const {
  switch (kind) {
    case LinkKind::kPage: return true;
    case LinkKind::kRequisite: return limits_.requisites;
    case LinkKind::kReference: return limits_.references;
  }
  return false;
}

void LinkCollector::add(Element element, const AttributeValues& values, Namespace space) {
  if (values.empty()) return;
  if (space == Namespace::kHtml) {
    add_html(element, values);
  } else {
    add_foreign(element, values, space);
  }
  if (limits_.requisites && values.has(Attribute::kStyle)) add_style(element, values);
}

void LinkCollector::add_html(Element element, const AttributeValues& values) {
  if (element == Element::kA || element == Element::kArea) return add_anchor(element, values);
  if (element == Element::kLink) return add_link_element(values);
  if (element == Element::kMeta) return add_meta(values);
  if (element == Element::kBase) return add_base(values);
  if (element == Element::kForm) return add_form(values);
  if (element == Element::kButton || element == Element::kInput) return add_form_control(element, values);
  if (element == Element::kBody)
    return add_once(element, Attribute::kBackground, values, body_background_seen_);
  if (element == Element::kHtml) return add_once(element, Attribute::kManifest, values, manifest_seen_);
  const Element known = element == Element::kImage ? Element::kImg : element;
  for (const Rule& rule : kRules) {
    if (rule.element != known) continue;
    if (rule.attribute == Attribute::kSrcset) {
      add_srcset(known, rule.attribute, values);
    } else {
      add_link(known, rule.attribute, values, rule.kind);
    }
  }
}

// SVG: <a> leads somewhere, href and xlink:href of the others name pictures and parts. MathML: href of any
// element leads somewhere.
void LinkCollector::add_foreign(Element element, const AttributeValues& values, Namespace space) {
  const bool href = values.has(Attribute::kHref);
  const Attribute attribute = href ? Attribute::kHref : Attribute::kXlinkHref;
  if (space == Namespace::kMathml) {
    if (href && element != Element::kOther) add_link(element, attribute, values, LinkKind::kPage);
    return;
  }
  if (element == Element::kA) return add_link(element, attribute, values, LinkKind::kPage);
  if (is_any(element, Element::kImage, Element::kUse, Element::kFeImage, Element::kScript))
    add_link(element, attribute, values, LinkKind::kRequisite);
}

void LinkCollector::add_link(Element element, Attribute attribute, const AttributeValues& values,
                             LinkKind kind) {
  if (!values.has(attribute) || !wants(kind)) return;
  const std::string_view rel = values.text(Attribute::kRel);
  Link link;
  link.kind = kind;
  link.nofollow = !rel.empty() && has_word_ignore_case(rel, "nofollow");
  link.tag = name_of(element);
  link.attribute = name_of(attribute);
  push(values.text(attribute), rel, link);
}

// A list of URLs with white space between.
void LinkCollector::add_list(Element element, Attribute attribute, const AttributeValues& values,
                             LinkKind kind) {
  if (!values.has(attribute) || !wants(kind)) return;
  std::string_view list = values.text(attribute);
  while (!(list = trim_ascii_space(list)).empty()) {
    const std::string_view url = list.substr(0, list.find_first_of(kAsciiSpaces));
    push(url, {}, {.kind = kind, .tag = name_of(element), .attribute = name_of(attribute)});
    list.remove_prefix(url.size());
  }
}

void LinkCollector::add_srcset(Element element, Attribute attribute, const AttributeValues& values) {
  if (!values.has(attribute) || !limits_.requisites) return;
  candidates_.clear();
  parse_srcset(values.text(attribute), candidates_);
  const Link link{.kind = LinkKind::kRequisite, .tag = name_of(element), .attribute = name_of(attribute)};
  for (const std::string_view url : candidates_) push(url, values.text(Attribute::kRel), link);
}

void LinkCollector::add_anchor(Element element, const AttributeValues& values) {
  add_link(element, Attribute::kHref, values, LinkKind::kPage);
  add_list(element, Attribute::kPing, values, LinkKind::kReference);
}

void LinkCollector::add_link_element(const AttributeValues& values) {
  add_srcset(Element::kLink, Attribute::kImagesrcset, values);
  add_link(Element::kLink, Attribute::kHref, values, kind_of_rel(values.text(Attribute::kRel)));
}

void LinkCollector::add_meta(const AttributeValues& values) {
  if (!values.has(Attribute::kContent)) return;
  const std::string_view content = values.text(Attribute::kContent);
  if (ascii_equal_ignore_case(values.text(Attribute::kName), "robots")) {
    out_.nofollow = out_.nofollow || content_says(content, "nofollow");
    out_.noindex = out_.noindex || content_says(content, "noindex");
  }
  if (!ascii_equal_ignore_case(values.text(Attribute::kHttpEquiv), "refresh")) return;
  const auto refresh = parse_refresh(content);
  if (!refresh) return;
  push(refresh->url, {}, {.tag = name_of(Element::kMeta), .attribute = "refresh"});
}

void LinkCollector::add_base(const AttributeValues& values) {
  if (base_seen_ || !values.has(Attribute::kHref)) return;
  base_seen_ = true;
  base_in_body_ = in_body_;
  out_.base = values.text(Attribute::kHref);
}

// Only what a crawler may send: a form that GETs. One without method does.
void LinkCollector::add_form(const AttributeValues& values) {
  const std::string_view method = values.text(Attribute::kMethod);
  form_posts_ = ascii_equal_ignore_case(method, "post") || ascii_equal_ignore_case(method, "dialog");
  if (!form_posts_) add_link(Element::kForm, Attribute::kAction, values, LinkKind::kPage);
}

void LinkCollector::add_form_control(Element element, const AttributeValues& values) {
  if (element == Element::kInput && ascii_equal_ignore_case(values.text(Attribute::kType), "image"))
    add_link(element, Attribute::kSrc, values, LinkKind::kRequisite);
  const std::string_view method = values.text(Attribute::kFormmethod);
  const bool gets = values.has(Attribute::kFormmethod) ? ascii_equal_ignore_case(method, "get") : !form_posts_;
  if (gets) add_link(element, Attribute::kFormaction, values, LinkKind::kPage);
}

// Later <body> and <html> tags only add the attributes that are not there yet.
void LinkCollector::add_once(Element element, Attribute attribute, const AttributeValues& values, bool& done) {
  if (done || !values.has(attribute)) return;
  done = true;
  add_link(element, attribute, values, LinkKind::kRequisite);
}

void LinkCollector::add_style(Element element, const AttributeValues& values) {
  find_css_urls(values.text(Attribute::kStyle), [&](std::string_view url, bool) {
    push(url, {}, {.kind = LinkKind::kRequisite, .tag = name_of(element), .attribute = "style"});
  });
}

void LinkCollector::add_css(std::string_view css) {
  if (!limits_.requisites) return;
  find_css_urls(css, [&](std::string_view url, bool imported) {
    push(url, {}, {.kind = LinkKind::kRequisite, .tag = "style", .attribute = imported ? "@import" : "url"});
  });
}

void LinkCollector::mark_body() {
  in_body_ = true;
  body_start_ = out_.links.size();
}

void LinkCollector::drop_body() {
  out_.links.resize(std::min(body_start_, out_.links.size()));
  if (!base_in_body_) return;
  base_seen_ = base_in_body_ = false;
  out_.base.clear();
}

void LinkCollector::push(std::string_view raw, std::string_view rel, Link link) {
  if (out_.links.size() >= limits_.links_max) {
    out_.limited = true;
    return;
  }
  out_.add(raw, rel, link);
}

}  // namespace weir::crawler
