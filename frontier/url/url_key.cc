// The always-on rules, in one pass over the wire form. Only two of them rewrite text, and both only touch
// escapes, so everything between two '%' is copied at once.
//
// A '%' in a path that begins no escape is written as the wire form sends it, "%25".
//
// One pass must be enough for ever. Elsewhere decoding can make a new escape where a '%' that begins none
// stands right before: "?%%34%31" would become "?%41". There the hexadecimal digit stays escaped
// (leaves_escape_alone). It can make no dot segment: the parser has resolved "%2e" already.
#include "frontier/url/url_key.h"

#include <algorithm>
#include <array>

#include "frontier/url/percent_encode.h"

namespace weir::frontier {
namespace {

constexpr std::string_view kPercentCase = "percent-case";
constexpr std::string_view kPercentUnreserved = "percent-unreserved";
constexpr std::string_view kPercentBare = "percent-bare";

struct Applied {
  bool percent_case = false;
  bool percent_unreserved = false;
  bool percent_bare = false;
};

bool is_unreserved(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

char upper_digit(char c) { return static_cast<char>(c >= 'a' ? c - ('a' - 'A') : c); }

// Writes one key behind the old end of `out`.
class KeyWriter {
 public:
  KeyWriter(std::string& out, bool decodes) : out_(out), decodes_(decodes) {}

  // `escapes_bare`: the path of an http(s) URL.
  void add(std::string_view text, bool escapes_bare = false) {
    escapes_bare_ = escapes_bare;
    while (true) {
      const std::size_t percent = std::min(text.find('%'), text.size());
      add_plain(text.substr(0, percent));
      if (percent == text.size()) return;
      text.remove_prefix(percent);
      text.remove_prefix(add_percent(text));
    }
  }

  Applied applied() const { return applied_; }

 private:
  void add_plain(std::string_view text) {
    if (text.empty()) return;
    out_.append(text);
    // "%4" may still become an escape: one digit behind a stray '%' does not end the danger.
    const bool one_digit = text.size() == 1 && hex_value(text[0]) >= 0;
    stray_ = stray_ == Stray::kPercent && one_digit ? Stray::kPercentDigit : Stray::kNone;
  }

  // `text` starts with '%'. Returns how much of it was used.
  std::size_t add_percent(std::string_view text) {
    if (!is_escape(text, 0)) {
      if (escapes_bare_) {
        out_.append("%25");
        applied_.percent_bare = true;
        return 1;
      }
      out_.push_back('%');
      stray_ = Stray::kPercent;
      return 1;
    }
    const char decoded = static_cast<char>(hex_value(text[1]) * 16 + hex_value(text[2]));
    const bool leaves_escape_alone = stray_ != Stray::kNone && hex_value(decoded) >= 0;
    stray_ = Stray::kNone;
    if (decodes_ && is_unreserved(decoded) && !leaves_escape_alone) {
      out_.push_back(decoded);
      applied_.percent_unreserved = true;
      return 3;
    }
    const std::array<char, 3> escape{'%', upper_digit(text[1]), upper_digit(text[2])};
    out_.append(escape.data(), escape.size());
    applied_.percent_case |= escape[1] != text[1] || escape[2] != text[2];
    return 3;
  }

  // What the output ends with: a '%' that begins no escape, or such a '%' and one hexadecimal digit.
  enum class Stray : std::uint8_t { kNone, kPercent, kPercentDigit };

  std::string& out_;
  const bool decodes_;
  bool escapes_bare_ = false;
  Stray stray_ = Stray::kNone;
  Applied applied_;
};

Applied write_key(std::string& out, const Url& url) {
  const std::string_view wire = url.href_without_fragment();
  out.reserve(out.size() + wire.size());
  // "file:///%43|/" would become a Windows drive letter, which the parser spells "C:": only the case changes.
  KeyWriter writer(out, url.scheme() != "file");
  std::size_t start = 0;
  if (url.has_credentials()) {
    out.append(wire, 0, url.scheme().size() + 3);  // "://"
    start = static_cast<std::size_t>(url.hostname().data() - wire.data());
  }
  const std::size_t path_end = url.has_query() ? wire.size() - url.query().size() - 1 : wire.size();
  writer.add(wire.substr(start, path_end - start), url.is_http());
  writer.add(wire.substr(path_end));
  return writer.applied();
}

}  // namespace

UrlKey canonical_key(const Url& url) {
  std::string text;
  append_key(text, url);
  return UrlKey(std::move(text));
}

void append_key(std::string& out, const Url& url) { write_key(out, url); }

void append_key_spelling(std::string& out, std::string_view text) { KeyWriter(out, true).add(text); }

std::vector<std::string_view> key_rules_applied(const Url& url) {
  std::string text;
  const Applied applied = write_key(text, url);
  std::vector<std::string_view> names;
  if (applied.percent_case) names.push_back(kPercentCase);
  if (applied.percent_unreserved) names.push_back(kPercentUnreserved);
  if (applied.percent_bare) names.push_back(kPercentBare);
  return names;
}

}  // namespace weir::frontier
