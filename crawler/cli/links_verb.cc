// The same steps as in a crawl: charset, extraction, base, resolution, wire form.
#include "crawler/cli/links_verb.h"

#include <fmt/core.h>

#include <optional>

#include "crawler/cli/input.h"
#include "crawler/config/options.h"
#include "crawler/html/charset.h"
#include "crawler/html/document_base.h"
#include "crawler/html/make_extractor.h"
#include "crawler/html/media_type.h"
#include "crawler/html/query_encoder.h"
#include "crawler/output/json.h"
#include "crawler/xml/xhtml_extractor.h"
#include "frontier/url/url.h"

namespace weir::crawler {
namespace {

using frontier::Url;

std::string link_as_json(const Extraction& page, const Link& link, const Url& url) {
  std::string text;
  JsonObject object(text);
  object.text("url", url.href()).text("tag", link.tag).text("attr", link.attribute).text("rel", page.rel(link));
  object.boolean("nofollow", link.nofollow || page.nofollow).text("kind", link_kind_name(link.kind)).close();
  return text;
}

}  // namespace

ExitCode run_links(const Arguments& arguments, const Config& config, const Clock& clock, Streams& streams) {
  const auto given = read_base(arguments.base);
  if (!given) {
    streams.problem(given.error().message());
    return exit_code(given.error().code());
  }
  const std::optional<frontier::Url>& page = *given;
  const auto body = read_input(arguments.file, config.fetch.body_bytes_max);
  if (!body) {
    streams.problem(body.error().message());
    return exit_code(body.error().code());
  }
  const MediaType type = parse_media_type(arguments.content_type);
  const DecodedText text = decode_text(*body, type.charset);
  const std::string_view utf8 =
      text.same ? std::string_view(*body).substr(text.bom_bytes) : std::string_view(text.utf8);
  ExtractorLimits limits = extractor_limits(config);
  limits.requisites = limits.references = true;
  Extraction extraction;
  if (!type.is_xml() || !extract_xhtml(utf8, limits, extraction))
    make_extractor(config.parse.engine, clock, limits)->extract(utf8, extraction);
  std::optional<Url> base = document_base(extraction, page ? &*page : nullptr);
  if (!base) base = page;
  const frontier::QueryEncoder* const encoder = query_encoder(text.encoding_id);
  for (const Link& link : extraction.links) {
    if (!arguments.json && link.kind != LinkKind::kPage) continue;
    const auto url = frontier::parse_url(extraction.raw(link), base ? &*base : nullptr, encoder);
    if (!url) continue;
    const Url wire = frontier::wire_form(*url);
    streams.out_line(arguments.json ? link_as_json(extraction, link, wire) : wire.href());
  }
  if (extraction.limited)
    streams.problem("the page ran into a guard (depth, memory or time): links of the readable part");
  return ExitCode::kDone;
}

}  // namespace weir::crawler
