// Cost of reading a page: gumbo in its arena, gumbo with malloc, the stream engine and the cost guard over real
// documentation (/usr/share/doc) or, where that is absent, a generated page; charset fast path; robots
// verdicts.
#include <benchmark/benchmark.h>
#include <gumbo.h>

#include <filesystem>
#include <fstream>
#include <vector>

#ifdef WEIR_HAVE_LIBXML2
#include <libxml/HTMLparser.h>
#endif

#include "crawler/html/charset.h"
#include "crawler/html/cost_guard.h"
#include "crawler/html/gumbo_extractor.h"
#include "crawler/html/stream_extractor.h"
#include "crawler/robots/robots.h"

namespace weir::crawler {
namespace {

constexpr std::size_t kPagesBytesMax = 200 << 20;

std::string generated_page() {
  std::string html = "<!DOCTYPE html><html><head><title>t</title></head><body>";
  for (int i = 0; i < 400; ++i) {
    html += "<div class=\"item\"><h2 id=\"i" + std::to_string(i) +
            "\">Heading</h2><p>Some text about <a href=\"/p/" + std::to_string(i) +
            "?a=1&amp;b=2\">a thing</a> and <code>code</code>.</p></div>\n";
  }
  return html + "</body></html>";
}

std::vector<std::string> load_pages() {
  std::vector<std::string> pages;
  std::error_code error;
  std::filesystem::recursive_directory_iterator files("/usr/share/doc", error);
  std::size_t bytes = 0;
  for (; !error && files != std::filesystem::end(files) && bytes < kPagesBytesMax; files.increment(error)) {
    if (files->path().extension() != ".html" || !files->is_regular_file(error)) continue;
    std::string page(files->file_size(error), '\0');
    std::ifstream(files->path(), std::ios::binary).read(page.data(), static_cast<std::streamsize>(page.size()));
    bytes += page.size();
    pages.push_back(std::move(page));
  }
  if (pages.empty()) pages.push_back(generated_page());
  return pages;
}

const std::vector<std::string>& pages() {
  static const std::vector<std::string> loaded = load_pages();
  return loaded;
}

template <typename Read>
void run_over_pages(benchmark::State& state, Read read) {
  std::size_t bytes = 0;
  std::size_t count = 0;
  for (auto _ : state) {
    for (const std::string& page : pages()) {
      read(page);
      bytes += page.size();
      ++count;
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
  state.SetItemsProcessed(static_cast<std::int64_t>(count));
}

void bm_gumbo_arena(benchmark::State& state) {
  const SystemClock clock;
  GumboExtractor extractor(clock, {});
  std::size_t links = 0;
  std::size_t limited = 0;
  Extraction extraction;
  run_over_pages(state, [&](const std::string& page) {
    extractor.extract(page, extraction);
    links += extraction.links.size();
    limited += extraction.limited ? 1 : 0;
  });
  state.counters["links"] = static_cast<double>(links) / static_cast<double>(state.iterations());
  state.counters["limited"] = static_cast<double>(limited) / static_cast<double>(state.iterations());
}
BENCHMARK(bm_gumbo_arena)->Unit(benchmark::kMillisecond);

void bm_gumbo_malloc(benchmark::State& state) {
  GumboOptions options = kGumboDefaultOptions;
  options.max_errors = 0;
  run_over_pages(state, [&](const std::string& page) {
    gumbo_destroy_output(&options, gumbo_parse_with_options(&options, page.data(), page.size()));
  });
}
BENCHMARK(bm_gumbo_malloc)->Unit(benchmark::kMillisecond);

void bm_stream(benchmark::State& state) {
  ExtractorLimits limits;
  limits.requisites = limits.references = state.range(0) != 0;
  StreamExtractor extractor(limits);
  Extraction extraction;
  std::size_t links = 0;
  run_over_pages(state, [&](const std::string& page) {
    extractor.extract(page, extraction);
    links += extraction.links.size();
  });
  state.counters["links"] = static_cast<double>(links) / static_cast<double>(state.iterations());
}
BENCHMARK(bm_stream)->ArgName("all_kinds")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

#ifdef WEIR_HAVE_LIBXML2
// A parser that many crawlers use, for comparison: libxml2's HTML reader, events only, no tree, links counted.
void count_links(void* links, const xmlChar* name, const xmlChar** attributes) {
  if (xmlStrcmp(name, reinterpret_cast<const xmlChar*>("a")) != 0 || attributes == nullptr) return;
  for (; *attributes != nullptr; attributes += 2) {
    if (xmlStrcmp(*attributes, reinterpret_cast<const xmlChar*>("href")) == 0)
      ++*static_cast<std::size_t*>(links);
  }
}

void bm_libxml2_events(benchmark::State& state) {
  htmlSAXHandler handler{};
  handler.startElement = count_links;
  std::size_t links = 0;
  run_over_pages(state, [&](const std::string& page) {
    htmlParserCtxtPtr parser =
        htmlCreatePushParserCtxt(&handler, &links, nullptr, 0, nullptr, XML_CHAR_ENCODING_UTF8);
    htmlParseChunk(parser, page.data(), static_cast<int>(page.size()), 1);
    htmlFreeParserCtxt(parser);
  });
  state.counters["links"] = static_cast<double>(links) / static_cast<double>(state.iterations());
}
BENCHMARK(bm_libxml2_events)->Unit(benchmark::kMillisecond);
#endif

// The floor: a search for '<', nothing else.
void bm_search_for_tags(benchmark::State& state) {
  run_over_pages(state, [](const std::string& page) {
    std::size_t tags = 0;
    for (std::size_t at = 0; (at = page.find('<', at)) != std::string::npos; ++at) ++tags;
    benchmark::DoNotOptimize(tags);
  });
}
BENCHMARK(bm_search_for_tags)->Unit(benchmark::kMillisecond);

void bm_cost_guard(benchmark::State& state) {
  run_over_pages(state, [](const std::string& page) { benchmark::DoNotOptimize(costs_too_much(page, 512)); });
}
BENCHMARK(bm_cost_guard)->Unit(benchmark::kMillisecond);

void bm_charset(benchmark::State& state, const std::string& piece, std::string_view charset) {
  std::string text;
  while (text.size() < (1 << 20)) text += piece;
  for (auto _ : state) benchmark::DoNotOptimize(decode_text(text, charset));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK_CAPTURE(bm_charset, ascii, "plain text of a page, ", "utf-8");
BENCHMARK_CAPTURE(bm_charset, german,
                  "Gr\xC3\xBC\xC3\x9F"
                  "e aus M\xC3\xBCnchen, ",
                  "utf-8");
BENCHMARK_CAPTURE(bm_charset, japanese, "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E\xE3\x81\xAE", "utf-8");
BENCHMARK_CAPTURE(bm_charset, windows1251, "\xCF\xF0\xE8\xE2\xE5\xF2 mir", "windows-1251");
BENCHMARK_CAPTURE(bm_charset, shift_jis, "\x93\xFA\x96\x7B text ", "shift_jis");

std::string robots_body(int rules) {
  std::string body = "User-agent: *\n";
  for (int i = 0; i < rules; ++i) {
    body += i % 4 == 0 ? "Disallow: /*/private" + std::to_string(i) + "*.php$\n"
                       : "Disallow: /section" + std::to_string(i) + "/\n";
  }
  return body;
}

void bm_robots_judge(benchmark::State& state) {
  const RobotsRules rules = RobotsRules::parse(robots_body(static_cast<int>(state.range(0))), "weir");
  for (auto _ : state)
    benchmark::DoNotOptimize(rules.judge("/articles/2026/12/some-title-of-a-page.html?ref=home"));
}
BENCHMARK(bm_robots_judge)->Arg(10)->Arg(100)->Arg(1000);

void bm_robots_parse(benchmark::State& state) {
  const std::string body = robots_body(100);
  for (auto _ : state) benchmark::DoNotOptimize(RobotsRules::parse(body, "weir"));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(body.size()));
}
BENCHMARK(bm_robots_parse);

}  // namespace
}  // namespace weir::crawler

BENCHMARK_MAIN();
