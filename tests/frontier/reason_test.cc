// Names of reasons are part of the output contract and numbers are stored: both are pinned here.
#include "frontier/reason.h"

#include <gtest/gtest.h>

#include <array>

namespace weir::frontier {
namespace {

// By number. A change of a line that exists breaks stored states and readers of fetch.jsonl.
constexpr auto kNames = std::to_array<std::string_view>({"ok",
                                                         "redirect",
                                                         "http_status",
                                                         "too_many_redirects",
                                                         "bad_redirect",
                                                         "redirect_out_of_scope",
                                                         "robots_denied",
                                                         "robots_unreachable",
                                                         "dns_not_found",
                                                         "dns_failure",
                                                         "address_refused",
                                                         "connect_failed",
                                                         "connect_timeout",
                                                         "tls_failed",
                                                         "first_byte_timeout",
                                                         "too_slow",
                                                         "total_timeout",
                                                         "connection_broken",
                                                         "protocol_error",
                                                         "decode_failed",
                                                         "out_of_scope",
                                                         "host_given_up",
                                                         "stopped",
                                                         "unsupported_scheme"});

TEST(Reason, NamesAndNumbersNeverChange) {
  for (std::size_t i = 0; i < kNames.size(); ++i) EXPECT_EQ(reason_name(static_cast<Reason>(i)), kNames[i]);
}

TEST(Reason, TransientOnesAreNotVerdicts) {
  EXPECT_TRUE(is_transient(Reason::kConnectTimeout));
  EXPECT_TRUE(is_transient(Reason::kDnsFailure));
  EXPECT_TRUE(is_transient(Reason::kConnectionBroken));
  EXPECT_FALSE(is_transient(Reason::kOk));
  EXPECT_FALSE(is_transient(Reason::kDnsNotFound));
  EXPECT_FALSE(is_transient(Reason::kAddressRefused));
  EXPECT_FALSE(is_transient(Reason::kRobotsDenied));
  EXPECT_FALSE(is_transient(Reason::kTlsFailed));
}

TEST(Reason, OnlySilentHostsFail) {
  EXPECT_TRUE(is_host_failure(Reason::kDnsNotFound));
  EXPECT_TRUE(is_host_failure(Reason::kConnectFailed));
  EXPECT_TRUE(is_host_failure(Reason::kFirstByteTimeout));
  EXPECT_FALSE(is_host_failure(Reason::kHttpStatus));
  EXPECT_FALSE(is_host_failure(Reason::kTooSlow));
  EXPECT_FALSE(is_host_failure(Reason::kDecodeFailed));
  EXPECT_FALSE(is_host_failure(Reason::kStopped));
}

}  // namespace
}  // namespace weir::frontier
