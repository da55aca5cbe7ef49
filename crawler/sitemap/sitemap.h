// Sitemaps and feeds: lists of URLs that a site publishes. Sitemap protocol 0.9 (urlset and index, with the
// image, video, news and hreflang extensions), RSS 0.9x, 1.0 and 2.0, Atom (RFC 4287), plain text; each may be
// gzip. Read as the web writes them: any namespace or none, bare ampersands, cut files. Pure; memory: the
// document and its entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontier/url/url.h"

namespace weir::crawler {

enum class SitemapFormat : std::uint8_t {
  kUnknown,  // nothing of the kind
  kUrlset,
  kIndex,
  kRss,  // 0.9x, 1.0, 2.0
  kAtom,
  kText,
  kXhtml  // a page that came as XML
};

enum class EntryKind : std::uint8_t {
  kPage,
  kSitemap,    // of an index
  kAlternate,  // the page in another language
  kImage,
  kVideo,      // content, player or thumbnail
  kEnclosure,  // of a feed's entry: a podcast's file
  kFeed        // the feed itself, or its next part
};

std::string_view entry_kind_name(EntryKind kind);  // "page", "sitemap", ...

struct SitemapEntry {
  std::string url;      // absolute, as parsed
  std::string lastmod;  // as written; empty: none
  EntryKind kind = EntryKind::kPage;
};

struct Sitemap {
  SitemapFormat format = SitemapFormat::kUnknown;
  std::vector<SitemapEntry> entries;  // in order of the document
  std::size_t invalid = 0;            // that were no http or https URL
  bool limited = false;               // more entries or bytes than are read
  std::string problem;  // empty: well formed; else what is wrong where: entries before it are here
};

struct SitemapLimits {
  std::size_t entries_max = 50'000;   // the protocol's own
  std::size_t bytes_max = 50u << 20;  // likewise, unpacked
};

// `charset` is that of Content-Type; may be empty. `base` is the document's own URL, for feeds with relative
// links; null: they are invalid.
Sitemap read_sitemap(std::string_view body, std::string_view charset, const frontier::Url* base,
                     const SitemapLimits& limits = {});

// Does it begin as gzip does?
bool is_gzip(std::string_view body);

}  // namespace weir::crawler
