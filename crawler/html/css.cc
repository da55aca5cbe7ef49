// See css.h. One pass over the characters; what is read is decoded into one buffer, which the callback borrows.
#include "crawler/html/css.h"

#include <string>

#include "crawler/html/ascii.h"
#include "crawler/html/utf8.h"

namespace weir::crawler {
namespace {

bool is_name_character(char c) {
  return is_ascii_alnum(c) || c == '-' || c == '_' || c == '\\' || static_cast<unsigned char>(c) >= 0x80;
}

class CssReader {
 public:
  using Found = std::function<void(std::string_view, bool)>;

  CssReader(std::string_view css, const Found& found) : css_(css), found_(found) {}

  void run() {
    while (at_ < css_.size()) {
      const char c = css_[at_];
      if (c == '/' && css_.substr(at_).starts_with("/*")) {
        skip_comment();
      } else if (c == '"' || c == '\'') {
        read_string();
        if (importing_) report(true);
        importing_ = false;
      } else if (c == '@' || is_name_character(c)) {
        read_word();
      } else {
        if (!is_ascii_space(c)) importing_ = false;
        ++at_;
      }
    }
  }

 private:
  static constexpr std::size_t kHexDigitsMax = 6;

  void skip_comment() {
    const std::size_t end = css_.find("*/", at_ + 2);
    at_ = end == std::string_view::npos ? css_.size() : end + 2;
  }

  void read_word() {
    const std::size_t start = at_++;
    while (at_ < css_.size() && is_name_character(css_[at_])) ++at_;
    const std::string_view word = css_.substr(start, at_ - start);
    const bool function = at_ < css_.size() && css_[at_] == '(';
    if (function && (ascii_equal_ignore_case(word, "url") || ascii_equal_ignore_case(word, "src"))) {
      ++at_;
      read_url();
      return;
    }
    importing_ = ascii_equal_ignore_case(word, "@import");
  }

  // Behind "url(".
  void read_url() {
    skip_spaces();
    if (at_ < css_.size() && (css_[at_] == '"' || css_[at_] == '\'')) {
      read_string();
      report(importing_);
    } else if (read_bare_url()) {
      report(importing_);
    }
    importing_ = false;
  }

  // Up to the ')'. White space inside, quotes and parentheses make it no URL.
  bool read_bare_url() {
    text_.clear();
    while (at_ < css_.size()) {
      const char c = css_[at_];
      if (c == ')') {
        ++at_;
        return true;
      }
      if (is_ascii_space(c)) {
        skip_spaces();
        if (at_ >= css_.size()) return true;
        if (css_[at_] == ')') continue;
        return skip_bad_url();
      }
      if (c == '"' || c == '\'' || c == '(') return skip_bad_url();
      take_character();
    }
    return true;
  }

  bool skip_bad_url() {
    const std::size_t end = css_.find(')', at_);
    at_ = end == std::string_view::npos ? css_.size() : end + 1;
    return false;
  }

  // At the opening quote. A line end closes a string that was not closed.
  void read_string() {
    text_.clear();
    const char quote = css_[at_++];
    while (at_ < css_.size() && css_[at_] != quote && css_[at_] != '\n') take_character();
    if (at_ < css_.size() && css_[at_] == quote) ++at_;
  }

  void take_character() {
    if (css_[at_] != '\\') {
      text_.push_back(css_[at_++]);
      return;
    }
    ++at_;
    if (at_ >= css_.size()) return;
    if (css_[at_] == '\n') {
      ++at_;
    } else if (is_hex_digit(css_[at_])) {
      take_escaped_number();
    } else {
      text_.push_back(css_[at_++]);
    }
  }

  void take_escaped_number() {
    char32_t number = 0;
    for (std::size_t i = 0; i < kHexDigitsMax && at_ < css_.size() && is_hex_digit(css_[at_]); ++i, ++at_)
      number = number * 16 + static_cast<char32_t>(hex_value(css_[at_]));
    if (at_ < css_.size() && is_ascii_space(css_[at_])) ++at_;
    const bool bad = number == 0 || number > 0x10FFFF || (number >= 0xD800 && number <= 0xDFFF);
    append_utf8(text_, bad ? kReplacementCharacter : number);
  }

  void skip_spaces() {
    while (at_ < css_.size() && is_ascii_space(css_[at_])) ++at_;
  }

  void report(bool imported) {
    if (!text_.empty()) found_(text_, imported);
  }

  std::string_view css_;
  const Found& found_;
  std::size_t at_ = 0;
  std::string text_;        // of the URL or string at hand
  bool importing_ = false;  // behind "@import"
};

}  // namespace

void find_css_urls(std::string_view css, const std::function<void(std::string_view, bool)>& found) {
  CssReader(css, found).run();
}

void read_style_sheet(std::string_view css, Extraction& out) {
  out.clear();
  find_css_urls(css, [&](std::string_view url, bool imported) {
    out.limited = out.links.size() >= kStyleSheetLinksMax;
    if (out.limited) return;
    out.add(url, {}, {.kind = LinkKind::kRequisite, .tag = "css", .attribute = imported ? "@import" : "url"});
  });
}

}  // namespace weir::crawler
