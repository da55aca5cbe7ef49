// Two hash tables: whole names, and the parents of wildcard entries.
#include "crawler/fetch/host_map.h"

#include <algorithm>

#include "crawler/fetch/address_rules.h"

namespace weir::crawler {
namespace {

std::string normal_name(std::string_view name) {
  std::string text(name.substr(0, name.size() - (name.ends_with('.') ? 1 : 0)));
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

}  // namespace

Result<HostMap> HostMap::parse(const std::vector<std::pair<std::string, std::string>>& entries) {
  HostMap map;
  for (const auto& [name, address] : entries) {
    const frontier::IpAddress ip = parse_ip(address);
    if (!ip.known) {
      return fail(ErrorCode::kUsage, "dns.hosts: '" + name + "' maps to '" + address +
                                         "', which is no IP address; write for example \"127.0.0.2\"");
    }
    const bool wildcard = name.starts_with("*.");
    const std::string key = normal_name(std::string_view(name).substr(wildcard ? 2 : 0));
    if (key.empty()) return fail(ErrorCode::kUsage, "dns.hosts: '" + name + "' is no host name");
    (wildcard ? map.below_ : map.exact_)[key] = ip;
  }
  return map;
}

const frontier::IpAddress* HostMap::find(std::string_view host) const {
  if (exact_.empty() && below_.empty()) return nullptr;
  if (host.ends_with('.')) host.remove_suffix(1);
  if (const auto found = exact_.find(host); found != exact_.end()) return &found->second;
  for (std::size_t dot = host.find('.'); dot != std::string_view::npos; dot = host.find('.', dot + 1)) {
    if (const auto found = below_.find(host.substr(dot + 1)); found != below_.end()) return &found->second;
  }
  return nullptr;
}

}  // namespace weir::crawler
