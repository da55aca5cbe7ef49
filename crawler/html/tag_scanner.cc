// See tag_scanner.h. at_ only grows, and every search that fails ends the page, so the whole is linear.
#include "crawler/html/tag_scanner.h"

#include <algorithm>
#include <array>

#include "crawler/html/ascii.h"

namespace weir::crawler {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

// Elements whose content is text up to their own end tag.
constexpr std::array<std::string_view, 7> kRawText = {"style",  "textarea", "title",   "xmp",
                                                      "iframe", "noembed",  "noframes"};

bool is_foreign_root(std::string_view name) {
  return ascii_equal_ignore_case(name, "svg") || ascii_equal_ignore_case(name, "math");
}

}  // namespace

bool TagScanner::next(Tag& tag) {
  while (true) {
    at_ = html_.find('<', at_);
    if (at_ == kNone || at_ + 1 >= html_.size()) {
      at_ = html_.size();
      return false;
    }
    const char after = html_[at_ + 1];
    const bool end = after == '/' && at_ + 2 < html_.size() && is_ascii_alpha(html_[at_ + 2]);
    if (is_ascii_alpha(after) || end) return take_tag(tag);
    if (after == '!' || after == '?' || after == '/') {
      skip_markup();
    } else {
      ++at_;
    }
  }
}

bool TagScanner::take_tag(Tag& tag) {
  tag = {};
  tag.end = html_[at_ + 1] == '/';
  at_ += tag.end ? 2 : 1;
  const std::size_t start = at_;
  while (at_ < html_.size() && !is_ascii_space(html_[at_]) && html_[at_] != '/' && html_[at_] != '>') ++at_;
  tag.name = html_.substr(start, at_ - start);
  const bool collect =
      attributes_ == Attributes::kCollect && !tag.end && find_element(tag.name) != Element::kOther;
  if (!take_attributes(tag, collect)) {
    at_ = html_.size();
    return false;
  }
  if (!tag.end) {
    note_start(tag);
  } else if (foreign() && is_foreign_root(tag.name)) {
    --foreign_depth_;
  }
  return true;
}

// Up to and with the '>'. False: the page ends before.
bool TagScanner::take_attributes(Tag& tag, bool collect) {
  for (std::uint32_t count = 0;; ++count) {
    attributes_max_ = std::max(attributes_max_, count);
    while (at_ < html_.size() && (is_ascii_space(html_[at_]) || html_[at_] == '/')) {
      tag.self_closing = html_[at_] == '/';
      ++at_;
    }
    if (at_ >= html_.size()) return false;
    if (html_[at_] == '>') {
      ++at_;
      return true;
    }
    tag.self_closing = false;
    const std::size_t start = at_++;  // even '=' may begin a name
    while (at_ < html_.size() && !is_ascii_space(html_[at_]) && html_[at_] != '/' && html_[at_] != '>' &&
           html_[at_] != '=') {
      ++at_;
    }
    const std::string_view name = html_.substr(start, at_ - start);
    std::string_view value;
    if (!take_value(value)) return false;
    if (!collect) continue;
    const Attribute which = find_attribute(name);
    if (which != Attribute::kOther) tag.raw.set_first(which, value);
  }
}

// What follows an attribute's name, if it is '=' and a value.
bool TagScanner::take_value(std::string_view& value) {
  skip_spaces();
  if (at_ >= html_.size()) return false;
  if (html_[at_] != '=') return true;
  ++at_;
  skip_spaces();
  if (at_ >= html_.size()) return false;
  const char quote = html_[at_];
  if (quote == '>') return true;
  if (quote == '"' || quote == '\'') {
    const std::size_t end = html_.find(quote, at_ + 1);
    if (end == kNone) return false;
    value = html_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return true;
  }
  const std::size_t start = at_;
  while (at_ < html_.size() && !is_ascii_space(html_[at_]) && html_[at_] != '>') ++at_;
  value = html_.substr(start, at_ - start);
  return at_ < html_.size();
}

void TagScanner::skip_spaces() {
  while (at_ < html_.size() && is_ascii_space(html_[at_])) ++at_;
}

void TagScanner::skip_past(std::string_view end, std::size_t from) {
  const std::size_t found = html_.find(end, from);
  at_ = found == kNone ? html_.size() : found + end.size();
}

void TagScanner::skip_markup() {
  const std::string_view rest = html_.substr(at_);
  if (rest.starts_with("<!--")) return skip_comment();
  if (foreign() && rest.starts_with("<![CDATA[")) return skip_past("]]>", at_ + 9);
  skip_past(">", at_ + 2);
}

// "<!-->" and "<!--->" are whole comments; "--!>" ends one too.
void TagScanner::skip_comment() {
  at_ += 4;
  const std::string_view rest = html_.substr(at_);
  if (rest.starts_with('>') || rest.starts_with("->")) return skip_past(">", at_);
  while (true) {
    at_ = html_.find("--", at_);
    if (at_ == kNone) {
      at_ = html_.size();
      return;
    }
    const std::string_view tail = html_.substr(at_ + 2);
    if (tail.starts_with('>') || tail.starts_with("!>")) return skip_past(">", at_);
    ++at_;
  }
}

void TagScanner::note_start(const Tag& tag) {
  if (is_foreign_root(tag.name)) {
    if (!tag.self_closing) ++foreign_depth_;
    return;
  }
  if (ascii_equal_ignore_case(tag.name, "plaintext")) {
    at_ = html_.size();
  } else if (ascii_equal_ignore_case(tag.name, "script")) {
    if (!(foreign() && tag.self_closing)) skip_script();
  } else if (std::ranges::any_of(kRawText, [&](auto raw) { return ascii_equal_ignore_case(tag.name, raw); })) {
    if (!(foreign() && tag.self_closing)) skip_raw_text(tag.name);
  }
}

// "</style" means its end only before white space, '/' or '>'.
bool TagScanner::at_word(std::string_view opening, std::string_view name) const {
  const std::string_view rest = html_.substr(at_);
  if (!rest.starts_with(opening)) return false;
  const std::string_view word = rest.substr(opening.size());
  if (word.size() <= name.size() || !ascii_starts_with_ignore_case(word, name)) return false;
  const char after = word[name.size()];
  return is_ascii_space(after) || after == '/' || after == '>';
}

bool TagScanner::at_end_tag(std::string_view name) const { return at_word("</", name); }

void TagScanner::skip_raw_text(std::string_view name) {
  while ((at_ = html_.find('<', at_)) != kNone) {
    if (at_end_tag(name)) return;
    ++at_;
  }
  at_ = html_.size();
}

// Script may hold "<!-- <script> ... </script> -->", whose inner end tag does not end it (13.2.5.17-31).
void TagScanner::skip_script() {
  bool escaped = false;
  bool nested = false;
  while ((at_ = html_.find_first_of("<-", at_)) != kNone) {
    if (at_end_tag("script")) {
      if (!nested) return;
      nested = false;
    } else if (!escaped && html_.substr(at_).starts_with("<!--")) {
      escaped = true;
      at_ += 2;  // its dashes may already be those of "-->"
      continue;
    } else if (escaped && html_.substr(at_).starts_with("-->")) {
      escaped = nested = false;
    } else if (escaped && at_word("<", "script")) {
      nested = true;
    }
    ++at_;
  }
  at_ = html_.size();
}

}  // namespace weir::crawler
