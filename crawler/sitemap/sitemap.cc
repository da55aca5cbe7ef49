// From bytes to the right reader: gzip off, charset, then XML or lines. See sitemap.h.
#include "crawler/sitemap/sitemap.h"

#include <zlib.h>

#include <algorithm>
#include <array>

#include "crawler/html/ascii.h"
#include "crawler/html/charset.h"
#include "crawler/sitemap/sitemap_handler.h"
#include "crawler/xml/xml_parser.h"

namespace weir::crawler {
namespace {

// As much as can be unpacked within `bytes_max`; says why it is not all.
std::string gunzip(std::string_view packed, std::size_t bytes_max, Sitemap& sitemap) {
  std::string out;
  z_stream stream = {};
  if (inflateInit2(&stream, 16 + MAX_WBITS) != Z_OK) return out;
  std::array<char, 1 << 15> buffer{};
  // zlib does not write to its input.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  int status = Z_OK;
  while (status == Z_OK && out.size() < bytes_max) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    status = inflate(&stream, Z_NO_FLUSH);
    out.append(buffer.data(), buffer.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (status == Z_OK) sitemap.limited = true;
  if (status != Z_OK && status != Z_STREAM_END) sitemap.problem = "the gzip data is damaged or cut";
  out.resize(std::min(out.size(), bytes_max));
  return out;
}

void read_lines(std::string_view text, SitemapEntries& entries) {
  while (!text.empty() && !entries.full()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    const std::string_view line = trim_ascii_space(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty()) entries.add(line, {}, EntryKind::kPage);
  }
}

void read_xml(std::string_view text, Sitemap& sitemap, SitemapEntries& entries) {
  std::string mended;
  SitemapHandler handler(entries);
  const auto problem = parse_xml(mend_references(text, true, mended), XmlNames::kPrefixes, handler);
  handler.finish();
  sitemap.format = handler.format();
  if (problem) sitemap.problem = *problem;
}

}  // namespace

bool is_gzip(std::string_view body) { return body.starts_with("\x1F\x8B"); }

std::string_view entry_kind_name(EntryKind kind) {
  switch (kind) {
    case EntryKind::kPage: return "page";
    case EntryKind::kSitemap: return "sitemap";
    case EntryKind::kAlternate: return "alternate";
    case EntryKind::kImage: return "image";
    case EntryKind::kVideo: return "video";
    case EntryKind::kEnclosure: return "enclosure";
    case EntryKind::kFeed: return "feed";
  }
  return "unknown";
}

Sitemap read_sitemap(std::string_view body, std::string_view charset, const frontier::Url* base,
                     const SitemapLimits& limits) {
  Sitemap sitemap;
  std::string unpacked;
  if (is_gzip(body)) {
    unpacked = gunzip(body, limits.bytes_max, sitemap);
    body = unpacked;
  }
  if (body.size() > limits.bytes_max) {
    sitemap.limited = true;
    body = body.substr(0, limits.bytes_max);
  }
  const DecodedText decoded = decode_text(body, charset);
  const std::string_view text =
      trim_ascii_space(decoded.same ? body.substr(decoded.bom_bytes) : std::string_view(decoded.utf8));
  SitemapEntries entries(base, limits.entries_max, sitemap);
  if (text.starts_with('<')) {
    read_xml(text, sitemap, entries);
  } else {
    read_lines(text, entries);
    if (!sitemap.entries.empty()) sitemap.format = SitemapFormat::kText;
  }
  return sitemap;
}

}  // namespace weir::crawler
