// The stream engine under libFuzzer: the first byte cuts the page into pieces, which must change nothing; gumbo
// must survive the same page. A broken law aborts.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/clock.h"
#include "crawler/html/charset.h"
#include "crawler/html/gumbo_extractor.h"
#include "crawler/html/stream_extractor.h"

namespace weir::crawler {
namespace {

void check_same(const Extraction& a, const Extraction& b) {
  WEIR_CHECK(a.text == b.text && a.links.size() == b.links.size());
  WEIR_CHECK(a.base == b.base && a.nofollow == b.nofollow && a.limited == b.limited);
  for (std::size_t i = 0; i < a.links.size(); ++i) {
    WEIR_CHECK(a.links[i].at == b.links[i].at && a.links[i].length == b.links[i].length);
    WEIR_CHECK(a.links[i].tag == b.links[i].tag && a.links[i].attribute == b.links[i].attribute);
  }
}

void check_page(std::string_view html, std::size_t piece) {
  StreamExtractor extractor({});
  Extraction whole;
  extractor.extract(html, whole);
  Extraction fed;
  extractor.start(fed);
  for (std::size_t at = 0; at < html.size(); at += piece) extractor.feed(html.substr(at, piece));
  extractor.finish();
  check_same(whole, fed);

  const SystemClock clock;
  Extraction tree;
  GumboExtractor(clock, {}).extract(html, tree);
}

}  // namespace
}  // namespace weir::crawler

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view body(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto text = weir::crawler::decode_text(body, "utf-8");
  weir::crawler::check_page(text.same ? body.substr(text.bom_bytes) : std::string_view(text.utf8),
                            1u + data[0] % 64u);
  return 0;
}
