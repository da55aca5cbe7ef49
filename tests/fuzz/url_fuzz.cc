// The laws of URL identity under libFuzzer. Input: a base, a line break, a reference. A broken law aborts.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "frontier/url/url.h"
#include "frontier/url/url_key.h"

namespace weir::frontier {
namespace {

void check_same(const Url& a, const Url& b) {
  WEIR_CHECK(a == b);
  WEIR_CHECK(a.host() == b.host() && a.path() == b.path() && a.query() == b.query());
  WEIR_CHECK(a.username() == b.username() && a.password() == b.password() && a.fragment() == b.fragment());
  WEIR_CHECK(a.host_kind() == b.host_kind() && a.has_opaque_path() == b.has_opaque_path());
}

void check_laws(const Url& url) {
  for (const char c : url.href()) WEIR_CHECK(c >= 0x20 && c < 0x7f);
  const auto again = parse_url(url.href());
  WEIR_CHECK(again.has_value());
  check_same(url, *again);

  const Url wire = wire_form(url);
  const auto wire_again = parse_url(wire.href());
  WEIR_CHECK(wire_again.has_value());
  check_same(wire, *wire_again);
  if (wire.is_http()) WEIR_CHECK(wire.href().starts_with(origin(wire)));

  const UrlKey key = canonical_key(url);
  const auto key_again = parse_url(key.text());
  WEIR_CHECK(key_again.has_value());
  WEIR_CHECK(key_again->href() == key.text());
  WEIR_CHECK(canonical_key(*key_again) == key);
  WEIR_CHECK(canonical_key(wire) == key);
  WEIR_CHECK(key_rules_applied(wire).empty() == (key.text() == wire.href()));
}

}  // namespace
}  // namespace weir::frontier

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weir::frontier;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t split = text.find('\n');
  const auto base = parse_url(text.substr(0, split));
  if (base) check_laws(*base);
  if (split == std::string_view::npos) return 0;
  const auto url = parse_url(text.substr(split + 1), base ? &*base : nullptr);
  if (url) check_laws(*url);
  return 0;
}
