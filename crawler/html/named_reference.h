// Named character references ("&eacute;", HTML Standard 13.5): all 2,125 names and which of them need no
// semicolon. The index is made on first use and never changes; thread-safe.
#pragma once

#include <optional>
#include <string_view>

namespace weir::crawler {

// The characters (one or two) in UTF-8: static storage. `name` without '&' and ';'; case counts.
std::optional<std::string_view> find_reference(std::string_view name, bool semicolon);

// The standard's table as text (named_reference_data.cc).
extern const std::string_view kNamedReferences;
extern const std::string_view kReferencesWithoutSemicolon;

}  // namespace weir::crawler
