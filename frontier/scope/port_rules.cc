// The list is that of https://fetch.spec.whatwg.org/#port-blocking.
#include "frontier/scope/port_rules.h"

#include <algorithm>
#include <charconv>

namespace weir::frontier {
namespace {

constexpr std::uint16_t kBadPorts[] = {
    0,    1,    7,    9,    11,   13,   15,   17,   19,   20,   21,   22,   23,   25,   37,   42,   43,
    53,   69,   77,   79,   87,   95,   101,  102,  103,  104,  109,  110,  111,  113,  115,  117,  119,
    123,  135,  137,  139,  143,  161,  179,  389,  427,  465,  512,  513,  514,  515,  526,  530,  531,
    532,  540,  548,  554,  556,  563,  587,  601,  636,  989,  990,  993,  995,  1719, 1720, 1723, 2049,
    3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080};
static_assert(std::ranges::is_sorted(kBadPorts));

}  // namespace

bool is_bad_port(std::uint16_t port) { return std::ranges::binary_search(kBadPorts, port); }

Result<PortRules> PortRules::compile(const std::vector<std::string>& ports, bool bad_ports) {
  PortRules rules;
  rules.bad_ports_ = bad_ports;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const std::string& text = ports[i];
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
      return fail(ErrorCode::kUsage, "scope.ports[" + std::to_string(i) + "]: '" + text +
                                         "': want a port number from 0 to 65535, such as \"8080\"");
    }
    rules.ports_.push_back(port);
  }
  return rules;
}

std::optional<ScopeRule> PortRules::refuse(std::uint16_t port) const {
  if (!ports_.empty()) {
    return std::ranges::find(ports_, port) == ports_.end() ? std::optional(ScopeRule::kPort) : std::nullopt;
  }
  return !bad_ports_ && is_bad_port(port) ? std::optional(ScopeRule::kBadPort) : std::nullopt;
}

}  // namespace weir::frontier
