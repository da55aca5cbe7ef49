// Reference and attribute spelling; the rules behind are WHATWG URL (states "scheme start" to "query") and HTML
// (attribute value states, character references).
#include "tests/web/link_text.h"

#include <fmt/core.h>

#include <algorithm>

namespace weir::testweb {
namespace {

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

std::string_view directory_of(std::string_view target) {
  const std::string_view path = path_of(target);
  return path.substr(0, path.rfind('/') + 1);
}

std::size_t common_directories(std::string_view a, std::string_view b) {
  std::size_t common = 0;
  const std::size_t least = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < least && a[i] == b[i]; ++i) {
    if (a[i] == '/') common = i + 1;
  }
  return common;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::size_t path_begin(std::string_view reference) {
  const auto slashes = reference.find("//");
  if (slashes == std::string_view::npos) return 0;
  return std::min(reference.find('/', slashes + 2), reference.size());
}

// Escapes one letter of the path; a letter before a colon could be a scheme, so the first segment is left alone
// unless a slash came before.
void escape_letter(std::string& reference, Dice& dice) {
  const std::size_t end = std::min(reference.find_first_of("?#"), reference.size());
  const std::size_t begin = std::min(reference.find('/', path_begin(reference)), end);
  for (std::size_t i = begin; i < end; ++i) {
    if ((!is_letter(reference[i]) && reference[i] != '~') || dice.one_in(3)) continue;
    const char* form = dice.one_in(2) ? "%{:02x}" : "%{:02X}";
    reference.replace(i, 1, fmt::format(fmt::runtime(form), static_cast<unsigned char>(reference[i])));
    return;
  }
}

void insert_dots(std::string& reference, Dice& dice) {
  const std::size_t end = std::min(reference.find_first_of("?#"), reference.size());
  const std::size_t slash = reference.find('/', path_begin(reference));
  if (slash >= end) return;
  reference.insert(slash + 1, dice.one_in(2) ? "./" : "elsewhere/../");
}

void upper_case_host(std::string& reference) {
  const std::size_t end = path_begin(reference);
  for (std::size_t i = 0; i < end; ++i) {
    if (reference[i] >= 'a' && reference[i] <= 'z') reference[i] = static_cast<char>(reference[i] - 'a' + 'A');
  }
}

void turn_slashes(std::string& reference) {
  const std::size_t end = std::min(reference.find_first_of("?#"), reference.size());
  std::replace(reference.begin() + static_cast<std::ptrdiff_t>(path_begin(reference)),
               reference.begin() + static_cast<std::ptrdiff_t>(end), '/', '\\');
}

void append_escaped(std::string& out, char c, char quote, Dice& dice) {
  if (c == '&') {
    out += dice.one_in(3) ? "&" : "&amp;";
  } else if (c == quote) {
    out += "&quot;";
  } else if (is_letter(c) && dice.one_in(80)) {
    out += dice.one_in(2) ? fmt::format("&#{};", int{c}) : fmt::format("&#x{:x};", int{c});
  } else {
    out += c;
  }
}

}  // namespace

std::string relative(std::string_view base, std::string_view to) {
  if (path_of(base) == path_of(to) && path_of(to).size() < to.size())
    return std::string(to.substr(path_of(to).size()));
  const std::string_view from = directory_of(base);
  const std::size_t common = common_directories(from, directory_of(to));
  std::string out;
  for (const char c : from.substr(common)) out += c == '/' ? "../" : "";
  out += to.substr(common);
  return out.empty() ? "./" : out;
}

std::string refer(const Address& base, const Address& to, Dice& dice) {
  const bool same_host = base.authority == to.authority;
  std::string out;
  switch (dice.below(same_host ? 8 : 2)) {
    case 0: out = fmt::format("http://{}{}", to.authority, to.target); break;
    case 1: out = fmt::format("//{}{}", to.authority, to.target); break;
    case 2:
    case 3: out = to.target; break;
    default: out = relative(base.target, to.target); break;
  }
  if (dice.one_in(3)) out += fmt::format("#part{}", dice.below(50));
  return out;
}

std::string disguise(std::string reference, Dice& dice) {
  switch (dice.below(7)) {
    case 0: escape_letter(reference, dice); break;
    case 1: insert_dots(reference, dice); break;
    case 2: upper_case_host(reference); break;
    case 3: turn_slashes(reference); break;
    case 4: reference.insert(dice.below(reference.size() + 1), dice.one_in(2) ? "\t" : "\n"); break;
    case 5: reference = fmt::format("  {}\n", reference); break;
    default: escape_letter(reference, dice), insert_dots(reference, dice); break;
  }
  return reference;
}

std::string attribute_value(std::string_view value, Dice& dice) {
  const bool bare = value.find_first_of(" \t\n'\"<>=`") == std::string_view::npos && dice.one_in(8);
  const char quote = dice.one_in(4) ? '\'' : '"';
  std::string out;
  for (const char c : value) append_escaped(out, c, quote, dice);
  return bare ? out : fmt::format("{}{}{}", quote, out, quote);
}

}  // namespace weir::testweb
