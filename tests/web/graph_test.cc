// The graph: its shape, its spelling, and that it is a pure function of the seed.
#include "tests/web/graph.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/web/report.h"

namespace weir::testweb {
namespace {

WebOptions options(std::uint64_t seed, std::uint32_t hosts, std::uint64_t pages) {
  WebOptions out;
  out.seed = seed;
  out.hosts = hosts;
  out.pages = pages;
  out.features = *parse_features(kDefaultFeatures);
  return out;
}

TEST(Graph, HostsShareThePagesAndEachHasOne) {
  const Graph graph(options(1, 500, 20000));
  std::uint64_t sum = 0;
  for (std::uint32_t k = 0; k < graph.hosts(); ++k) {
    EXPECT_GE(graph.pages_of(k), 1U);
    sum += graph.pages_of(k);
  }
  EXPECT_EQ(sum, 20000U);
  EXPECT_GT(graph.pages_of(0), 100 * graph.pages_of(499));
}

TEST(Graph, EveryNodeIsParsedFromItsTarget) {
  const Graph graph(options(2, 40, 3000));
  std::set<std::string> targets;
  for (const Node& node : reference_set(graph)) {
    const std::string target = graph.target(node);
    EXPECT_EQ(graph.parse(node.host, target), node) << target;
    EXPECT_TRUE(targets.insert(host_name(node.host) + target).second) << target;
  }
  const Node session{Kind::kSession, 1, 0, 0xdeadbeef};
  EXPECT_EQ(graph.parse(0, graph.target(session)), session);
}

TEST(Graph, TargetsOutsideTheGrammarAreNoNodes) {
  const Graph graph(options(3, 10, 500));
  const char* const strays[] = {"",
                                "*",
                                "/x",
                                "/p1.html",
                                "/s1/p01.html",
                                "/s2/p1.html",
                                "/S1/P1.html",
                                "/s1/p1",
                                "/out/0",
                                "/out/99",
                                "/go/6/1",
                                "/go/0/1",
                                "/go/1/0",
                                "/loop/c",
                                "/trap/s?sid=1",
                                "/calendar/2024/13",
                                "/decoy/1",
                                "/gone/x.html",
                                "/s5/list?id=18446744073709551616&view=full"};
  for (const char* target : strays) EXPECT_FALSE(graph.parse(0, target)) << target;
}

TEST(Graph, EscapesOfPlainCharactersMeanTheCharacters) {
  const Graph graph(options(3, 10, 500));
  const Node session{Kind::kSession, 0, 4, 1};
  EXPECT_EQ(graph.parse(4, "/tr%61p/%73;sid=0000000000000001"), session);
  EXPECT_FALSE(graph.parse(4, "/trap%2Fs;sid=0000000000000001"));
}

TEST(Graph, OneSeedIsOneWebAndAnotherSeedIsAnother) {
  const Graph first(options(4, 20, 600)), same(options(4, 20, 600)), other(options(5, 20, 600));
  std::uint64_t differences = 0;
  for (std::uint32_t k = 0; k < 20; ++k) {
    for (std::uint64_t i = 0; i < first.pages_of(k); ++i) {
      const Node page{.host = k, .index = i};
      EXPECT_EQ(first.links(page), same.links(page));
      differences += first.links(page) != other.links(page) ? 1U : 0U;
    }
  }
  EXPECT_GT(differences, 300U);
}

TEST(Graph, ChanceLinksHaveTheMeanThatWasAskedFor) {
  WebOptions wide = options(6, 1, 20000);
  wide.links = 20;
  wide.features = {};
  const Graph graph(wide);
  std::uint64_t links = 0;
  for (std::uint64_t i = 0; i < 20000; ++i) links += graph.links({.index = i}).size();
  // One link a page is the way down to it; rounding down takes half a link, cutting the tail half of one more.
  EXPECT_NEAR(static_cast<double>(links) / 20000, 20, 2);
}

TEST(ReferenceSet, HoldsEveryPageWhenNothingIsForbidden) {
  WebOptions plain = options(7, 100, 5000);
  plain.features = {};
  EXPECT_EQ(reference_set(Graph(plain)).size(), 5000U);
  plain.features = *parse_features("redirects,errors,flaky,aliases");
  const Graph graph(plain);
  std::uint64_t pages = 0;
  for (const Node& node : reference_set(graph)) pages += node.kind == Kind::kPage ? 1U : 0U;
  EXPECT_EQ(pages, 5000U);
}

TEST(ReferenceSet, HoldsNothingThatIsForbiddenOrEndless) {
  const Graph graph(options(8, 60, 3000));
  std::uint64_t kinds = 0;
  for (const Node& node : reference_set(graph)) {
    EXPECT_FALSE(graph.forbidden(node) || Graph::endless(node)) << graph.target(node);
    kinds |= std::uint64_t{1} << static_cast<unsigned>(node.kind);
  }
  for (const Kind kind : {Kind::kPage, Kind::kHop, Kind::kExit, Kind::kLoop, Kind::kMissing, Kind::kBroken,
                          Kind::kOpen, Kind::kSecretPage}) {
    EXPECT_TRUE((kinds >> static_cast<unsigned>(kind)) & 1U) << static_cast<int>(kind);
  }
}

TEST(Options, WrongWordsAreRefusedByName) {
  const std::vector<std::pair<std::vector<std::string_view>, std::string>> rows = {
      {{"--pagess", "1"}, "flag '--pagess' is not known"},
      {{"--pages"}, "--pages wants a value"},
      {{"--pages", "1k"}, "--pages does not take '1k'"},
      {{"--hosts", "0"}, "--hosts does not take '0'"},
      {{"--pages", "3", "--hosts", "4"}, "--pages 3 is less than --hosts 4: every host has a first page"},
      {{"--features", "redirect"}, "--features does not take 'redirect'"}};
  for (const auto& [words, message] : rows) {
    const auto parsed = parse_options(words);
    ASSERT_FALSE(parsed.has_value()) << message;
    EXPECT_EQ(parsed.error().message(), message);
  }
}

}  // namespace
}  // namespace weir::testweb
