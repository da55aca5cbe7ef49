// The XML formats of sitemap.h as one handler: an element means something by its own name and its parent's,
// whatever their namespaces; entries of one <url>, <item> or <entry> share its date. Internal to
// crawler/sitemap.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crawler/sitemap/sitemap.h"
#include "crawler/xml/xml_parser.h"

namespace weir::crawler {

// Where entries go: resolves, checks, counts and bounds them.
class SitemapEntries {
 public:
  // Borrowed; `base` may be null.
  SitemapEntries(const frontier::Url* base, std::size_t entries_max, Sitemap& sitemap)
      : base_(base), entries_max_(entries_max), sitemap_(sitemap) {}

  void add(std::string_view url, std::string_view lastmod, EntryKind kind);
  void set_base(const frontier::Url* base) { base_ = base; }
  const frontier::Url* base() const { return base_; }
  bool full() const { return sitemap_.limited && sitemap_.entries.size() >= entries_max_; }

 private:
  const frontier::Url* base_;
  const std::size_t entries_max_;
  Sitemap& sitemap_;
};

class SitemapHandler final : public XmlHandler {
 public:
  explicit SitemapHandler(SitemapEntries& entries) : entries_(entries) {}

  bool start(const XmlName& name, std::span<const XmlAttribute> attributes) override;
  bool end(const XmlName& name) override;
  void text(std::string_view text) override;

  // After the last event: what a cut document left open.
  void finish() { flush(); }
  SitemapFormat format() const { return format_; }

 private:
  static constexpr std::size_t kTextBytesMax = 64 << 10;  // of one element; longer is no URL

  struct Open {
    std::string name;                         // lower case
    std::optional<frontier::Url> outer_base;  // what xml:base here has replaced
    bool moves_base = false;
  };

  std::string_view parent(std::size_t steps) const;
  void enter_base(std::string_view value, Open& open);
  void start_link(std::span<const XmlAttribute> attributes);
  void end_text(std::string_view name);
  void end_sitemap_text(std::string_view name, std::string_view text);
  void end_feed_text(std::string_view name, std::string_view text);
  void keep(std::string_view url, EntryKind kind);
  void flush();

  SitemapEntries& entries_;
  SitemapFormat format_ = SitemapFormat::kUnknown;
  std::vector<Open> open_;
  std::optional<frontier::Url> base_;  // of xml:base
  std::string text_;
  std::vector<std::pair<std::string, EntryKind>> kept_;  // of the entry at hand
  std::string lastmod_;
  std::string permalink_;  // of an RSS item: its guid, for want of a link
  bool guid_is_link_ = true;
  bool text_link_ = true;  // the text of the <link> at hand may be the entry's page
};

}  // namespace weir::crawler
