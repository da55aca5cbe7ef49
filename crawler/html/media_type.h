// Content-Type as received, parsed by the WHATWG MIME Sniffing Standard 4.4. Pure.
#pragma once

#include <string>
#include <string_view>

namespace weir::crawler {

struct MediaType {
  std::string essence;   // "text/html", lower-case; empty: unparsable
  std::string charset;   // as written, unquoted; empty: none
  bool is_html() const;  // text/html or application/xhtml+xml
  bool is_xml() const;   // text/xml, application/xml or anything that ends in +xml
};

MediaType parse_media_type(std::string_view header);

// No usable header: does the body look like HTML (MIME Sniffing 7.1, the tag patterns)? Reads 1,445 bytes.
bool looks_like_html(std::string_view body);
// Has binary data bytes in its first 1,445 bytes (MIME Sniffing 5).
bool looks_binary(std::string_view body);

}  // namespace weir::crawler
