// Unpacks the table once. See named_reference.h.
#include "crawler/html/named_reference.h"

#include <charconv>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "crawler/html/utf8.h"

namespace weir::crawler {
namespace {

struct Reference {
  std::string text;
  bool without_semicolon = false;
};

using References = std::unordered_map<std::string_view, Reference>;

// Calls visit(item) for each item that a ';' ends.
template <typename Visit>
void each_item(std::string_view table, Visit visit) {
  while (!table.empty()) {
    const std::size_t end = table.find(';');
    visit(table.substr(0, end));
    table.remove_prefix(end + 1);
  }
}

void append_code_points(std::string_view numbers, std::string& out) {
  const char* at = numbers.data();
  const char* const end = at + numbers.size();
  while (at < end) {
    std::uint32_t code_point = 0;
    at = std::from_chars(at + 1, end, code_point, 16).ptr;  // behind a space
    append_utf8(out, code_point);
  }
}

References unpack() {
  References references;
  references.reserve(2'500);
  each_item(kNamedReferences, [&](std::string_view item) {
    const std::size_t name_end = item.find(' ');
    append_code_points(item.substr(name_end), references[item.substr(0, name_end)].text);
  });
  each_item(kReferencesWithoutSemicolon,
            [&](std::string_view name) { references[name].without_semicolon = true; });
  return references;
}

}  // namespace

std::optional<std::string_view> find_reference(std::string_view name, bool semicolon) {
  static const References references = unpack();
  const auto found = references.find(name);
  if (found == references.end() || !(semicolon || found->second.without_semicolon)) return std::nullopt;
  return found->second.text;
}

}  // namespace weir::crawler
