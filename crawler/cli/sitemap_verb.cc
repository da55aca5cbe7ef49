// The same reader as in a crawl. Dates are printed as they were written.
#include "crawler/cli/sitemap_verb.h"

#include <fmt/core.h>

#include <optional>

#include "crawler/cli/input.h"
#include "crawler/output/json.h"
#include "crawler/sitemap/sitemap.h"

namespace weir::crawler {
namespace {

// The rest belongs to these.
bool is_listed(EntryKind kind) { return kind == EntryKind::kPage || kind == EntryKind::kSitemap; }

std::string as_json(const SitemapEntry& entry) {
  std::string line;
  JsonObject object(line);
  object.text("url", entry.url)
      .text("lastmod", entry.lastmod)
      .text("kind", entry_kind_name(entry.kind))
      .close();
  return line;
}

}  // namespace

ExitCode run_sitemap(const Arguments& arguments, Streams& streams) {
  const auto given = read_base(arguments.base);
  if (!given) {
    streams.problem(given.error().message());
    return exit_code(given.error().code());
  }
  const std::optional<frontier::Url>& base = *given;
  const SitemapLimits limits;
  const auto body = read_input(arguments.file, limits.bytes_max);
  if (!body) {
    streams.problem(body.error().message());
    return exit_code(body.error().code());
  }
  const Sitemap sitemap = read_sitemap(*body, {}, base ? &*base : nullptr, limits);
  for (const SitemapEntry& entry : sitemap.entries) {
    if (arguments.json) {
      streams.out_line(as_json(entry));
    } else if (is_listed(entry.kind)) {
      streams.out_line(fmt::format("{}\t{}", entry.url, entry.lastmod));
    }
  }
  if (!sitemap.problem.empty())
    streams.problem(fmt::format("{}: {}; entries before it are listed", arguments.file, sitemap.problem));
  if (sitemap.limited)
    streams.problem(fmt::format("{}: more than {} entries or {} MiB: the rest is left out", arguments.file,
                                limits.entries_max, limits.bytes_max >> 20));
  if (sitemap.invalid > 0)
    streams.problem(fmt::format("{}: {} entries are no http or https URL", arguments.file, sitemap.invalid));
  if (sitemap.format == SitemapFormat::kUnknown || sitemap.format == SitemapFormat::kXhtml) {
    streams.problem(
        fmt::format("{}: neither sitemap nor feed: no urlset, sitemapindex, rss, RDF or feed, and no "
                    "line is a URL",
                    arguments.file));
    return ExitCode::kRuntime;
  }
  return sitemap.entries.empty() && !sitemap.problem.empty() ? ExitCode::kRuntime : ExitCode::kDone;
}

}  // namespace weir::crawler
