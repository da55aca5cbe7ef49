// StreamExtractor: links of a page from its tags alone, without a tree, in one pass and constant memory
// (besides the links): TagScanner finds the tags, TreeContext says what a tree builder would make of them,
// LinkCollector takes the links. It can be fed while the page arrives. One per fetcher thread, reused page
// after page. Where it can differ from a tree builder: docs/extraction.md.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "crawler/html/extractor.h"
#include "crawler/html/link_collector.h"
#include "crawler/html/tag_scanner.h"
#include "crawler/html/tree_context.h"

namespace weir::crawler {

class StreamExtractor final : public Extractor {
 public:
  explicit StreamExtractor(const ExtractorLimits& limits);

  void extract(std::string_view utf8, Extraction& out) override;

  // The same page in any number of pieces of any size: start, feed for each, finish. `out` is borrowed from
  // start to finish. Keeps at most a tag (kTagBytesMax) between two pieces.
  void start(Extraction& out);
  void feed(std::string_view piece);
  void finish();

 private:
  // What one page needs.
  struct Page {
    Page(const ElementSet& wanted, const ExtractorLimits& limits, Extraction& links)
        : scanner(wanted), collector(limits, links), out(links) {}
    TagScanner scanner;
    TreeContext context;
    LinkCollector collector;
    Extraction& out;
  };

  void run(std::string_view piece, bool last);
  void take_start_tag(const Tag& tag);
  const AttributeValues& decode(const AttributeValues& raw);
  void end_style();

  const ExtractorLimits limits_;
  const ElementSet wanted_;   // whose attributes the scanner collects
  const ElementSet linking_;  // those of them that may hold a link
  std::optional<Page> page_;
  std::string left_over_;  // of the last piece
  std::string style_;      // text of the <style> element at hand
  bool in_style_ = false;
  Tag tag_;
  AttributeValues values_;
  std::array<std::string, kAttributeCount> buffers_;  // decoded values of one tag
};

}  // namespace weir::crawler
