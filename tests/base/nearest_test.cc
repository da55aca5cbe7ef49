// "Did you mean": which word is suggested for which mistake, and when none is.
#include "base/nearest.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace weir {
namespace {

struct Row {
  std::string_view word;
  std::string_view meant;
  std::string_view reason;
};

TEST(Nearest, SuggestsTheWordWithTheFewestEdits) {
  constexpr std::string_view kKnown[] = {"max_depth", "delay", "durability", "exact", "bloom", "os", "delays"};
  constexpr Row kRows[] = {
      {"max_depht", "max_depth", "neighbours swapped are one edit"},
      {"dealy", "delay", "swap in a short word"},
      {"delayy", "delay", "the first of equals"},
      {"durabilty", "durability", "a letter missing"},
      {"exakt", "exact", "a letter replaced"},
      {"bl00m", "bloom", "two edits of five letters are within a third, rounded up"},
      {"exact", "exact", "no edit at all"},
      {"o", "os", "one edit of two letters"},
      {"redis-set", "", "nothing is near"},
      {"", "", "nothing was written"},
  };
  for (const Row& row : kRows) EXPECT_EQ(nearest(row.word, kKnown), row.meant) << row.reason;
}

TEST(Nearest, LongWordsAreNotCompared) {
  const std::string word(65, 'a');
  const std::string_view known[] = {word};
  EXPECT_EQ(nearest(word, known), "");
}

TEST(Nearest, AnEmptyListSuggestsNothing) { EXPECT_EQ(nearest("delay", {}), ""); }

}  // namespace
}  // namespace weir
