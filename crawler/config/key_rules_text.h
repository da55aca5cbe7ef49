// The rules that a state remembers (KeyRules::text()), back as rules. The text is the [key] section of a
// configuration file, and is read as that. Pure.
#pragma once

#include <string_view>

#include "base/error.h"
#include "frontier/url/key_rules.h"

namespace weir::crawler {

// kState: not a text that this version of weir writes.
Result<frontier::KeyRules> key_rules_of(std::string_view text);

}  // namespace weir::crawler
