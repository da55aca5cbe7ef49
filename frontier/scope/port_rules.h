// PortRules: which ports a crawl may ask. Ports of mail, shells and the like are refused by default, as
// browsers do ("bad ports" of the Fetch Standard): a link there makes the crawler speak to something that is no
// web server. Immutable and thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "frontier/scope/verdict.h"

namespace weir::frontier {

bool is_bad_port(std::uint16_t port);

class PortRules {
 public:
  // `ports` as digits; empty: any. A port that is named is allowed even if it is a bad one.
  static Result<PortRules> compile(const std::vector<std::string>& ports, bool bad_ports);

  // kPort or kBadPort when the port is refused.
  std::optional<ScopeRule> refuse(std::uint16_t port) const;

 private:
  std::vector<std::uint16_t> ports_;
  bool bad_ports_ = false;
};

}  // namespace weir::frontier
