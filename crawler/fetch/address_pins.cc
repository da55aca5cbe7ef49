// The strings of CURLOPT_RESOLVE ("host:port:address,address", "-host:port") and CURLOPT_CONNECT_TO.
#include "crawler/fetch/address_pins.h"

#include <algorithm>

#include "base/check.h"
#include "crawler/fetch/address_rules.h"

namespace weir::crawler {
namespace {

using frontier::IpAddress;

void append(CurlList& list, const std::string& text) {
  curl_slist* longer = curl_slist_append(list.get(), text.c_str());
  WEIR_CHECK(longer != nullptr);  // out of memory
  static_cast<void>(list.release());
  list.reset(longer);
}

std::string joined(const std::vector<IpAddress>& addresses) {
  std::string text;
  for (const IpAddress& address : addresses) {
    const std::string ip = format_ip(address);
    const bool six = ip.find(':') != std::string::npos;
    text.append(text.empty() ? "" : ",").append(six ? "[" + ip + "]" : ip);
  }
  return text;
}

std::vector<IpAddress> sorted(std::vector<IpAddress> addresses) {
  std::ranges::sort(addresses, {}, &IpAddress::bytes);
  return addresses;
}

}  // namespace

AddressPins::Handle AddressPins::add(const std::string& key, std::uint16_t port, bool under_own_name) {
  entries_.emplace_front();
  Entry& entry = entries_.front();
  entry.key = entry.curl_key = key;
  if (!under_own_name) {
    // ".invalid" is reserved (RFC 6761): no host of a URL resolves to such a name.
    const std::string name = std::to_string(++names_) + ".pin.invalid";
    entry.curl_key = name + ":" + std::to_string(port);
    append(entry.connect_to, "::" + name + ":");
  }
  index_.emplace(entry.key, entries_.begin());
  return entries_.begin();
}

void AddressPins::forget(Handle entry) {
  removals_.push_back(std::move(entry->curl_key));
  entries_.erase(entry);
}

void AddressPins::retire(Handle entry) {
  index_.erase(entry->key);
  entry->retired = true;
  if (entry->users == 0) forget(entry);
}

void AddressPins::evict() {
  for (Handle entry = entries_.end(); entry != entries_.begin() && index_.size() > entries_max_;) {
    const Handle oldest = std::prev(entry);
    if (oldest->users == 0) {
      retire(oldest);
    } else {
      entry = oldest;
    }
  }
}

AddressPins::Pin AddressPins::pin(std::string_view host, std::uint16_t port,
                                  const std::vector<IpAddress>& addresses) {
  const std::string key = std::string(host).append(1, ':').append(std::to_string(port));
  const auto found = index_.find(key);
  std::vector<IpAddress> wanted = sorted(addresses);
  if (found != index_.end() && found->second->addresses == wanted) {
    const Handle entry = found->second;
    entries_.splice(entries_.begin(), entries_, entry);
    ++entry->users;
    return {entry, nullptr, entry->connect_to.get()};
  }
  const bool changed = found != index_.end();
  if (changed) retire(found->second);
  // An IPv6 literal cannot be a key of CURLOPT_RESOLVE, so it always goes by another name.
  const Handle entry = add(key, port, !changed && host.find(':') == std::string_view::npos);
  entry->addresses = std::move(wanted);
  ++entry->users;
  evict();
  Pin pin{entry, nullptr, entry->connect_to.get()};
  for (const std::string& stale : removals_) append(pin.resolve, "-" + stale);
  removals_.clear();
  append(pin.resolve, entry->curl_key + ":" + joined(addresses));
  return pin;
}

void AddressPins::release(Handle entry) {
  WEIR_CHECK(entry->users > 0);
  if (--entry->users == 0 && entry->retired) forget(entry);
}

}  // namespace weir::crawler
