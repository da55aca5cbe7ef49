// Names and traits of element.h, in the order of the enumerations, and the hash tables over them, made by the
// compiler.
#include "crawler/html/element.h"

#include <algorithm>

#include "crawler/html/ascii.h"

namespace weir::crawler {
namespace {

struct ElementRow {
  std::string_view name;
  std::uint8_t traits;
};

// clang-format off: a row is an element
constexpr std::array<ElementRow, kElementCount> kElements = {{
    {"", 0},
    {"a", 0},
    {"applet", kSpecial | kEndsFramesetOk},
    {"area", kVoid | kSpecial | kEndsFramesetOk},
    {"audio", 0},
    {"base", kVoid | kSpecial | kInHead},
    {"blockquote", kSpecial | kBreaksOut},
    {"body", kSpecial | kBreaksOut | kEndsFramesetOk},
    {"button", kSpecial | kEndsFramesetOk},
    {"del", 0},
    {"embed", kVoid | kSpecial | kBreaksOut | kEndsFramesetOk},
    {"form", kSpecial | kContextual},
    {"frame", kVoid | kSpecial | kContextual},
    {"head", kSpecial | kBreaksOut | kInHead | kContextual},
    {"html", kSpecial | kInHead},
    {"iframe", kSpecial | kEndsFramesetOk | kContextual},
    {"image", kEndsFramesetOk},
    {"img", kVoid | kSpecial | kBreaksOut | kEndsFramesetOk},
    {"input", kVoid | kSpecial},
    {"ins", 0},
    {"link", kVoid | kSpecial | kInHead},
    {"meta", kVoid | kSpecial | kBreaksOut | kInHead},
    {"object", kSpecial | kEndsFramesetOk},
    {"q", 0},
    {"script", kSpecial | kInHead | kContextual},
    {"source", kVoid | kSpecial},
    {"style", kSpecial | kInHead | kContextual},
    {"table", kSpecial | kBreaksOut | kEndsFramesetOk | kContextual},
    {"td", kSpecial | kContextual},
    {"th", kSpecial | kContextual},
    {"tr", kSpecial | kContextual},
    {"track", kVoid | kSpecial},
    {"use", 0},
    {"video", 0},
    {"feimage", 0},
    {"math", kContextual},
    {"mi", 0},
    {"mn", 0},
    {"mo", 0},
    {"ms", 0},
    {"mtext", 0},
    {"mrow", 0},
    {"maction", 0},
    {"semantics", 0},
    {"annotation", 0},
    {"annotation-xml", 0},
    {"mglyph", 0},
    {"malignmark", 0},
    {"svg", kContextual},
    {"foreignobject", 0},
    {"desc", 0},
    {"title", kSpecial | kInHead | kContextual},
    {"template", kSpecial | kInHead | kContextual},
    {"select", kSpecial | kEndsFramesetOk | kContextual},
    {"option", 0},
    {"optgroup", 0},
    {"keygen", kVoid | kSpecial | kEndsFramesetOk},
    {"textarea", kSpecial | kEndsFramesetOk | kContextual},
    {"frameset", kSpecial | kContextual},
    {"noframes", kSpecial | kInHead | kContextual},
    {"noembed", kSpecial | kContextual},
    {"noscript", kSpecial | kInHead},
    {"xmp", kSpecial | kEndsFramesetOk | kContextual},
    {"plaintext", kSpecial | kContextual},
    {"caption", kSpecial | kContextual},
    {"col", kVoid | kSpecial | kContextual},
    {"colgroup", kSpecial | kContextual},
    {"tbody", kSpecial | kContextual},
    {"tfoot", kSpecial | kContextual},
    {"thead", kSpecial | kContextual},
    {"font", 0},
    {"address", kSpecial},
    {"article", kSpecial},
    {"aside", kSpecial},
    {"b", kBreaksOut},
    {"basefont", kVoid | kSpecial | kInHead},
    {"bgsound", kVoid | kSpecial | kInHead},
    {"big", kBreaksOut},
    {"br", kVoid | kSpecial | kBreaksOut | kEndsFramesetOk},
    {"center", kSpecial | kBreaksOut},
    {"code", kBreaksOut},
    {"dd", kSpecial | kBreaksOut | kEndsFramesetOk},
    {"details", kSpecial},
    {"dir", kSpecial},
    {"div", kSpecial | kBreaksOut},
    {"dl", kSpecial | kBreaksOut},
    {"dt", kSpecial | kBreaksOut | kEndsFramesetOk},
    {"em", kBreaksOut},
    {"fieldset", kSpecial},
    {"figcaption", kSpecial},
    {"figure", kSpecial},
    {"footer", kSpecial},
    {"h1", kSpecial | kBreaksOut},
    {"h2", kSpecial | kBreaksOut},
    {"h3", kSpecial | kBreaksOut},
    {"h4", kSpecial | kBreaksOut},
    {"h5", kSpecial | kBreaksOut},
    {"h6", kSpecial | kBreaksOut},
    {"header", kSpecial},
    {"hgroup", kSpecial},
    {"hr", kVoid | kSpecial | kBreaksOut | kEndsFramesetOk},
    {"i", kBreaksOut},
    {"li", kSpecial | kBreaksOut | kEndsFramesetOk},
    {"listing", kSpecial | kBreaksOut | kEndsFramesetOk},
    {"main", kSpecial},
    {"marquee", kSpecial | kEndsFramesetOk},
    {"menu", kSpecial | kBreaksOut},
    {"nav", kSpecial},
    {"nobr", kBreaksOut},
    {"ol", kSpecial | kBreaksOut},
    {"p", kSpecial | kBreaksOut},
    {"param", kVoid | kSpecial},
    {"pre", kSpecial | kBreaksOut | kEndsFramesetOk},
    {"ruby", kBreaksOut},
    {"s", kBreaksOut},
    {"search", kSpecial},
    {"section", kSpecial},
    {"small", kBreaksOut},
    {"span", kBreaksOut},
    {"strike", kBreaksOut},
    {"strong", kBreaksOut},
    {"sub", kBreaksOut},
    {"summary", kSpecial},
    {"sup", kBreaksOut},
    {"tt", kBreaksOut},
    {"u", kBreaksOut},
    {"ul", kSpecial | kBreaksOut},
    {"var", kBreaksOut},
    {"wbr", kVoid | kSpecial | kEndsFramesetOk},
}};
// clang-format on

constexpr std::array<std::string_view, kAttributeCount> kAttributes = {
    "action",   "archive",  "background", "cite",       "code",       "codebase",  "color",      "content",
    "data",     "encoding", "face",       "formaction", "formmethod", "href",      "http-equiv", "imagesrcset",
    "longdesc", "manifest", "method",     "name",       "ping",       "poster",    "profile",    "rel",
    "size",     "src",      "srcset",     "style",      "type",       "xlink:href"};

constexpr std::size_t kSlots = 512;  // of each table: a quarter full, so most names are found at once

// The number of name `i` plus one; 0: empty. Collisions go to the next slot.
using NameTable = std::array<std::uint8_t, kSlots>;

constexpr std::size_t slot_of(std::string_view name) {
  const auto at = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(ascii_lower(name[i])));
  };
  return (name.size() * 11 + at(0) * 7 + at(name.size() / 2) * 41 + at(name.size() - 1) * 5) % kSlots;
}

