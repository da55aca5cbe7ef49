// Seed files to candidate batches: forms of files, bad lines by number, and that size costs no memory.
#include "crawler/seeds/seed_feed.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "crawler/seeds/line_source.h"
#include "frontier/url/url_key.h"

namespace weir::crawler {
namespace {

class SeedFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        testing::TempDir() + "weir_seeds_" + testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(std::string_view text, const std::string& name = "seeds.txt") {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  std::string write_gzip(std::string_view text) {
    const std::string path = folder_ + "/seeds";  // told by its first bytes, not by its name
    gzFile file = gzopen(path.c_str(), "wb");
    EXPECT_EQ(gzwrite(file, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
    gzclose(file);
    return path;
  }

  Result<SeedReport> feed(const SeedSources& sources, const frontier::ScopeOptions& options) {
    const auto scope = frontier::Scope::compile(options);
    return feed_seeds(sources, *scope, rules_, secret_,
                      [this](const frontier::CandidateBatch& batch) -> Result<void> {
                        batches_.push_back(batch);
                        return {};
                      });
  }
  void set_rules(std::vector<std::string> names) {
    rules_ = *frontier::KeyRules::compile({std::move(names), {}});
  }
  Result<SeedReport> feed_all(const SeedSources& sources) {
    frontier::ScopeOptions options;
    options.hosts = {"*"};
    return feed(sources, options);
  }
  std::vector<std::string> urls() const {
    std::vector<std::string> urls;
    for (const auto& batch : batches_) {
      for (const auto& item : batch.items) urls.emplace_back(batch.url(item));
    }
    return urls;
  }

  std::string folder_;
  frontier::KeyRules rules_;
  dedup::Secret secret_{};
  std::vector<frontier::CandidateBatch> batches_;
};

constexpr std::string_view kMixed =
    "\xEF\xBB\xBF# seeds\r\n"
    "\r\n"
    "http://a.test/1\r\n"
    "a.test/2\tdepth=1\ttag=x\r\n"
    "http://[bad\r\n"
    "a.test/3";
const std::vector<std::string> kMixedUrls = {"http://a.test/1", "http://a.test/3", "http://a.test/2"};

TEST_F(SeedFiles, PlainAndGzipGiveTheSameSeeds) {
  for (const std::string& path : {write(kMixed), write_gzip(kMixed)}) {
    batches_.clear();
    const auto report = feed_all({{}, {path}, -1});
    ASSERT_TRUE(report) << report.error().message();
    EXPECT_EQ(report->good, 3u);
    EXPECT_EQ(report->bad, 1u);
    auto found = urls();
    std::ranges::sort(found);
    auto expected = kMixedUrls;
    std::ranges::sort(expected);
    EXPECT_EQ(found, expected) << path;
    EXPECT_NE(format_bad_seeds(*report).find(path + ":5: 'http://[bad' is no URL"), std::string::npos)
        << format_bad_seeds(*report);
  }
}

TEST_F(SeedFiles, CandidatesCarryWhatTheFrontierNeeds) {
  const auto report = feed_all({{"http://a.test:8080/x\tdepth=3\ttag=t\tpriority=low"}, {}, -1});
  ASSERT_TRUE(report);
  ASSERT_EQ(batches_.size(), 1u);
  const auto& batch = batches_[0];
  ASSERT_EQ(batch.items.size(), 1u);
  EXPECT_EQ(batch.tag, "t");
  EXPECT_EQ(batch.depth_limit, 3);
  EXPECT_EQ(batch.parent, "");
  EXPECT_EQ(batch.items[0].priority, frontier::Priority::kLow);
  EXPECT_EQ(batch.items[0].depth, 0);
  EXPECT_EQ(batch.origin(batch.items[0]), "http://a.test:8080");
  EXPECT_EQ(batch.items[0].fingerprint, dedup::fingerprint("http://a.test:8080/x", secret_));
}

TEST_F(SeedFiles, SeedsOutOfScopeAreCountedAndLeftOut) {
  frontier::ScopeOptions options;
  options.hosts = {"a.test"};
  const auto report = feed({{"http://a.test/", "http://b.test/"}, {}, -1}, options);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->out_of_scope, 1u);
  EXPECT_EQ(urls(), (std::vector<std::string>{"http://a.test/"}));
}

TEST_F(SeedFiles, AlternatingTagsShareFewBatches) {
  std::string text;
  constexpr int kSeeds = 10'000;
  for (int i = 0; i < kSeeds; ++i)
    text += "a.test/" + std::to_string(i) + "\ttag=" + (i % 2 == 0 ? "x" : "y") + "\n";
  const auto report = feed_all({{}, {write(text)}, -1});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->good, static_cast<std::uint64_t>(kSeeds));
  EXPECT_EQ(urls().size(), static_cast<std::size_t>(kSeeds));
  EXPECT_LE(batches_.size(), 8u);  // each is a durable commit
}

// A URL named twice was crawled under the attributes of its second mention.
TEST_F(SeedFiles, TheFirstMentionOfAUrlWins) {
  ASSERT_TRUE(feed_all({{"a.test/x\ttag=z", "a.test/x", "a.test/x\tdepth=0"}, {}, -1}));
  ASSERT_EQ(urls(), (std::vector<std::string>{"http://a.test/x"}));
  EXPECT_EQ(batches_[0].tag, "z");
}

TEST_F(SeedFiles, ALineOverTheLimitIsBadAndTheNextIsRead) {
  const std::string text = "a.test/1\na.test/" + std::string(limits::kSeedLineBytesMax, 'x') + "\na.test/2\n";
  const auto report = feed_all({{}, {write(text)}, -1});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->bad, 1u);
  EXPECT_EQ(report->first_bad.at(0).line, 2u);
  EXPECT_EQ(urls(), (std::vector<std::string>{"http://a.test/1", "http://a.test/2"}));
}

TEST_F(SeedFiles, OnlyTheFirstBadLinesAreNamed) {
  std::string text;
  for (int i = 0; i < 25; ++i) text += "http://[\n";
  const auto report = feed_all({{}, {write(text)}, -1});
  ASSERT_TRUE(report);
  EXPECT_EQ(report->bad, 25u);
  EXPECT_EQ(report->first_bad.size(), kBadSeedsNamed);
  EXPECT_NE(format_bad_seeds(*report).find("and 15 more bad lines"), std::string::npos);
}

TEST_F(SeedFiles, FilesThatCannotBeReadAreUsageErrors) {
  const std::string cut = write_gzip(std::string(100'000, 'x') + "\n");
  std::filesystem::resize_file(cut, std::filesystem::file_size(cut) - 10);
  for (const std::string& path : {folder_ + "/missing", folder_, cut, write("\xFF\xFEh\0t\0", "utf16.txt")}) {
    const auto report = feed_all({{}, {path}, -1});
    ASSERT_FALSE(report) << path;
    EXPECT_EQ(report.error().code(), ErrorCode::kUsage);
    EXPECT_NE(report.error().message().find("cannot read '"), std::string::npos) << report.error().message();
  }
}

TEST_F(SeedFiles, KeyRulesMergeSeedsAndHashbangKeepsTheirFragments) {
  set_rules({"strip-www"});
  ASSERT_TRUE(feed_all({{"www.a.test/x", "a.test/x", "a.test/y#!1", "a.test/y#!2"}, {}, -1}));
  EXPECT_EQ(urls(), (std::vector<std::string>{"http://www.a.test/x", "http://a.test/y"}));
  batches_.clear();
  set_rules({"hashbang"});
  ASSERT_TRUE(feed_all({{"a.test/y#!1", "a.test/y#!2", "a.test/y#3"}, {}, -1}));
  EXPECT_EQ(urls(), (std::vector<std::string>{"http://a.test/y#!1", "http://a.test/y#!2", "http://a.test/y"}));
}

TEST_F(SeedFiles, AnErrorOfTheSinkEndsTheReading) {
  frontier::ScopeOptions options;
  options.hosts = {"*"};
  const auto scope = frontier::Scope::compile(options);
  const auto report = feed_seeds(
      {{"a.test"}, {}, -1}, *scope, frontier::KeyRules(), secret_,
      [](const frontier::CandidateBatch&) -> Result<void> { return fail(ErrorCode::kState, "disk"); });
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code(), ErrorCode::kState);
}

TEST_F(SeedFiles, LinesComeWithoutMarkAndLineEnd) {
  auto source = LineSource::open(write("\xEF\xBB\xBFone\r\ntwo\n\nfour"));
  ASSERT_TRUE(source);
  for (const std::string_view line : {"one", "two", "", "four"}) {
    ASSERT_EQ(source->next().value_or(LineEvent::kEnd), LineEvent::kLine);
    EXPECT_EQ(source->text(), line);
  }
  EXPECT_EQ(source->number(), 4u);
  EXPECT_EQ(source->next().value_or(LineEvent::kLine), LineEvent::kEnd);
}

TEST_F(SeedFiles, LinesAcrossChunksStayWhole) {
  std::string text;
  std::vector<std::string> expected;
  for (int i = 0; i < 20'000; ++i) {
    expected.push_back("http://a.test/" + std::string(static_cast<std::size_t>(i % 97), 'p') +
                       std::to_string(i));
    text += expected.back() + "\n";
  }
  ASSERT_TRUE(feed_all({{}, {write(text)}, -1}));
  EXPECT_EQ(urls(), expected);
}

}  // namespace
}  // namespace weir::crawler
