// LinkText: how one link of a page is written: the reference relative to a base, and its spelling inside an
// attribute. All of it is by chance, and whatever is chosen means the same URL by the WHATWG rules. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tests/web/dice.h"

namespace weir::testweb {

struct Address {
  std::string authority;  // host:port
  std::string target;     // path and query
};

// A reference that resolves to `to` on a page (or under a <base>) whose URL is `base`.
std::string refer(const Address& base, const Address& to, Dice& dice);

// The shortest relative path from one target to another of the same host; never empty.
std::string relative(std::string_view base, std::string_view to);

// Another spelling with the same meaning: escapes of plain letters, ./ and x/../, upper-case scheme and host,
// backslashes, tabs, spaces around.
std::string disguise(std::string reference, Dice& dice);

// The value with quotes (or without, where that is legal) and entities, as it stands after `href=`.
std::string attribute_value(std::string_view value, Dice& dice);

}  // namespace weir::testweb
