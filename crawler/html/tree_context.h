// TreeContext: what a tree builder would make of a tag, without the tree (HTML Standard 13.2.6, scripting off):
// is it dropped (inside <select>, outside a <table>, in a frameset), is it in a template, is it SVG or MathML,
// does raw text follow, does a frameset throw the body away? Fed with every tag in order. Memory: constant.
// What it cannot know: which HTML elements are open outside of foreign content. docs/extraction.md lists what
// follows from that. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "crawler/html/foreign_stack.h"
#include "crawler/html/tag_scanner.h"

namespace weir::crawler {

struct Placement {
  bool in_page = false;  // becomes an element of the page, not of a template
  Namespace space = Namespace::kHtml;
  RawText content = RawText::kNone;
  bool opens_body = false;  // the first element of the body
  bool drops_body = false;  // a frameset in the body's place: forget what the body held
};

class TreeContext {
 public:
  // `text_before`: text other than white space has come before this tag (anywhere in the page so far).
  Placement start(const Tag& tag, bool text_before);
  void end(const Tag& tag);

  bool in_foreign_content() const { return foreign_.innermost_is_foreign(); }

 private:
  static constexpr std::size_t kNestedMax = 512;  // templates, tables; deeper ones count as the innermost kept

  enum class Phase : std::uint8_t { kHead, kBody, kFrameset, kAfterFrameset };

  // What is closed together with a template.
  struct Template {
    bool select = false;
    std::size_t tables = 0;
    std::size_t foreign = 0;
  };

  Placement start_html(const Tag& tag);
  Placement start_in_frameset(const Tag& tag);
  bool taken_in_select(const Tag& tag);
  bool start_frameset();
  bool taken(const Tag& tag);
  bool open_form();
  void note_table_part(Element element);
  void open_template();
  void close_template();
  void end_html(Element element);
  bool in_table() const { return !cells_.empty(); }
  bool in_template() const { return !templates_.empty(); }

  Phase phase_ = Phase::kHead;
  bool head_seen_ = false;  // the head element is there, written or implied
  bool frameset_ok_ = true;
  bool select_ = false;
  bool form_ = false;
  std::uint32_t framesets_ = 0;  // open ones
  std::vector<bool> cells_;      // of each open table: inside a cell or caption of it?
  std::vector<Template> templates_;
  ForeignStack foreign_;
};

}  // namespace weir::crawler
