// See xml_parser.h. expat is told that the text is UTF-8, whatever its declaration says: it was transcoded
// before.
#include "crawler/xml/xml_parser.h"

#include <expat.h>
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <type_traits>
#include <vector>

#include "base/check.h"

namespace weir::crawler {
namespace {

constexpr char kSeparator = '\n';  // between namespace and name; neither can hold it
constexpr char kPrefixEnd = ':';
constexpr std::size_t kPieceBytes = 1 << 20;

struct FreeParser {
  void operator()(XML_Parser parser) const { XML_ParserFree(parser); }
};
using Parser = std::unique_ptr<std::remove_pointer_t<XML_Parser>, FreeParser>;

XmlName split_name(std::string_view text, char separator) {
  const std::size_t at = text.rfind(separator);
  if (at == std::string_view::npos) return {{}, text};
  return {text.substr(0, at), text.substr(at + 1)};
}

// What expat's callbacks share.
struct Session {
  XML_Parser parser;
  XmlHandler& handler;
  char separator;
  std::size_t depth = 0;
  bool stopped = false;        // by the handler
  std::string_view refused{};  // by us: why
  std::vector<XmlAttribute> attributes{};

  void stop(std::string_view why) {
    if (why.empty()) stopped = true;
    if (refused.empty()) refused = why;
    XML_StopParser(parser, XML_FALSE);
  }
};

Session& session_of(void* data) { return *static_cast<Session*>(data); }

void on_start(void* data, const XML_Char* name, const XML_Char** attributes) {
  Session& session = session_of(data);
  if (++session.depth > kXmlDepthMax) return session.stop("too many elements in elements");
  session.attributes.clear();
  for (; *attributes != nullptr; attributes += 2)
    session.attributes.push_back({split_name(attributes[0], session.separator), attributes[1]});
  if (!session.handler.start(split_name(name, session.separator), session.attributes)) session.stop({});
}

void on_end(void* data, const XML_Char* name) {
  Session& session = session_of(data);
  --session.depth;
  if (!session.handler.end(split_name(name, session.separator))) session.stop({});
}

void on_text(void* data, const XML_Char* text, int length) {
  session_of(data).handler.text({text, static_cast<std::size_t>(length)});
}

// Nobody who lists URLs needs entities of his own; who attacks a parser does.
void on_entity(void* data, const XML_Char*, int, const XML_Char*, int, const XML_Char*, const XML_Char*,
               const XML_Char*, const XML_Char*) {
  session_of(data).stop("it declares entities");
}

std::string problem_at(const Session& session) {
  const std::string_view what = session.refused.empty()
                                    ? std::string_view(XML_ErrorString(XML_GetErrorCode(session.parser)))
                                    : session.refused;
  return fmt::format("line {}, column {}: {}", XML_GetCurrentLineNumber(session.parser),
                     XML_GetCurrentColumnNumber(session.parser) + 1, what);
}

}  // namespace

std::optional<std::string> parse_xml(std::string_view utf8, XmlNames names, XmlHandler& handler) {
  const bool spaces = names == XmlNames::kNamespaces;
  const Parser parser(spaces ? XML_ParserCreateNS("UTF-8", kSeparator) : XML_ParserCreate("UTF-8"));
  WEIR_CHECK(parser != nullptr);
  Session session{.parser = parser.get(), .handler = handler, .separator = spaces ? kSeparator : kPrefixEnd};
  XML_SetUserData(parser.get(), &session);
  XML_SetElementHandler(parser.get(), on_start, on_end);
  XML_SetCharacterDataHandler(parser.get(), on_text);
  XML_SetEntityDeclHandler(parser.get(), on_entity);
  XML_SetParamEntityParsing(parser.get(), XML_PARAM_ENTITY_PARSING_NEVER);
  while (true) {
    const std::string_view piece = utf8.substr(0, kPieceBytes);
    utf8.remove_prefix(piece.size());
    const bool last = utf8.empty();
    const auto status = XML_Parse(parser.get(), piece.data(), static_cast<int>(piece.size()), last ? 1 : 0);
    if (status != XML_STATUS_OK) break;
    if (last) return std::nullopt;
  }
  if (session.stopped && session.refused.empty()) return std::nullopt;
  return problem_at(session);
}

}  // namespace weir::crawler
