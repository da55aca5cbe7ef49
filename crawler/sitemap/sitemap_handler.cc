// See sitemap_handler.h.
#include "crawler/sitemap/sitemap_handler.h"

#include <algorithm>

#include "crawler/html/ascii.h"

namespace weir::crawler {
namespace {

std::string_view attribute_of(std::span<const XmlAttribute> attributes, std::string_view local) {
  const auto found = std::ranges::find_if(
      attributes, [&](const XmlAttribute& one) { return ascii_equal_ignore_case(one.name.local, local); });
  return found == attributes.end() ? std::string_view{} : found->value;
}

// xml:base, whose prefix is fixed.
std::string_view base_of(std::span<const XmlAttribute> attributes) {
  for (const XmlAttribute& one : attributes) {
    if (one.name.local == "base" && one.name.space == "xml") return one.value;
  }
  return {};
}

SitemapFormat format_of_root(std::string_view name) {
  if (name == "urlset") return SitemapFormat::kUrlset;
  if (name == "sitemapindex") return SitemapFormat::kIndex;
  if (name == "rss" || name == "rdf") return SitemapFormat::kRss;
  if (name == "feed") return SitemapFormat::kAtom;
  if (name == "html") return SitemapFormat::kXhtml;
  return SitemapFormat::kUnknown;
}

// What holds one entry, with its date.
bool is_container(std::string_view name) {
  return name == "url" || name == "sitemap" || name == "item" || name == "entry";
}

bool is_date(std::string_view name) {
  return name == "lastmod" || name == "pubdate" || name == "date" || name == "updated" || name == "published";
}

}  // namespace

void SitemapEntries::add(std::string_view url, std::string_view lastmod, EntryKind kind) {
  const auto parsed = frontier::parse_url(url, base_);
  if (!parsed || !parsed->is_http()) {
    ++sitemap_.invalid;
  } else if (sitemap_.entries.size() >= entries_max_) {
    sitemap_.limited = true;
  } else {
    sitemap_.entries.push_back({std::string(parsed->href()), std::string(lastmod), kind});
  }
}

std::string_view SitemapHandler::parent(std::size_t steps) const {
  return open_.size() > steps ? std::string_view(open_[open_.size() - 1 - steps].name) : std::string_view{};
}

bool SitemapHandler::start(const XmlName& name, std::span<const XmlAttribute> attributes) {
  Open open;
  open.name = ascii_lower_copy(name.local);
  if (open_.empty()) {
    format_ = format_of_root(open.name);
    if (format_ == SitemapFormat::kUnknown || format_ == SitemapFormat::kXhtml) return false;
  }
  if (is_container(open.name)) flush();
  const std::string_view base = base_of(attributes);
  if (!base.empty()) enter_base(base, open);
  if (open.name == "link") start_link(attributes);
  if (open.name == "enclosure") keep(attribute_of(attributes, "url"), EntryKind::kEnclosure);
  if (open.name == "guid") guid_is_link_ = attribute_of(attributes, "ispermalink") != "false";
  open_.push_back(std::move(open));
  text_.clear();
  return !entries_.full();
}

// Entries of the element are relative to it; the one before comes back at its end.
void SitemapHandler::enter_base(std::string_view value, Open& open) {
  auto base = frontier::parse_url(value, entries_.base());
  if (!base) return;
  open.moves_base = true;
  if (entries_.base() != nullptr) open.outer_base = *entries_.base();
  base_ = *std::move(base);
  entries_.set_base(&*base_);
}

// Atom's, in whatever document; and the sitemap's way to say "in other languages".
void SitemapHandler::start_link(std::span<const XmlAttribute> attributes) {
  const std::string_view href = attribute_of(attributes, "href");
  const std::string_view rel = attribute_of(attributes, "rel");
  text_link_ = rel.empty() || rel == "alternate";
  if (href.empty()) return;
  if (parent(0) == "url") {
    if (rel == "alternate") keep(href, EntryKind::kAlternate);
    return;
  }
  if (rel.empty() || rel == "alternate") keep(href, EntryKind::kPage);
  if (rel == "enclosure") keep(href, EntryKind::kEnclosure);
  if (rel == "self" || rel == "next" || rel == "previous" || rel == "first" || rel == "last")
    keep(href, EntryKind::kFeed);
}

bool SitemapHandler::end(const XmlName&) {
  const Open open = std::move(open_.back());
  open_.pop_back();
  if (!open_.empty()) end_text(open.name);
  text_.clear();
  // What stands outside of entries, a feed's own links, has no date to wait for.
  if (is_container(open.name) ||
      !std::ranges::any_of(open_, [](const Open& one) { return is_container(one.name); }))
    flush();
  if (open.moves_base) {
    base_ = open.outer_base;
    entries_.set_base(base_ ? &*base_ : nullptr);
  }
  return !entries_.full();
}

void SitemapHandler::end_text(std::string_view name) {
  const std::string_view text = trim_ascii_space(text_);
  if (text.empty() || text_.size() > kTextBytesMax) return;
  if (is_date(name) && is_container(parent(0)) && lastmod_.empty()) lastmod_ = text;
  if (name == "updated" && is_container(parent(0))) lastmod_ = text;  // the later one, with Atom
  if (format_ == SitemapFormat::kUrlset || format_ == SitemapFormat::kIndex) {
    end_sitemap_text(name, text);
  } else {
    end_feed_text(name, text);
  }
}

void SitemapHandler::end_sitemap_text(std::string_view name, std::string_view text) {
  if (name == "loc" && parent(0) == "url") keep(text, EntryKind::kPage);
  if (name == "loc" && parent(0) == "sitemap") keep(text, EntryKind::kSitemap);
  // <sitemap>URL</sitemap>, without <loc>, is met too.
  if (name == "url" && kept_.empty()) keep(text, EntryKind::kPage);
  if (name == "sitemap" && kept_.empty()) keep(text, EntryKind::kSitemap);
  if (name == "loc" && parent(0) == "image") keep(text, EntryKind::kImage);
  const bool video = name == "content_loc" || name == "player_loc" || name == "thumbnail_loc";
  if (video && parent(0) == "video") keep(text, EntryKind::kVideo);
}

void SitemapHandler::end_feed_text(std::string_view name, std::string_view text) {
  const bool holder = parent(0) == "item" || parent(0) == "entry" || parent(0) == "channel";
  if (name == "link" && holder && text_link_) keep(text, EntryKind::kPage);
  if (name == "guid" && parent(0) == "item" && guid_is_link_) permalink_ = text;
}

void SitemapHandler::text(std::string_view text) {
  if (text_.size() <= kTextBytesMax) text_.append(text.substr(0, kTextBytesMax + 1));
}

void SitemapHandler::keep(std::string_view url, EntryKind kind) {
  if (!url.empty()) kept_.emplace_back(url, kind);
}

void SitemapHandler::flush() {
  const bool linked =
      std::ranges::any_of(kept_, [](const auto& one) { return one.second == EntryKind::kPage; });
  if (!linked && ascii_starts_with_ignore_case(permalink_, "http"))
    kept_.emplace_back(permalink_, EntryKind::kPage);
  for (const auto& [url, kind] : kept_) entries_.add(trim_ascii_space(url), lastmod_, kind);
  kept_.clear();
  lastmod_.clear();
  permalink_.clear();
  guid_is_link_ = true;
}

}  // namespace weir::crawler
