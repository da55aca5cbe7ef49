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

struct Link {
  std::string raw;             // attribute value after character references, as written (not resolved)
  std::string_view tag;        // lower-case element name: static storage
  std::string_view attribute;  // likewise
  std::string rel;             // as written; empty when absent
  bool nofollow = false;       // rel has nofollow, ugc or sponsored... only "nofollow" counts
  bool page = true;            // false: a requisite (stylesheet, icon, script)
};

struct Extraction {
  std::vector<Link> links;  // in document order, repeats included
  std::string base;         // raw href of the first <base href>; empty: none
  bool nofollow = false;    // <meta name=robots content=nofollow|none>
  bool noindex = false;
  bool limited = false;  // the page ran into a guard (depth, bytes, time): links of the readable part
};

struct ExtractorLimits {
  std::uint32_t tree_depth_max = 512;  // deeper pages go to the flat scanner (facts: gumbo is quadratic)
  std::uint64_t arena_bytes_max = 256u << 20;  // memory of one parse
  Duration deadline = std::chrono::seconds(10);
  std::uint32_t links_max = 50'000;  // more are dropped and the page is marked limited
};

class Extractor {
 public:
  virtual ~Extractor() = default;
  virtual Extraction extract(std::string_view utf8) = 0;
};

}  // namespace weir::crawler
