// HTML Standard 13.2.5.72-84. See character_reference.h.
#include "crawler/html/character_reference.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "crawler/html/ascii.h"
#include "crawler/html/utf8.h"

namespace weir::crawler {
namespace {

// U+00A0 to U+00FF in order. They need no semicolon.
constexpr std::array<std::string_view, 96> kLatin1 = {
    "nbsp",   "iexcl",  "cent",   "pound",  "curren", "yen",    "brvbar", "sect",   "uml",    "copy",
    "ordf",   "laquo",  "not",    "shy",    "reg",    "macr",   "deg",    "plusmn", "sup2",   "sup3",
    "acute",  "micro",  "para",   "middot", "cedil",  "sup1",   "ordm",   "raquo",  "frac14", "frac12",
    "frac34", "iquest", "Agrave", "Aacute", "Acirc",  "Atilde", "Auml",   "Aring",  "AElig",  "Ccedil",
    "Egrave", "Eacute", "Ecirc",  "Euml",   "Igrave", "Iacute", "Icirc",  "Iuml",   "ETH",    "Ntilde",
    "Ograve", "Oacute", "Ocirc",  "Otilde", "Ouml",   "times",  "Oslash", "Ugrave", "Uacute", "Ucirc",
    "Uuml",   "Yacute", "THORN",  "szlig",  "agrave", "aacute", "acirc",  "atilde", "auml",   "aring",
    "aelig",  "ccedil", "egrave", "eacute", "ecirc",  "euml",   "igrave", "iacute", "icirc",  "iuml",
    "eth",    "ntilde", "ograve", "oacute", "ocirc",  "otilde", "ouml",   "divide", "oslash", "ugrave",
    "uacute", "ucirc",  "uuml",   "yacute", "thorn",  "yuml"};

using NamedCharacter = std::pair<std::string_view, char32_t>;

constexpr NamedCharacter kWithoutSemicolon[] = {{"amp", '&'},     {"AMP", '&'},   {"lt", '<'},   {"LT", '<'},
                                                {"gt", '>'},      {"GT", '>'},    {"quot", '"'}, {"QUOT", '"'},
                                                {"COPY", 0x00A9}, {"REG", 0x00AE}};

constexpr NamedCharacter kWithSemicolon[] = {
    {"apos", '\''},    {"Tab", '\t'},      {"NewLine", '\n'}, {"excl", '!'},     {"num", '#'},
    {"dollar", '$'},   {"percnt", '%'},    {"lpar", '('},     {"rpar", ')'},     {"ast", '*'},
    {"plus", '+'},     {"comma", ','},     {"period", '.'},   {"sol", '/'},      {"colon", ':'},
    {"semi", ';'},     {"equals", '='},    {"quest", '?'},    {"commat", '@'},   {"lsqb", '['},
    {"lbrack", '['},   {"bsol", '\\'},     {"rsqb", ']'},     {"rbrack", ']'},   {"Hat", '^'},
    {"lowbar", '_'},   {"UnderBar", '_'},  {"grave", '`'},    {"lcub", '{'},     {"lbrace", '{'},
    {"verbar", '|'},   {"vert", '|'},      {"rcub", '}'},     {"rbrace", '}'},   {"ndash", 0x2013},
    {"mdash", 0x2014}, {"lsquo", 0x2018},  {"rsquo", 0x2019}, {"ldquo", 0x201C}, {"rdquo", 0x201D},
    {"bull", 0x2022},  {"hellip", 0x2026}, {"euro", 0x20AC},  {"trade", 0x2122}};

// Numbers 0x80-0x9F were written by people who meant windows-1252.
constexpr std::array<char16_t, 32> kWindows1252 = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

char32_t find_named(std::string_view name, bool semicolon) {
  const auto latin1 = std::ranges::find(kLatin1, name);
  if (latin1 != kLatin1.end()) return static_cast<char32_t>(0xA0 + (latin1 - kLatin1.begin()));
  for (const auto& [known, character] : kWithoutSemicolon) {
    if (known == name) return character;
  }
  if (!semicolon) return 0;
  for (const auto& [known, character] : kWithSemicolon) {
    if (known == name) return character;
  }
  return 0;
}

char32_t character_of_number(char32_t number) {
  if (number == 0 || number > 0x10FFFF || (number >= 0xD800 && number <= 0xDFFF)) return kReplacementCharacter;
  if (number >= 0x80 && number <= 0x9F) return kWindows1252[number - 0x80];
  return number;
}

struct Reference {
  char32_t character = 0;
  std::size_t length = 0;  // 0: an ampersand that is only that
};

// `text` starts at "&#".
Reference read_numeric(std::string_view text) {
  const bool hex = text.size() > 2 && ascii_lower(text[2]) == 'x';
  std::size_t at = hex ? 3 : 2;
  const std::size_t start = at;
  char32_t number = 0;
  for (; at < text.size() && (hex ? is_hex_digit(text[at]) : is_ascii_digit(text[at])); ++at) {
    number = number * (hex ? 16 : 10) + static_cast<char32_t>(hex_value(text[at]));
    number = std::min<char32_t>(number, 0x110000);  // too large is too large, however many digits follow
  }
  if (at == start) return {};
  if (at < text.size() && text[at] == ';') ++at;
  return {character_of_number(number), at};
}

// `text` starts at '&'.
Reference read_reference(std::string_view text) {
  if (text.size() > 1 && text[1] == '#') return read_numeric(text);
  std::size_t end = 1;
  while (end < text.size() && is_ascii_alnum(text[end])) ++end;
  const bool semicolon = end < text.size() && text[end] == ';';
  // Without semicolon and before '=' it is taken for a parameter of a query.
  if (!semicolon && end < text.size() && text[end] == '=') return {};
  const char32_t character = find_named(text.substr(1, end - 1), semicolon);
  if (character == 0) return {};
  return {character, end + (semicolon ? 1 : 0)};
}

}  // namespace

void decode_attribute(std::string_view raw, std::string& out) {
  out.clear();
  constexpr std::string_view kSpecial("&\r\0", 3);
  while (true) {
    const std::size_t plain = std::min(raw.size(), raw.find_first_of(kSpecial));
    out.append(raw.substr(0, plain));
    raw.remove_prefix(plain);
    if (raw.empty()) return;
    if (raw[0] == '&') {
      const Reference reference = read_reference(raw);
      append_utf8(out, reference.length == 0 ? U'&' : reference.character);
      raw.remove_prefix(std::max<std::size_t>(1, reference.length));
    } else {
      append_utf8(out, raw[0] == '\r' ? U'\n' : kReplacementCharacter);
      raw.remove_prefix(raw.starts_with("\r\n") ? 2 : 1);
    }
  }
}

}  // namespace weir::crawler
