// Cost of URL identity per URL, in time and allocations: parse, resolve against a page, key. Over real URLs
// when the corpora are beside the repository, else over made ones. Counts every operator new of the process.
#include <benchmark/benchmark.h>
#include <zlib.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "frontier/url/key_rules.h"
#include "frontier/url/url.h"
#include "frontier/url/url_key.h"
#include "tests/support/corpora.h"

namespace {

std::atomic<std::uint64_t> allocations{0};

}  // namespace

// noinline: seen from inside a caller, malloc and delete look mismatched to g++.
[[gnu::noinline]] void* operator new(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* block = std::malloc(size)) return block;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* block) noexcept { std::free(block); }
[[gnu::noinline]] void operator delete(void* block, std::size_t) noexcept { std::free(block); }

namespace weir::frontier {
namespace {

constexpr int kMadeUrls = 20'000;

std::string gunzip(const std::string& path) {
  std::string text;
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) return text;
  std::array<char, 1 << 16> buffer{};
  for (int got = 0; (got = gzread(file, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  gzclose(file);
  return text;
}

std::vector<std::string> made_urls() {
  std::vector<std::string> urls;
  for (int i = 0; i < kMadeUrls; ++i) {
    urls.push_back("https://www.host" + std::to_string(i % 700) + ".example/section/" + std::to_string(i) +
                   "/page.html?id=" + std::to_string(i * 7) + "&sort=name");
  }
  return urls;
}

// Lines of a corpus that are URLs.
std::vector<std::string> read_urls(const std::string& name) {
  const auto folder = test::corpora_folder(WEIR_SOURCE_DIR);
  if (!folder) return made_urls();
  const std::string text = gunzip(*folder / "urls" / name);
  std::vector<std::string> urls;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string line = text.substr(start, end - start);
    if (parse_url(line)) urls.push_back(line);
    start = end + 1;
  }
  return urls.empty() ? made_urls() : urls;
}

// Runs `work` on every element, and reports time and allocations per element.
template <typename Items, typename Work>
void measure(benchmark::State& state, const Items& items, Work work) {
  const std::uint64_t before = allocations.load();
  for (auto _ : state) {
    for (const auto& item : items) work(item);
  }
  const auto urls = static_cast<double>(state.iterations()) * static_cast<double>(items.size());
  state.counters["time/url"] =
      benchmark::Counter(urls, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["allocations/url"] = static_cast<double>(allocations.load() - before) / urls;
}

void parse(benchmark::State& state, const std::string& corpus) {
  measure(state, read_urls(corpus), [](const std::string& url) { benchmark::DoNotOptimize(parse_url(url)); });
}

// As links on a page are written: path only, against a page of the same site.
void resolve(benchmark::State& state, const std::string& corpus) {
  std::vector<std::string> links;
  for (const std::string& text : read_urls(corpus)) {
    const Url url = *parse_url(text);
    links.push_back(std::string(url.path()) + (url.has_query() ? "?" + std::string(url.query()) : ""));
  }
  const Url base = *parse_url("https://www.example.test/section/page.html");
  measure(state, links, [&](const std::string& link) { benchmark::DoNotOptimize(parse_url(link, &base)); });
}

std::vector<Url> parsed(const std::string& corpus) {
  std::vector<Url> urls;
  for (const std::string& text : read_urls(corpus)) urls.push_back(*parse_url(text));
  return urls;
}

void key(benchmark::State& state, const std::string& corpus) {
  measure(state, parsed(corpus), [](const Url& url) { benchmark::DoNotOptimize(canonical_key(url)); });
}

void key_into_buffer(benchmark::State& state, const std::string& corpus) {
  std::string buffer;
  measure(state, parsed(corpus), [&](const Url& url) {
    buffer.clear();
    append_key(buffer, url);
    benchmark::DoNotOptimize(buffer.data());
  });
}

// Through KeyRules: without a rule it must cost what key_into_buffer does.
void key_by_rules(benchmark::State& state, const std::string& corpus, bool all) {
  KeyRulesOptions options;
  for (const std::string_view name : key_rule_names()) {
    if (all) options.rules.emplace_back(name);
  }
  const KeyRules rules = *KeyRules::compile(options);
  std::string buffer;
  measure(state, parsed(corpus), [&](const Url& url) {
    buffer.clear();
    rules.append_key(buffer, url);
    benchmark::DoNotOptimize(buffer.data());
  });
}

void wire(benchmark::State& state, const std::string& corpus) {
  measure(state, parsed(corpus), [](const Url& url) { benchmark::DoNotOptimize(wire_form(url)); });
}

BENCHMARK_CAPTURE(parse, mixed_web, "kasztp.txt.gz");
BENCHMARK_CAPTURE(parse, link_graph, "linkgraph-urls.txt.gz");
BENCHMARK_CAPTURE(parse, homepages, "debian-homepages.txt.gz");
BENCHMARK_CAPTURE(resolve, mixed_web, "kasztp.txt.gz");
BENCHMARK_CAPTURE(resolve, link_graph, "linkgraph-urls.txt.gz");
BENCHMARK_CAPTURE(key, mixed_web, "kasztp.txt.gz");
BENCHMARK_CAPTURE(key, link_graph, "linkgraph-urls.txt.gz");
BENCHMARK_CAPTURE(key_into_buffer, mixed_web, "kasztp.txt.gz");
BENCHMARK_CAPTURE(key_into_buffer, link_graph, "linkgraph-urls.txt.gz");
BENCHMARK_CAPTURE(key_by_rules, mixed_web_none, "kasztp.txt.gz", false);
BENCHMARK_CAPTURE(key_by_rules, link_graph_none, "linkgraph-urls.txt.gz", false);
BENCHMARK_CAPTURE(key_by_rules, mixed_web_all, "kasztp.txt.gz", true);
BENCHMARK_CAPTURE(key_by_rules, link_graph_all, "linkgraph-urls.txt.gz", true);
BENCHMARK_CAPTURE(wire, mixed_web, "kasztp.txt.gz");

}  // namespace
}  // namespace weir::frontier

BENCHMARK_MAIN();
