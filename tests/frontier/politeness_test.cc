// The arithmetic of waiting: which delay wins, what caps it, and that no setting overflows.
#include "frontier/politeness.h"

#include <gtest/gtest.h>

#include <limits>

namespace weir::frontier {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(HostDelay, LongestWishWins) {
  PolitenessOptions options;
  options.delay = seconds(1);
  options.adaptive_factor = 10;
  EXPECT_EQ(host_delay(options, Duration(0), Duration(0)), seconds(1));
  EXPECT_EQ(host_delay(options, seconds(5), milliseconds(200)), seconds(5));
  EXPECT_EQ(host_delay(options, Duration(0), milliseconds(200)), seconds(2));
}

TEST(HostDelay, CrawlDelayIsObeyedUpToItsCap) {
  const PolitenessOptions options;
  EXPECT_EQ(host_delay(options, seconds(300), Duration(0)), seconds(300));
  EXPECT_EQ(host_delay(options, hours(48), Duration(0)), options.crawl_delay_max);
}

TEST(HostDelay, AdaptiveDelayIsCappedAndOffByDefault) {
  PolitenessOptions options;
  EXPECT_EQ(host_delay(options, Duration(0), hours(1)), options.delay);
  options.adaptive_factor = 1e300;
  EXPECT_EQ(host_delay(options, Duration(0), Duration::max()), options.delay_max);
  options.adaptive_factor = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(host_delay(options, Duration(0), seconds(9)), options.delay);
}

TEST(HostDelay, CapsNeverShortenTheConfiguredDelay) {
  PolitenessOptions options;
  options.delay = hours(2);
  EXPECT_EQ(host_delay(options, hours(9), hours(9)), hours(2));
}

TEST(RetryBackoff, DoublesUpToItsCap) {
  RetryPolicy policy;
  policy.backoff = seconds(10);
  policy.backoff_max = seconds(60);
  EXPECT_EQ(retry_backoff(policy, 0), seconds(10));
  EXPECT_EQ(retry_backoff(policy, 1), seconds(20));
  EXPECT_EQ(retry_backoff(policy, 2), seconds(40));
  EXPECT_EQ(retry_backoff(policy, 3), seconds(60));
  EXPECT_EQ(retry_backoff(policy, 0xffffffff), seconds(60));
}

TEST(RetryBackoff, ExtremesDoNotOverflow) {
  RetryPolicy policy;
  policy.backoff_max = Duration::max();
  EXPECT_EQ(retry_backoff(policy, 1000), Duration::max());
  policy.backoff = Duration(0);
  EXPECT_EQ(retry_backoff(policy, 0xffffffff), Duration(0));
  policy.backoff = hours(2);
  policy.backoff_max = hours(1);
  EXPECT_EQ(retry_backoff(policy, 0), hours(1));
}

}  // namespace
}  // namespace weir::frontier
