// The prescan as the HTML Standard writes it, step for step: it is no HTML parser and must not become one, or
// pages would be decoded differently than browsers do. See meta_prescan.h.
#include "crawler/html/meta_prescan.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "crawler/html/ascii.h"

namespace weir::crawler {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

// What the standard does with a declaration that cannot be true, since the prescan could read it as ASCII.
const EncodingInfo* usable(const EncodingInfo* found) {
  if (found == nullptr) return nullptr;
  if (found->kind == EncodingKind::kUtf16) return &info_of(Encoding::kUtf8);
  if (found->kind == EncodingKind::kUserDefined) return &info_of(Encoding::kWindows1252);
  return found;
}

struct PrescanAttribute {
  std::string name;
  std::string value;
};

class Prescan {
 public:
  explicit Prescan(std::string_view bytes) : bytes_(bytes) {}

  // Null: ran out of bytes.
  const EncodingInfo* run() {
    while (at_ < bytes_.size()) {
      const std::string_view rest = bytes_.substr(at_);
      if (rest.starts_with("<!--")) {
        skip_past("-->", at_ + 2);  // "<!-->" is a whole comment
      } else if (is_meta(rest)) {
        if (const EncodingInfo* found = read_meta()) return found;
      } else if (is_tag(rest)) {
        skip_tag();
      } else if (rest.starts_with("<!") || rest.starts_with("</") || rest.starts_with("<?")) {
        skip_past(">", at_);
      } else {
        ++at_;
      }
    }
    return nullptr;
  }

 private:
  static bool is_meta(std::string_view rest) {
    return rest.size() > 5 && ascii_starts_with_ignore_case(rest, "<meta") &&
           (is_ascii_space(rest[5]) || rest[5] == '/');
  }

  static bool is_tag(std::string_view rest) {
    const std::size_t letter = rest.starts_with("</") ? 2 : 1;
    return rest[0] == '<' && rest.size() > letter && is_ascii_alpha(rest[letter]);
  }

  void skip_past(std::string_view end, std::size_t from) {
    const std::size_t found = bytes_.find(end, from);
    at_ = found == kNone ? bytes_.size() : found + end.size();
  }

  void skip_tag() {
    while (at_ < bytes_.size() && !is_ascii_space(bytes_[at_]) && bytes_[at_] != '>') ++at_;
    while (read_attribute()) {
    }
    ++at_;
  }

  const EncodingInfo* read_meta() {
    at_ += 6;
    bool got_pragma = false;
    std::optional<bool> need_pragma;
    const EncodingInfo* found = nullptr;
    std::vector<std::string> seen;
    while (const std::optional<PrescanAttribute> attribute = read_attribute()) {
      if (std::find(seen.begin(), seen.end(), attribute->name) != seen.end()) continue;
      seen.push_back(attribute->name);
      if (attribute->name == "http-equiv") {
        got_pragma = got_pragma || attribute->value == "content-type";
      } else if (attribute->name == "content" && found == nullptr) {
        found = encoding_in_content(attribute->value);
        if (found != nullptr) need_pragma = true;
      } else if (attribute->name == "charset") {
        found = find_encoding(attribute->value);
        need_pragma = false;
      }
    }
    ++at_;
    if (at_ > bytes_.size()) return nullptr;  // the tag has no end
    if (!need_pragma || (*need_pragma && !got_pragma)) return nullptr;
    return usable(found);
  }

  bool skip_while(auto condition) {
    while (at_ < bytes_.size() && condition(bytes_[at_])) ++at_;
    return at_ < bytes_.size();
  }

  // "Get an attribute". Nothing at '>' (not taken) or at the end.
  std::optional<PrescanAttribute> read_attribute() {
    if (!skip_while([](char c) { return is_ascii_space(c) || c == '/'; })) return std::nullopt;
    if (bytes_[at_] == '>') return std::nullopt;
    PrescanAttribute attribute;
    const std::size_t start = at_;
    const auto in_name = [&](char c) {
      return !(c == '=' && at_ > start) && !is_ascii_space(c) && c != '/' && c != '>';
    };
    if (!skip_while(in_name)) return std::nullopt;
    attribute.name = ascii_lower_copy(bytes_.substr(start, at_ - start));
    if (bytes_[at_] == '/' || bytes_[at_] == '>') return attribute;
    if (!skip_while(is_ascii_space)) return std::nullopt;
    if (bytes_[at_] != '=') return attribute;
    ++at_;
    if (!skip_while(is_ascii_space)) return std::nullopt;
    if (!read_value(attribute.value)) return std::nullopt;
    return attribute;
  }

