// TagScanner: the tags of a page, one after another, with their raw attributes; text, comments, declarations
// and the content of script, style and their like are passed over as the HTML tokenizer would (HTML Standard
// 13.2.5). No tree, no nesting, constant memory, one pass. Views borrow from the page.
#pragma once

#include <cstdint>
#include <string_view>

#include "crawler/html/element.h"

namespace weir::crawler {

struct Tag {
  std::string_view name;  // as written
  bool end = false;
  bool self_closing = false;
  AttributeValues raw;  // undecoded; of start tags whose element carries links, otherwise empty
};

class TagScanner {
 public:
  enum class Attributes : std::uint8_t { kSkip, kCollect };

  TagScanner(std::string_view html, Attributes attributes) : html_(html), attributes_(attributes) {}

  // False at the end. A tag that the end of the page cuts off is no tag.
  bool next(Tag& tag);

  // The most attributes that one tag had, the cut off one at the end of the page included.
  std::uint32_t attributes_max() const { return attributes_max_; }

  // Inside svg or math, where CDATA sections exist.
  bool foreign() const { return foreign_depth_ > 0; }

 private:
  bool take_tag(Tag& tag);
  bool take_attributes(Tag& tag, bool collect);
  bool take_value(std::string_view& value);
  void skip_markup();  // from "<!" or "<?" or "</" that starts no tag
  void skip_comment();
  void skip_past(std::string_view end, std::size_t from);
  void skip_spaces();
  void note_start(const Tag& tag);
  void skip_raw_text(std::string_view name);
  void skip_script();
  bool at_end_tag(std::string_view name) const;
  bool at_word(std::string_view opening, std::string_view name) const;

  std::string_view html_;
  std::size_t at_ = 0;
  std::uint32_t foreign_depth_ = 0;
  std::uint32_t attributes_max_ = 0;
  Attributes attributes_;
};

}  // namespace weir::crawler
