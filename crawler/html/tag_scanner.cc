// See tag_scanner.h. at_ only grows, and every search that fails ends the piece, so the whole is linear.
#include "crawler/html/tag_scanner.h"

#include <algorithm>
#include <array>

#include "crawler/html/ascii.h"

namespace weir::crawler {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::string_view kCdataOpening = "<![CDATA[";

// Classes of bytes inside a tag.
constexpr std::uint8_t kEndsName = 1;   // white space / > of a tag's name; of an attribute's name also =
constexpr std::uint8_t kEndsValue = 2;  // white space and > end a value without quotes

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (const char c : kAsciiSpaces) classes[static_cast<unsigned char>(c)] = kEndsName | kEndsValue;
  classes['/'] = kEndsName;
  classes['>'] = kEndsName | kEndsValue;
  return classes;
}
constexpr std::array<std::uint8_t, 256> kClasses = make_classes();

bool has_class(char c, std::uint8_t which) { return (kClasses[static_cast<unsigned char>(c)] & which) != 0; }

}  // namespace

void TagScanner::refill(std::string_view piece, bool last) {
  comment_start_ -= std::min(comment_start_, at_);
  piece_ = piece;
  at_ = 0;
  last_ = last;
}

void TagScanner::enter(RawText kind, Element element, std::string* captured) {
  raw_name_ = name_of(element);
  captured_ = captured;
  escaped_ = nested_ = false;
  switch (kind) {
    case RawText::kNone: mode_ = Mode::kData; return;
    case RawText::kElement: mode_ = Mode::kRawText; return;
    case RawText::kScript: mode_ = Mode::kScript; return;
    case RawText::kPlaintext: mode_ = Mode::kPlaintext; return;
  }
}

TagScanner::Found TagScanner::next(Tag& tag) {
  while (true) {
    if (mode_ != Mode::kData && !leave_mode()) return Found::kMore;
    const std::size_t found = piece_.find('<', at_);
    const std::size_t text_end = std::min(found, piece_.size());
    if (watches_text_ && !text_seen_) note_text(piece_.substr(at_, text_end - at_));
    at_ = text_end;
    if (found == kNone) return Found::kMore;
    if (at_ + 1 >= piece_.size()) return cut_off();
    const char after = piece_[at_ + 1];
    if (is_ascii_alpha(after) || (after == '/' && at_ + 2 < piece_.size() && is_ascii_alpha(piece_[at_ + 2]))) {
      const std::size_t start = at_;
      if (take_tag(tag) == Tried::kCutOff) {
        at_ = start;
        return cut_off();
      }
      if (at_ - start <= kTagBytesMax) return Found::kTag;
      ++tags_skipped_;
    } else if (after == '!' || after == '?' || after == '/') {
      if (!open_markup()) return cut_off();
    } else {
      if (watches_text_) text_seen_ = true;
      ++at_;
    }
  }
}

// The piece ends inside a tag, or before it is clear what begins here. At the end of the page that is nothing.
TagScanner::Found TagScanner::cut_off() {
  if (last_) {
    at_ = piece_.size();
  } else if (piece_.size() - at_ > kTagBytesMax) {
    ++tags_skipped_;
    mode_ = Mode::kLongTag;
    skipper_.start();
    ++at_;
    leave_mode();
  }
  return Found::kMore;
}

bool TagScanner::leave_mode() {
  switch (mode_) {
    case Mode::kData: return true;
    case Mode::kRawText: return leave_raw_text();
    case Mode::kScript: return leave_script();
    case Mode::kPlaintext: at_ = piece_.size(); return false;
    case Mode::kComment: return leave_comment();
    case Mode::kBogus: return leave_at(">");
    case Mode::kCdata: return leave_at("]]>");
    case Mode::kLongTag: {
      bool ended = false;
      at_ += skipper_.skip(piece_.substr(at_), &ended);
      if (ended) mode_ = Mode::kData;
      return ended;
    }
  }
  return true;
}

bool TagScanner::open_markup() {
  const std::string_view rest = piece_.substr(at_);
  if (rest.starts_with("<!--")) {
    mode_ = Mode::kComment;
    at_ += 2;  // "<!-->" and "<!--->" are whole comments: the opening's dashes count as those of the end
    comment_start_ = at_ + 2;
    return true;
  }
  if (rest[1] == '!' && may_continue(kCdataOpening.size()) &&
      (std::string_view("<!--").starts_with(rest) || (foreign_ && kCdataOpening.starts_with(rest)))) {
    return false;
  }
  if (foreign_ && rest.starts_with(kCdataOpening)) {
    mode_ = Mode::kCdata;
    at_ += kCdataOpening.size();
    return true;
  }
  if (rest[1] == '/' && rest.size() < 3) return false;
  mode_ = Mode::kBogus;
  at_ += 2;
  return true;
}

// Up to and with the '>' of the tag at at_.
TagScanner::Tried TagScanner::take_tag(Tag& tag) {
  tag.end = piece_[at_ + 1] == '/';
  tag.self_closing = false;
  tag.raw.clear();
  at_ += tag.end ? 2 : 1;
  const std::size_t start = at_;
  while (at_ < piece_.size() && !has_class(piece_[at_], kEndsName)) ++at_;
  tag.name = piece_.substr(start, at_ - start);
  tag.element = find_element(tag.name);
  return take_attributes(tag, !tag.end && collect_.has(tag.element));
}

