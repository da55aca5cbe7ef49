// Extractor: bytes of a page in, links out. One interface, so that engines can be swapped ([parse] engine).
// Input is UTF-8 (crawler/html/charset.h transcodes first). Stateless between calls; one per fetcher thread,
// whose stack must be at least limits::kParserStackBytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace weir::crawler {

enum class LinkKind : std::uint8_t {
  kPage,  // a place to go: a, area, frames, meta refresh, link rel=next|canonical|alternate..., forms that GET
  kRequisite,  // part of how the page looks or runs: images, media, style sheets, scripts, icons
  kReference   // named, not shown: cite, longdesc, ping, profile
};

std::string_view link_kind_name(LinkKind kind);  // "page", "requisite", "reference"

struct Link {
  std::uint32_t at = 0;  // of its text in Extraction::text
  std::uint32_t length = 0;
  std::uint32_t rel_length = 0;  // rel follows the text
  LinkKind kind = LinkKind::kPage;
  bool nofollow = false;       // rel has the word nofollow
  std::string_view tag;        // lower-case element name, "http" for a header field: static storage
  std::string_view attribute;  // likewise
};

// What a page says. Meant to be reused: clear() keeps the memory.
struct Extraction {
  std::vector<Link> links;  // in document order, repeats included
  std::string text;         // of all links, one after another
  std::string base;         // raw href of the first <base href>; empty: none
  bool nofollow = false;    // <meta name=robots content=nofollow|none>
  bool noindex = false;
  bool limited = false;  // the page ran into a guard (depth, bytes, time): links of the readable part

  // Attribute value after character references, as written (not resolved).
  std::string_view raw(const Link& link) const { return std::string_view(text).substr(link.at, link.length); }
  // As written; empty when absent.
  std::string_view rel(const Link& link) const {
    return std::string_view(text).substr(link.at + link.length, link.rel_length);
  }
  // `link` needs no positions; they are filled in.
  void add(std::string_view raw, std::string_view rel, Link link);
  void clear();
};

struct ExtractorLimits {
  std::uint32_t tree_depth_max = 512;  // deeper pages are not given to gumbo, which is quadratic in depth
  std::uint64_t arena_bytes_max = 256u << 20;  // memory of one parse
  Duration deadline = std::chrono::seconds(10);
  std::uint32_t links_max = 200'000;  // more are dropped and the page is marked limited
  bool requisites = true;             // collect links of that kind; false spares the work
  bool references = true;             // likewise
};

class Extractor {
 public:
  virtual ~Extractor() = default;

  // Replaces `out` by the links of the page. Cannot fail: bad markup is read as browsers read it.
  virtual void extract(std::string_view utf8, Extraction& out) = 0;
};

}  // namespace weir::crawler
