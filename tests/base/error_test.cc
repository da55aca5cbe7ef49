// Errors carry what the caller does next and a message that grows by one context per floor.
#include "base/error.h"

#include <gtest/gtest.h>

#include "base/check.h"

namespace weir {
namespace {

TEST(Error, ContextStandsInFrontAndKeepsTheCode) {
  const Error error =
      Error(ErrorCode::kState, "checksum differs").with_context("snapshot 'a'").with_context("open");
  EXPECT_EQ(error.message(), "open: snapshot 'a': checksum differs");
  EXPECT_EQ(error.code(), ErrorCode::kState);
}

TEST(Error, FailMakesAResultWithoutValue) {
  const Result<int> result = fail(ErrorCode::kRetry, "disk full");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code(), ErrorCode::kRetry);
}

TEST(CheckDeathTest, ABrokenInvariantNamesItsPlaceAndAborts) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(WEIR_CHECK(1 + 1 == 3), "broken invariant at .*error_test.cc:[0-9]+: 1 \\+ 1 == 3");
  WEIR_CHECK(1 + 1 == 2);
}

}  // namespace
}  // namespace weir
