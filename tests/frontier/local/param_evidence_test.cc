// ParamEvidence: which pages are compared, and how a pair is counted.
#include "frontier/local/param_evidence.h"

#include <gtest/gtest.h>

#include "tests/support/frontier_world.h"

namespace weir::test {
namespace {

using frontier::local::ParamCount;
using frontier::local::ParamEvidence;

struct Page {
  std::string_view url;
  std::uint64_t digest;
};

class Evidence : public ::testing::Test {
 protected:
  // "host param pages/agreeing/disagreeing/values" a line.
  std::string counts(std::initializer_list<Page> pages) {
    ScratchFolder folder;
    auto evidence = ParamEvidence::open(folder.path() + "/sort", *log_);
    EXPECT_TRUE(evidence);
    for (const Page& page : pages) EXPECT_TRUE((*evidence)->add(*frontier::parse_url(page.url), page.digest));
    std::string lines;
    EXPECT_TRUE((*evidence)->for_each([&](const ParamCount& count) {
      last_ = count;
      lines += count.host + " " + count.param + " " + std::to_string(count.pages) + "/" +
               std::to_string(count.pairs_agreeing) + "/" + std::to_string(count.pairs_disagreeing) + "/" +
               std::to_string(count.values) + "\n";
    }));
    return lines;
  }

  std::unique_ptr<Log> log_ = Log::discard();
  ParamCount last_;
};

TEST_F(Evidence, PagesThatDifferInOneValueAreCompared) {
  EXPECT_EQ(counts({{"http://a.test/x?s=1", 7}, {"http://a.test/x?s=2", 7}, {"http://a.test/x?s=3", 8}}),
            "a.test s 1/1/1/3\n");
  EXPECT_EQ(last_.examples[0], "http://a.test/x?s=1");
  EXPECT_EQ(last_.examples[1], "http://a.test/x?s=2");
}

TEST_F(Evidence, AbsenceIsAValue) {
  EXPECT_EQ(counts({{"http://a.test/x", 7}, {"http://a.test/x?s=2", 7}}), "a.test s 1/1/0/2\n");
  EXPECT_EQ(counts({{"http://a.test/x?a=1", 7}, {"http://a.test/x?a=1&s", 8}}), "a.test s 1/0/1/2\n");
}

TEST_F(Evidence, OthersMustBeEqual) {
  EXPECT_EQ(counts({{"http://a.test/x?s=1&t=1", 7},
                    {"http://a.test/x?s=2&t=2", 7},
                    {"http://a.test/y?s=1", 7},
                    {"http://b.test/x?s=1", 7},
                    {"http://b.test/x?s=2#f", 7},
                    {"https://b.test/x?s=3", 7}}),
            "b.test s 1/1/0/3\n");
}

TEST_F(Evidence, HostsAndParametersAreKeptApart) {
  EXPECT_EQ(counts({{"http://a.test/?s=1&p=1", 1},
                    {"http://a.test/?s=2&p=1", 1},
                    {"http://a.test/?s=1&p=2", 2},
                    {"http://a.test/?s=2&p=2", 2},
                    {"http://a.test:81/?s=2", 2},
                    {"http://a.test:81/", 2},
                    {"http://b.test/?s", 1},
                    {"http://b.test/?s=1", 2}}),
            "a.test p 2/0/2/2\na.test s 3/3/0/3\nb.test s 1/0/1/2\n");
}

TEST_F(Evidence, NamesAreInTheKeysSpellingAndRepeatsAreOneValue) {
  EXPECT_EQ(counts({{"http://a.test/?%73=1&s=2", 7}, {"http://a.test/?s=2&s=1", 7}}), "a.test s 1/1/0/2\n");
  EXPECT_EQ(counts({{"http://a.test/?=1", 7}, {"http://a.test/?=2", 7}, {"http://a.test/?", 7}}), "");
}

TEST_F(Evidence, ManyParametersAreCountedUpToTheBound) {
  std::string query = "http://a.test/?";
  for (std::size_t i = 0; i < frontier::local::kParamsPerUrlMax; ++i) query += "p" + std::to_string(i) + "&";
  EXPECT_EQ(counts({{query + "z=1", 7}, {query + "z=2", 7}}), "");
}

}  // namespace
}  // namespace weir::test