TagScanner::Tried TagScanner::take_attributes(Tag& tag, bool collect) {
  for (std::uint32_t count = 0;; ++count) {
    attributes_max_ = std::max(attributes_max_, count);
    while (at_ < piece_.size() && (is_ascii_space(piece_[at_]) || piece_[at_] == '/')) {
      tag.self_closing = piece_[at_] == '/';
      ++at_;
    }
    if (at_ >= piece_.size()) return Tried::kCutOff;
    if (piece_[at_] == '>') {
      ++at_;
      return Tried::kDone;
    }
    tag.self_closing = false;
    const std::size_t start = at_++;  // even '=' may begin a name
    while (at_ < piece_.size() && !has_class(piece_[at_], kEndsName) && piece_[at_] != '=') ++at_;
    const std::string_view name = piece_.substr(start, at_ - start);
    std::string_view value;
    if (take_value(value) == Tried::kCutOff) return Tried::kCutOff;
    if (!collect) continue;
    const Attribute which = find_attribute(name);
    if (which != Attribute::kOther) tag.raw.set_first(which, value);
  }
}

// What follows an attribute's name, if it is '=' and a value.
TagScanner::Tried TagScanner::take_value(std::string_view& value) {
  skip_spaces();
  if (at_ >= piece_.size()) return Tried::kCutOff;
  if (piece_[at_] != '=') return Tried::kDone;
  ++at_;
  skip_spaces();
  if (at_ >= piece_.size()) return Tried::kCutOff;
  const char quote = piece_[at_];
  if (quote == '>') return Tried::kDone;
  if (quote == '"' || quote == '\'') {
    const std::size_t end = piece_.find(quote, at_ + 1);
    if (end == kNone) return Tried::kCutOff;
    value = piece_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return Tried::kDone;
  }
  const std::size_t start = at_;
  while (at_ < piece_.size() && !has_class(piece_[at_], kEndsValue)) ++at_;
  value = piece_.substr(start, at_ - start);
  return at_ < piece_.size() ? Tried::kDone : Tried::kCutOff;
}

void TagScanner::skip_spaces() {
  while (at_ < piece_.size() && is_ascii_space(piece_[at_])) ++at_;
}

// NUL is dropped from text before it can matter.
void TagScanner::note_text(std::string_view text) {
  text_seen_ = text.find_first_not_of(std::string_view(" \t\n\f\r\0", 6)) != kNone;
}

// "--!>" ends a comment too, but not with the dashes of the opening.
bool TagScanner::leave_comment() {
  while ((at_ = piece_.find("--", at_)) != kNone) {
    const std::string_view tail = piece_.substr(at_ + 2);
    if (tail.starts_with('>') || (tail.starts_with("!>") && at_ >= comment_start_)) {
      at_ += tail[0] == '>' ? 3u : 4u;
      mode_ = Mode::kData;
      return true;
    }
    if (tail.size() < 2 && !last_) return false;
    ++at_;
  }
  at_ = piece_.size();
  if (!last_ && piece_.ends_with('-')) --at_;
  return false;
}

// Up to and with `end`, of which a part may stand at the end of the piece.
bool TagScanner::leave_at(std::string_view end) {
  const std::size_t found = piece_.find(end, at_);
  if (found != kNone) {
    at_ = found + end.size();
    mode_ = Mode::kData;
    return true;
  }
  const std::size_t keep = last_ ? 0 : end.size() - 1;
  at_ = std::max(at_, piece_.size() - std::min(piece_.size(), keep));
  return false;
}

// "</style" means its end only before white space, '/' or '>'.
bool TagScanner::at_word(std::string_view opening, std::string_view name) const {
  const std::string_view rest = piece_.substr(at_);
  if (!rest.starts_with(opening)) return false;
  const std::string_view word = rest.substr(opening.size());
  return word.size() > name.size() && ascii_starts_with_ignore_case(word, name) &&
         has_class(word[name.size()], kEndsName);
}

bool TagScanner::leave_raw_text() {
  const std::size_t start = at_;
  bool ended = false;
  while (!ended && (at_ = std::min(piece_.find('<', at_), piece_.size())) < piece_.size()) {
    if (may_continue(raw_name_.size() + 3)) break;  // "</", the name, and what ends it
    ended = at_word("</", raw_name_);
    if (!ended) ++at_;
  }
  if (captured_ != nullptr && captured_->size() < kTagBytesMax)
    captured_->append(piece_.substr(start, at_ - start));
  if (ended) mode_ = Mode::kData;
  return ended;
}

// Script may hold "<!-- <script> ... </script> -->", whose inner end tag does not end it (13.2.5.17-31).
bool TagScanner::leave_script() {
  constexpr std::string_view kLongest = "</script>";
  while ((at_ = std::min(piece_.find_first_of(escaped_ ? "<-" : "<", at_), piece_.size())) < piece_.size()) {
    if (may_continue(kLongest.size())) return false;
    if (at_word("</", "script")) {
      if (!nested_) {
        mode_ = Mode::kData;
        return true;
      }
      nested_ = false;
    } else if (!escaped_ && piece_.substr(at_).starts_with("<!--")) {
      escaped_ = true;
      at_ += 2;  // its dashes may already be those of "-->"
      continue;
    } else if (escaped_ && piece_.substr(at_).starts_with("-->")) {
      escaped_ = nested_ = false;
    } else if (escaped_ && at_word("<", "script")) {
      nested_ = true;
    }
    ++at_;
  }
  return false;
}

}  // namespace weir::crawler