  bool read_value(std::string& value) {
    const char quote = bytes_[at_];
    const std::size_t start = at_;
    if (quote == '"' || quote == '\'') {
      const std::size_t end = bytes_.find(quote, start + 1);
      if (end == kNone) {
        at_ = bytes_.size();
        return false;
      }
      value = ascii_lower_copy(bytes_.substr(start + 1, end - start - 1));
      at_ = end + 1;
      return true;
    }
    if (!skip_while([](char c) { return !is_ascii_space(c) && c != '>'; })) return false;
    value = ascii_lower_copy(bytes_.substr(start, at_ - start));
    return true;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
};

// "Get an XML encoding": <?xml version="1.0" encoding="..."?>
const EncodingInfo* xml_encoding(std::string_view bytes) {
  if (!bytes.starts_with("<?xml")) return nullptr;
  const std::string_view declaration = bytes.substr(0, bytes.find('>'));
  if (declaration.size() == bytes.size()) return nullptr;
  std::size_t at = declaration.find("encoding");
  if (at == kNone) return nullptr;
  at += std::string_view("encoding").size();
  const auto skip_spaces = [&] {
    while (at < declaration.size() && static_cast<unsigned char>(declaration[at]) <= ' ') ++at;
    return at < declaration.size();
  };
  if (!skip_spaces() || declaration[at] != '=') return nullptr;
  ++at;
  if (!skip_spaces() || (declaration[at] != '"' && declaration[at] != '\'')) return nullptr;
  const std::size_t end = declaration.find(declaration[at], at + 1);
  if (end == kNone) return nullptr;
  const EncodingInfo* found = find_encoding(declaration.substr(at + 1, end - at - 1));
  if (found != nullptr && found->kind == EncodingKind::kUtf16) return &info_of(Encoding::kUtf8);
  return found;
}

}  // namespace

std::size_t find_byte_order_mark(std::string_view body, const EncodingInfo** encoding) {
  const auto found = [&](Encoding which, std::size_t length) {
    *encoding = &info_of(which);
    return length;
  };
  if (body.starts_with("\xEF\xBB\xBF")) return found(Encoding::kUtf8, 3);
  if (body.starts_with("\xFE\xFF")) return found(Encoding::kUtf16be, 2);
  if (body.starts_with("\xFF\xFE")) return found(Encoding::kUtf16le, 2);
  return 0;
}

const EncodingInfo* prescan_encoding(std::string_view body) {
  const std::string_view bytes = body.substr(0, kPrescanBytes);
  // An XML declaration whose every second byte is zero is the one thing that tells UTF-16 without a mark.
  if (bytes.starts_with(std::string_view("<\0?\0x\0", 6))) return &info_of(Encoding::kUtf16le);
  if (bytes.starts_with(std::string_view("\0<\0?\0x", 6))) return &info_of(Encoding::kUtf16be);
  if (const EncodingInfo* found = Prescan(bytes).run()) return found;
  return xml_encoding(bytes);
}

const EncodingInfo* encoding_in_content(std::string_view content) {
  const std::string lower = ascii_lower_copy(content);
  std::size_t at = 0;
  while (true) {
    at = lower.find("charset", at);
    if (at == kNone) return nullptr;
    at += std::string_view("charset").size();
    while (at < content.size() && is_ascii_space(content[at])) ++at;
    if (at < content.size() && content[at] == '=') break;
  }
  ++at;
  while (at < content.size() && is_ascii_space(content[at])) ++at;
  if (at >= content.size()) return nullptr;
  const char quote = content[at];
  if (quote == '"' || quote == '\'') {
    const std::size_t end = content.find(quote, at + 1);
    return end == kNone ? nullptr : find_encoding(content.substr(at + 1, end - at - 1));
  }
  return find_encoding(content.substr(at, content.find_first_of("; \t\n\f\r", at) - at));
}

}  // namespace weir::crawler
