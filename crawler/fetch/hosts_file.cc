// ares_gethostbyname_file looks nowhere else.
#include "crawler/fetch/hosts_file.h"

#include <ares.h>
#include <netdb.h>
#include <sys/socket.h>

#include <algorithm>
#include <memory>

#include "crawler/fetch/address_rules.h"

namespace weir::crawler {
namespace {

struct DestroyChannel {
  void operator()(ares_channel channel) const { ares_destroy(channel); }
};

frontier::IpAddress from_hostent(const char* bytes, int family) {
  frontier::IpAddress address;
  address.known = true;
  if (family == AF_INET6) {
    std::copy_n(bytes, 16, address.bytes.begin());
    return address;
  }
  address.bytes[10] = address.bytes[11] = 0xff;
  std::copy_n(bytes, 4, address.bytes.begin() + 12);
  return address;
}

// -1: not in the file for this family; else whether all its addresses are loopback.
int all_loopback(ares_channel channel, const std::string& host, int family) {
  hostent* entry = nullptr;
  if (ares_gethostbyname_file(channel, host.c_str(), family, &entry) != ARES_SUCCESS) return -1;
  bool all = true;
  for (char** address = entry->h_addr_list; *address != nullptr; ++address) {
    all = all && is_loopback(from_hostent(*address, family));
  }
  ares_free_hostent(entry);
  return all ? 1 : 0;
}

}  // namespace

bool hosts_file_says_loopback(const std::string& host) {
  ares_channel raw = nullptr;
  if (ares_init(&raw) != ARES_SUCCESS) return false;
  const std::unique_ptr<ares_channeldata, DestroyChannel> channel(raw);
  const int v4 = all_loopback(raw, host, AF_INET);
  const int v6 = all_loopback(raw, host, AF_INET6);
  return v4 != 0 && v6 != 0 && std::max(v4, v6) == 1;
}

}  // namespace weir::crawler
