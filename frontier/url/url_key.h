// UrlKey: the text that decides whether two URLs are one page. Made from the wire form by rules that are
// always safe (RFC 3986 6.2.2.1 and 6.2.2.2: upper-case escapes, decode escaped unreserved characters) on top
// of the WHATWG serialisation; decoded once, never twice. key(parse(key)) == key. Lossy rules are named and
// off by default (KeyRules). Pure, thread-safe; one allocation at most per key.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontier/url/url.h"

namespace weir::frontier {

// Bumped when the same URL would get another key; written into the state, a difference is refused.
inline constexpr std::uint32_t kKeyRulesVersion = 2;

class UrlKey {
 public:
  std::string_view text() const { return text_; }
  friend bool operator==(const UrlKey&, const UrlKey&) = default;

 private:
  friend UrlKey canonical_key(const Url& url);
  friend class KeyRules;
  explicit UrlKey(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

// Fragment and userinfo are not part of the key.
UrlKey canonical_key(const Url& url);

// The same text appended to `out` (for a reused buffer on the hot path).
void append_key(std::string& out, const Url& url);

// One component's text in the key's spelling, for the rules that keep more than the key does (key_rules.h).
void append_key_spelling(std::string& out, std::string_view text);

// Names of the always-on rules that changed this URL's key against its spelling
// ("percent-case", "percent-unreserved", "percent-bare"); for explain and `url same --why`.
std::vector<std::string_view> key_rules_applied(const Url& url);

}  // namespace weir::frontier
