// What the hosts file of this machine says, without a DNS query.
#include "crawler/fetch/hosts_file.h"

#include <gtest/gtest.h>

namespace weir::crawler {
namespace {

TEST(HostsFile, LocalhostIsLoopbackAndStrangersAreNotThere) {
  EXPECT_TRUE(hosts_file_says_loopback("localhost"));
  EXPECT_FALSE(hosts_file_says_loopback("example.org"));
  EXPECT_FALSE(hosts_file_says_loopback(""));
}

}  // namespace
}  // namespace weir::crawler
