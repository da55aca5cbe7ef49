// XML as events, by expat, for documents of strangers: no DTD read, no entity expanded but
// the five of XML itself, depth and text bounded. Pure but for the handler; one document per call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace weir::crawler {

struct XmlName {
  std::string_view space;  // namespace URI, or the prefix as written; empty: none
  std::string_view local;
};

struct XmlAttribute {
  XmlName name;
  std::string_view value;
};

class XmlHandler {
 public:
  virtual ~XmlHandler() = default;

  // Views live for the call. False: enough, stop.
  virtual bool start(const XmlName& name, std::span<const XmlAttribute> attributes) = 0;
  virtual bool end(const XmlName& name) = 0;
  virtual void text(std::string_view text) = 0;  // in pieces
};

// Elements in elements; more end the document with a problem.
inline constexpr std::size_t kXmlDepthMax = 256;

// Nothing when the document is well formed, or when the handler has stopped it; else what is wrong and where,
// as "line 3, column 14: mismatched tag". What came before has been handed over.
// kPrefixes takes documents that use prefixes which they never declare.
enum class XmlNames : std::uint8_t { kNamespaces, kPrefixes };
std::optional<std::string> parse_xml(std::string_view utf8, XmlNames names, XmlHandler& handler);

// What XML knows besides its five entities and numbers is left out of `utf8`: an '&' that begins none of them
// becomes "&amp;", or, with `html_names`, the character of HTML's name. So "?a=1&b=2" and "&nbsp;" do no harm.
// A view into `utf8`, or into `storage` when something had to change. CDATA sections stay.
std::string_view mend_references(std::string_view utf8, bool html_names, std::string& storage);

}  // namespace weir::crawler
