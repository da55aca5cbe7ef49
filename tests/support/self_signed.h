// A fresh self-signed certificate for tests of TLS. Pure; costs one P-256 key.
#pragma once

#include <string>

namespace weir::test {

struct SelfSigned {
  std::string certificate_pem;
  std::string key_pem;
};

// Valid for `host` as a DNS name or IP address; `days` may be negative: expired.
SelfSigned make_self_signed(const std::string& host, int days = 1);

}  // namespace weir::test
