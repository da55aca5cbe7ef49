// See xml_parser.h.
#include <algorithm>
#include <array>

#include "crawler/html/ascii.h"
#include "crawler/html/named_reference.h"
#include "crawler/xml/xml_parser.h"

namespace weir::crawler {
namespace {

constexpr std::array<std::string_view, 5> kKnown = {"amp", "lt", "gt", "quot", "apos"};

// `text` starts at '&'. Length of the reference with its ';'; 0: none.
std::size_t reference_length(std::string_view text) {
  std::size_t end = 1;
  if (text.size() > 1 && text[1] == '#') ++end;
  while (end < text.size() && is_ascii_alnum(text[end])) ++end;
  return end > 1 && end < text.size() && text[end] == ';' ? end + 1 : 0;
}

bool is_number(std::string_view digits) {
  if (digits.starts_with('x'))
    return digits.size() > 1 && std::ranges::all_of(digits.substr(1), [](char c) { return is_hex_digit(c); });
  return !digits.empty() && std::ranges::all_of(digits, [](char c) { return is_ascii_digit(c); });
}

// `reference` is "&name;".
bool is_xml(std::string_view reference) {
  if (reference.empty()) return false;
  const std::string_view name = reference.substr(1, reference.size() - 2);
  if (name.starts_with('#')) return is_number(name.substr(1));
  return std::ranges::find(kKnown, name) != kKnown.end();
}

// Of HTML's names; nothing of the characters that XML reads as markup.
std::string_view html_character(std::string_view reference) {
  if (reference.empty()) return {};
  const std::string_view found =
      find_reference(reference.substr(1, reference.size() - 2), true).value_or(std::string_view{});
  return found.find_first_of("<&") == std::string_view::npos ? found : std::string_view{};
}

}  // namespace

std::string_view mend_references(std::string_view utf8, bool html_names, std::string& storage) {
  constexpr std::string_view kSection = "<![CDATA[";
  storage.clear();
  std::size_t copied = 0;
  std::size_t at = 0;
  while ((at = utf8.find_first_of("&<", at)) != std::string_view::npos) {
    if (utf8[at] == '<') {
      const bool section = utf8.substr(at).starts_with(kSection);
      at = section ? std::min(utf8.find("]]>", at), utf8.size()) : at + 1;
      continue;
    }
    const std::string_view reference = utf8.substr(at, reference_length(utf8.substr(at)));
    if (is_xml(reference)) {
      at += reference.size();
      continue;
    }
    const std::string_view character = html_names ? html_character(reference) : std::string_view{};
    storage.append(utf8.substr(copied, at - copied)).append(character.empty() ? "&amp;" : character);
    at += character.empty() ? 1 : reference.size();
    copied = at;
  }
  if (copied == 0) return utf8;
  storage.append(utf8.substr(copied));
  return storage;
}

}  // namespace weir::crawler
