// `weir sitemap`: what a sitemap or feed lists.
#pragma once

#include "crawler/cli/arguments.h"
#include "crawler/cli/streams.h"

namespace weir::crawler {

// "url<TAB>lastmod" a line, in the document's order; pages and sitemaps, and with --json every kind. kRuntime
// when nothing could be read.
ExitCode run_sitemap(const Arguments& arguments, Streams& streams);

}  // namespace weir::crawler
