// QueryEncoder: the bytes of a query in the encoding of the page it was found on (URL Standard 4.4, query
// state, and "percent-encode after encoding"). Only what a page's own charset changes passes through here; in a
// crawl of UTF-8 there is none. Implemented where charsets are known (crawler/html/query_encoder.h).
#pragma once

#include <string>
#include <string_view>

namespace weir::frontier {

class QueryEncoder {
 public:
  virtual ~QueryEncoder() = default;

  // `utf8` is valid. The result is not percent-encoded yet, but for characters that the encoding lacks: they
  // are
  // "%26%23" number "%3B". ASCII stays what it is (in ISO-2022-JP, but for three control characters).
  virtual std::string encode(std::string_view utf8) const = 0;
};

}  // namespace weir::frontier