struct ElementNames {
  static constexpr std::string_view at(std::size_t i) { return kElements[i].name; }
  static constexpr std::size_t kCount = kElementCount;
};
struct AttributeNames {
  static constexpr std::string_view at(std::size_t i) { return kAttributes[i]; }
  static constexpr std::size_t kCount = kAttributeCount;
};

template <typename Names>
constexpr NameTable make_table() {
  NameTable table{};
  for (std::size_t i = 0; i < Names::kCount; ++i) {
    if (Names::at(i).empty()) continue;
    std::size_t slot = slot_of(Names::at(i));
    while (table[slot] != 0) slot = (slot + 1) % kSlots;
    table[slot] = static_cast<std::uint8_t>(i + 1);
  }
  return table;
}

constexpr NameTable kElementTable = make_table<ElementNames>();
constexpr NameTable kAttributeTable = make_table<AttributeNames>();

template <typename Names>
std::size_t find_name(const NameTable& table, std::string_view name, std::size_t none) {
  if (name.empty()) return none;
  for (std::size_t slot = slot_of(name); table[slot] != 0; slot = (slot + 1) % kSlots) {
    const std::size_t i = table[slot] - 1u;
    if (ascii_equal_ignore_case(Names::at(i), name)) return i;
  }
  return none;
}

}  // namespace

Element find_element(std::string_view name) {
  return static_cast<Element>(find_name<ElementNames>(kElementTable, name, 0));
}

Attribute find_attribute(std::string_view name) {
  return static_cast<Attribute>(find_name<AttributeNames>(kAttributeTable, name, kAttributeCount));
}

std::uint8_t traits_of(Element element) { return kElements[static_cast<std::size_t>(element)].traits; }

std::string_view name_of(Element element) { return ElementNames::at(static_cast<std::size_t>(element)); }

std::string_view name_of(Attribute attribute) {
  return AttributeNames::at(static_cast<std::size_t>(attribute));
}

}  // namespace weir::crawler
