// TagScanner: the tags of a page, one after another, with their raw attributes (HTML Standard 13.2.5). Text,
// comments and declarations are passed over; whether a start tag begins raw text (script, style and their
// like) is the tree's business, so the caller says so with enter(). Reads a page in any number of pieces: what
// is not consumed must be given again at the front of the next. Views borrow from the piece. Constant memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "crawler/html/element.h"
#include "crawler/html/tag_skipper.h"

namespace weir::crawler {

// Longer tags (from '<' to '>') are passed over: what a tag's reader must be able to keep.
inline constexpr std::size_t kTagBytesMax = 1 << 20;

enum class RawText : std::uint8_t {
  kNone,
  kElement,   // up to the element's own end tag
  kScript,    // likewise, with the rules of comments in scripts
  kPlaintext  // up to the end of the page
};

struct Tag {
  std::string_view name;  // as written
  Element element = Element::kOther;
  bool end = false;
  bool self_closing = false;
  AttributeValues raw;  // undecoded, of start tags of the elements asked for
};

class TagScanner {
 public:
  enum class Found : std::uint8_t {
    kTag,
    kMore  // nothing more in this piece
  };

  // `collect`: whose attributes are wanted. Borrowed.
  explicit TagScanner(const ElementSet& collect) : collect_(collect) {}

  // `piece` begins with what the last one left over (from consumed() on). `last`: a tag that this piece cuts
  // off is no tag.
  void refill(std::string_view piece, bool last);
  Found next(Tag& tag);
  std::size_t consumed() const { return at_; }

  // After a start tag: its content is raw text. `captured`, when not null, receives the text of kElement.
  void enter(RawText kind, Element element, std::string* captured = nullptr);

  // Where the next tokens are: CDATA sections exist only in foreign content.
  void set_foreign(bool foreign) { foreign_ = foreign; }

  // Until text other than white space has been seen, it is looked for.
  void watch_text() { watches_text_ = true; }
  bool text_seen() const { return text_seen_; }

  // The most attributes that one tag had, the cut off one at the end of the page included.
  std::uint32_t attributes_max() const { return attributes_max_; }
  std::uint32_t tags_skipped() const { return tags_skipped_; }

 private:
  enum class Mode : std::uint8_t { kData, kRawText, kScript, kPlaintext, kComment, kBogus, kCdata, kLongTag };
  enum class Tried : std::uint8_t { kDone, kCutOff };

  bool leave_mode();  // false: the piece ends inside
  Found next_in_data(Tag& tag, bool* again);
  Found cut_off();
  bool open_markup();  // "<!", "<?", "</" that start no tag; false: too little of it is here
  Tried take_tag(Tag& tag);
  Tried take_attributes(Tag& tag, bool collect);
  Tried take_value(std::string_view& value);
  bool leave_comment();
  bool leave_at(std::string_view end);
  bool leave_raw_text();
  bool leave_script();
  bool at_word(std::string_view opening, std::string_view name) const;
  bool may_continue(std::size_t needed) const { return !last_ && piece_.size() - at_ < needed; }
  void skip_spaces();
  void note_text(std::string_view text);

  const ElementSet& collect_;
  std::string_view piece_;
  std::size_t at_ = 0;
  std::size_t comment_start_ = 0;  // first byte behind "<!--"
  std::string_view raw_name_;      // of the element whose raw text this is
  std::string* captured_ = nullptr;
  TagSkipper skipper_;
  std::uint32_t attributes_max_ = 0;
  std::uint32_t tags_skipped_ = 0;
  Mode mode_ = Mode::kData;
  bool last_ = false;
  bool foreign_ = false;
  bool escaped_ = false;  // script: behind "<!--"
  bool nested_ = false;   // script: behind a "<script" in there
  bool watches_text_ = false;
  bool text_seen_ = false;
};

}  // namespace weir::crawler
