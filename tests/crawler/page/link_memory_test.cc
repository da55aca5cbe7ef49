// The two memories that spare work on repeated links.
#include "crawler/page/link_memory.h"

#include <gtest/gtest.h>

namespace weir::crawler {
namespace {

TEST(PageHrefs, ATextIsFirstOncePerPage) {
  PageHrefs hrefs;
  hrefs.start_page();
  EXPECT_TRUE(hrefs.first("/a"));
  EXPECT_FALSE(hrefs.first("/a"));
  EXPECT_TRUE(hrefs.first("/b"));
  hrefs.start_page();
  EXPECT_TRUE(hrefs.first("/a"));
}

TEST(RecentLinks, RemembersTheVerdictOfTheWholeFingerprint) {
  RecentLinks recent;
  const dedup::Fingerprint one{1, 5};
  const dedup::Fingerprint same_slot{2, 5};
  EXPECT_EQ(recent.find(one), RecentVerdict::kUnknown);
  recent.remember(one, RecentVerdict::kSent);
  EXPECT_EQ(recent.find(one), RecentVerdict::kSent);
  EXPECT_EQ(recent.find(same_slot), RecentVerdict::kUnknown);  // never a stranger's verdict
  recent.remember(same_slot, RecentVerdict::kOutOfScope);
  EXPECT_EQ(recent.find(same_slot), RecentVerdict::kOutOfScope);
  EXPECT_EQ(recent.find(one), RecentVerdict::kUnknown);
}

TEST(RecentLinks, TheZeroFingerprintOfAnEmptySlotIsUnknown) {
  const RecentLinks recent;
  EXPECT_EQ(recent.find(dedup::Fingerprint{}), RecentVerdict::kUnknown);
}

}  // namespace
}  // namespace weir::crawler
