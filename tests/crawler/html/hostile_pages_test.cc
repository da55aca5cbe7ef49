// Pages made to hurt a parser: each ends in bounded time and memory, gives the links of its readable part and
// is marked limited when a guard was hit. Time is judged against wide bounds, far from what the faults cost
// (minutes and gigabytes), so that a busy machine does not matter.
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <random>

#include "base/limits.h"
#include "crawler/html/charset.h"
#include "crawler/html/cost_guard.h"
#include "crawler/html/gumbo_extractor.h"
#include "tests/support/extract.h"

namespace weir::crawler {
namespace {

using namespace std::chrono_literals;

std::string repeat(std::string_view text, int count) {
  std::string out;
  out.reserve(text.size() * static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

// A clock that moves with each look, so that a deadline passes without waiting.
class SteppingClock final : public Clock {
 public:
  explicit SteppingClock(Duration step) : step_(step) {}
  Now now() const override {
    time_ += step_;
    return {time_, WallTime{}};
  }

 private:
  Duration step_;
  mutable MonoTime time_;
};

struct Outcome {
  Extraction extraction;
  Duration elapsed{0};
  long peak_growth_kib = 0;
};

long peak_kib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

// On a thread with the stack that fetcher threads have, since gumbo is known to recurse.
Outcome extract_on_parser_stack(const std::string& html, const ExtractorLimits& limits = {}) {
  Outcome outcome;
  std::function<void()> work = [&] {
    const SystemClock clock;
    GumboExtractor extractor(clock, limits);
    const long before = peak_kib();
    const MonoTime start = clock.now().mono;
    extractor.extract(html, outcome.extraction);
    outcome.elapsed = clock.now().mono - start;
    outcome.peak_growth_kib = peak_kib() - before;
  };
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, limits::kParserStackBytes);
  pthread_t thread{};
  const auto run = [](void* body) -> void* {
    (*static_cast<std::function<void()>*>(body))();
    return nullptr;
  };
  EXPECT_EQ(pthread_create(&thread, &attributes, run, &work), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  return outcome;
}

Outcome extract_by_stream(const std::string& html, const ExtractorLimits& limits) {
  Outcome outcome;
  const SystemClock clock;
  const long before = peak_kib();
  const MonoTime start = clock.now().mono;
  StreamExtractor(limits).extract(html, outcome.extraction);
  outcome.elapsed = clock.now().mono - start;
  outcome.peak_growth_kib = peak_kib() - before;
  return outcome;
}

bool has_link(const Extraction& extraction, std::string_view raw) {
  return std::ranges::any_of(extraction.links, [&](const Link& link) { return extraction.raw(link) == raw; });
}

struct Page {
  std::string_view name;
  std::string html;
  bool limited;          // by gumbo's guards
  bool reads_on = true;  // a link at the very end is part of the page
};

std::vector<Page> hostile_pages() {
  const std::string head = "<a href=first>";
  const std::string tail = "<a href=last>";
  std::vector<Page> pages;
  pages.push_back({"300 KB of table cells", head + repeat("<table><tr><td>", 20'000) + tail, true});
  pages.push_back({"100,000 nested div", head + repeat("<div>", 100'000) + tail, true});
  pages.push_back({"20,000 nested div", head + repeat("<div>", 20'000) + tail, true});
  pages.push_back({"1,000,000 unclosed b", head + repeat("<b>", 1'000'000) + tail, true});
  pages.push_back({"50,000 unclosed font", head + repeat("<font size=1>", 50'000) + tail, true});
  pages.push_back({"500 open formats in 5,000 paragraphs",
                   head +
                       [] {
                         std::string fonts;
                         for (int i = 0; i < 500; ++i) fonts += "<font a" + std::to_string(i) + ">";
                         return fonts;
                       }() +
                       "x</p>" + repeat("<p>x</p>", 5'000) + tail,
                   false});
  pages.push_back({"2 MB of <meta ", head + repeat("<meta ", 350'000) + tail, true});
  pages.push_back({"200,000 attributes",
                   head + "<p" +
                       [] {
                         std::string attributes;
                         for (int i = 0; i < 200'000; ++i) attributes += " a" + std::to_string(i);
                         return attributes;
                       }() +
                       ">" + tail,
                   true});
  pages.push_back({"20,000 unclosed p and li", head + repeat("<p><li>", 20'000) + tail, false});
  pages.push_back({"500,000 open comments", head + repeat("<!-- ", 500'000), false});
  pages.push_back({"300,000 end tags without start", head + repeat("</div></b></p>", 100'000) + tail, false});
  pages.push_back({"100,000 svg", head + repeat("<svg>", 100'000) + tail, true});
  pages.push_back({"script that never ends", head + repeat("<script><!--", 200'000), false});
  return pages;
}

std::string numbered(std::string_view before, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text.append(before).append(std::to_string(i));
  return text;
}

// Between a first and a last link.
std::vector<Page> hostile_markup() {
  std::vector<Page> pages = {
      {"100,000 nested select", repeat("<select><option>", 100'000) + "</select>", false},
      {"300,000 unclosed a", repeat("<a>", 300'000), false},
      {"50,000 nested template", repeat("<template>", 50'000) + repeat("</template>", 50'000), true},
      {"50,000 nested math", repeat("<math><mi>", 50'000) + "</math>", true},
      {"50,000 foreignObject and div", repeat("<svg><foreignObject><div>", 50'000), true},
      {"100,000 nested tables in cells", repeat("<table><td>", 100'000), true},
      {"200,000 framesets in a body", "x" + repeat("<frameset>", 200'000), true},
      {"1,000,000 less-than signs", repeat("<", 1'000'000), false},
      {"500,000 end tag openings", repeat("</ ", 500'000) + ">", false},
      {"500,000 declarations", repeat("<!x>", 500'000), false},
      {"an attribute's name of 1 MB", "<p " + std::string(1'000'000, 'n') + ">", false},
      {"an attribute's value of 900 KB", "<p title='" + std::string(900'000, '>') + "'>", false},
      {"a tag's name of 900 KB", "<" + std::string(900'000, 'n') + ">", false},
      {"a value that never closes", "<p title='" + std::string(2'000'000, 'v'), false, false},
      {"300,000 ampersands in a link", "<a href='" + repeat("&amp", 225'000) + "'>", false},
      {"100,000 references in a link", "<a href='" + repeat("&#x41;", 100'000) + "'>", false},
      {"200,000 candidates of a srcset", "<img srcset='" + repeat("a 1x,", 200'000) + "'>", false},
      {"500,000 commas of a srcset", "<img srcset='" + std::string(500'000, ',') + "'>", false},
      {"100,000 pings", "<a ping='" + repeat("p ", 100'000) + "'>", false},
      {"100,000 words of rel", "<link rel='" + repeat("next ", 100'000) + "' href=x>", false},
      {"a refresh of 500,000 digits", "<meta http-equiv=refresh content=" + std::string(500'000, '9') + ">",
       false},
      {"100,000 bases", repeat("<base href=/b>", 100'000), false},
      {"a style of 300,000 url(", "<style>" + repeat("url(", 300'000) + "</style>", false},
      {"a style of 300,000 comments", "<style>" + repeat("/**/@import", 100'000) + "</style>", false},
      {"a style that nearly ends 200,000 times", "<style>" + repeat("</styl", 200'000) + "</style>", false},
      {"a script that nearly ends 200,000 times", "<script>" + repeat("</scrip", 200'000) + "</script>", false},
      {"a textarea that never ends", "<textarea>" + std::string(2'000'000, 't'), false, false},
      {"plaintext", "<plaintext>" + repeat("<a href=no>", 100'000), false, false},
      {"a CDATA section that never ends", "<svg><![CDATA[" + repeat("]] >", 300'000), false, false},
      {"1,000,000 NUL bytes", std::string(1'000'000, '\0'), false},
      {"900 attributes of one name", "<a" + repeat(" href=x", 900) + ">", false},
      {"50,000 forms", repeat("<form action=f>", 50'000), false},
      {"40,000 links to fragments", numbered("></a><a href=#", 40'000) + ">", false},
  };
  for (Page& page : pages) page.html = "<a href=first>" + page.html + "<a href=last>";
  return pages;
}

void expect_bounded(const Outcome& outcome, const Page& page, std::string_view engine) {
  EXPECT_LT(outcome.elapsed, 20s) << page.name << " by " << engine;
  EXPECT_LT(outcome.peak_growth_kib, 400 << 10) << page.name << " by " << engine;
  EXPECT_TRUE(has_link(outcome.extraction, "first")) << page.name << " by " << engine;
  std::cout << "  " << engine << ", " << page.name << ": " << outcome.elapsed.count() / 1000 << " ms, +"
            << outcome.peak_growth_kib << " KiB, " << (outcome.extraction.limited ? "limited" : "whole")
            << "\n";
}

ExtractorLimits hostile_limits() {
  ExtractorLimits limits;
  limits.deadline = 3s;
  limits.links_max = 1'000'000;
  return limits;
}

TEST(HostilePages, EndInTimeAndMemoryWithTheirLinks) {
  for (const Page& page : hostile_pages()) {
    const Outcome outcome = extract_on_parser_stack(page.html, hostile_limits());
    expect_bounded(outcome, page, "gumbo");
    const bool reaches_end = page.html.ends_with("<a href=last>") && page.name != "2 MB of <meta ";
    EXPECT_EQ(has_link(outcome.extraction, "last"), reaches_end) << page.name;
    EXPECT_EQ(outcome.extraction.limited, page.limited) << page.name;
  }
}

TEST(HostilePages, OfOurOwnEndInTimeAndMemoryByBothEngines) {
  for (const Page& page : hostile_markup()) {
    const Outcome tree = extract_on_parser_stack(page.html, hostile_limits());
    expect_bounded(tree, page, "gumbo");
    EXPECT_EQ(has_link(tree.extraction, "last"), page.reads_on) << page.name;
    EXPECT_EQ(tree.extraction.limited, page.limited) << page.name;

    const Outcome stream = extract_by_stream(page.html, hostile_limits());
    expect_bounded(stream, page, "stream");
    EXPECT_EQ(has_link(stream.extraction, "last"), page.reads_on) << page.name;
    EXPECT_FALSE(stream.extraction.limited) << page.name;
  }
}

TEST(HostilePages, RandomBytesGiveNoLinksAndNoCrash) {
  constexpr unsigned kSeed = 64;
  std::mt19937 random(kSeed);
  std::string bytes(1 << 20, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  const DecodedText text = decode_text(bytes, "");
  const Outcome outcome = extract_on_parser_stack(text.same ? bytes : text.utf8);
  EXPECT_TRUE(outcome.extraction.links.empty()) << "seed " << kSeed;
  EXPECT_LT(outcome.elapsed, 20s);
}

// Markup soup, so that the escape from gumbo is taken at many places.
TEST(HostilePages, AnyPlaceIsGoodForGivingUp) {
  constexpr std::string_view kPieces[] = {
      "<table>", "<tr>",  "<td>",   "</table>", "<a href=x>", "</a>", "<b>",    "</b>",
      "<p>",     "text",  "<svg>",  "</svg>",   "<select>",   "<li>", "<ul>",   "</ul>",
      "<div>",   "&amp;", "</div>", "<!-- -->", "<template>", "<i>",  "<form>", "\0"};
  constexpr unsigned kSeed = 3;
  std::mt19937 random(kSeed);
  for (int round = 0; round < 300; ++round) {
    std::string html = "<a href=first>";
    for (int i = 0; i < 400; ++i) html += kPieces[random() % std::size(kPieces)];
    const SteppingClock clock(1us);
    ExtractorLimits limits;
    limits.deadline = Duration(random() % 40);
    if (round % 2 == 0) limits.arena_bytes_max = 1 << (10 + random() % 10);
    GumboExtractor extractor(clock, limits);
    for (int again = 0; again < 2; ++again) {
      Extraction extraction;
      extractor.extract(html, extraction);
      EXPECT_TRUE(has_link(extraction, "first")) << "seed " << kSeed << ", round " << round;
    }
  }
}

TEST(HostilePages, ArenaCapAndDeadlineEachLimitThePage) {
  const std::string html = "<a href=first>" + repeat("<p>text</p>", 20'000) + "<a href=last>";
  const SystemClock clock;
  ExtractorLimits small;
  small.arena_bytes_max = 1 << 20;
  const SteppingClock hasty(1s);
  GumboExtractor by_memory(clock, small);
  GumboExtractor by_time(hasty, {});
  Extraction extraction;
  for (GumboExtractor* extractor : {&by_memory, &by_time}) {
    extractor->extract(html, extraction);
    EXPECT_TRUE(extraction.limited);
    EXPECT_TRUE(has_link(extraction, "first"));
    EXPECT_TRUE(has_link(extraction, "last"));
  }
  EXPECT_FALSE(test::by_gumbo(html).limited);
}

TEST(CostGuard, CountsWhatStaysOpen) {
  EXPECT_FALSE(costs_too_much(repeat("<div>", 10), 10));
  EXPECT_TRUE(costs_too_much(repeat("<div>", 11), 10));
  EXPECT_FALSE(costs_too_much(repeat("<div></div>", 100), 10));
  EXPECT_FALSE(costs_too_much(repeat("<div><b><i></div>", 100), 10)) << "closing the outer closes the inner";
  EXPECT_FALSE(costs_too_much(repeat("<p><br><img><li><a>", 100), 10));
  EXPECT_FALSE(costs_too_much("<script>" + repeat("<div>", 100) + "</script>", 10));
  EXPECT_FALSE(costs_too_much("<!--" + repeat("<div>", 100), 10));
  EXPECT_FALSE(costs_too_much("<svg>" + repeat("<g/>", 100), 10));
  EXPECT_TRUE(costs_too_much(repeat("<div/>", 11), 10)) << "self-closing means nothing in HTML";
}

TEST(CostGuard, CountsTheAttributesOfATag) {
  EXPECT_FALSE(costs_too_much("<p" + repeat(" a", kTagAttributesMax) + ">", 10));
  EXPECT_TRUE(costs_too_much("<p" + repeat(" a", kTagAttributesMax + 1) + ">", 10));
  EXPECT_TRUE(costs_too_much("<p" + repeat(" a", kTagAttributesMax + 2), 10)) << "cut off by the end";
}

}  // namespace
}  // namespace weir::crawler
