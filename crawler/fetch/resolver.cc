// c-ares' one home. A name is looked up once per address family, so that a broken AAAA answer can neither
// hide a good A answer nor turn a server failure into "no such name".
#include "crawler/fetch/resolver.h"

#include <ares.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <unordered_map>

#include "base/check.h"
#include "crawler/fetch/address_rules.h"
#include "crawler/fetch/host_map.h"

namespace weir::crawler {
namespace {

using frontier::IpAddress;
using frontier::Reason;

constexpr std::size_t kFamilies = 2;
constexpr std::size_t kIpv4 = 0;
constexpr std::size_t kIpv6 = 1;
constexpr Duration kTryTimeoutMin = std::chrono::milliseconds(20);
constexpr std::size_t kAddressesPerFamilyMax = 8;  // more are dropped: one connection needs one

IpAddress from_sockaddr(const sockaddr& address) {
  IpAddress ip;
  ip.known = true;
  if (address.sa_family == AF_INET) {
    ip.bytes[10] = ip.bytes[11] = 0xff;
    std::memcpy(ip.bytes.data() + 12, &reinterpret_cast<const sockaddr_in&>(address).sin_addr, 4);
  } else {
    std::memcpy(ip.bytes.data(), &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr, 16);
  }
  return ip;
}

bool means_no_such_name(int status) {
  return status == ARES_ENOTFOUND || status == ARES_ENODATA || status == ARES_EBADNAME;
}

// RFC 6761 6.3: such names are loopback whatever a server says (c-ares 1.18 leaks memory over them, too).
bool is_localhost(std::string_view host) { return host == "localhost" || host.ends_with(".localhost"); }

class AresResolver;

// One name being looked up and who waits for it.
struct Lookup {
  struct Family {
    Lookup* lookup = nullptr;
    bool done = false;
    int status = ARES_SUCCESS;
    std::vector<IpAddress> addresses;
  };

  AresResolver* resolver = nullptr;
  std::string host;
  Family families[kFamilies];
  int ttl_seconds = std::numeric_limits<int>::max();
  MonoTime deadline;
  std::vector<std::uint64_t> tickets;
};

// What the families say together.
Resolution combined(const Lookup& lookup) {
  Resolution resolution;
  int failure = ARES_SUCCESS;
  for (const Lookup::Family& family : lookup.families) {
    resolution.addresses.insert(resolution.addresses.end(), family.addresses.begin(), family.addresses.end());
    const int status = family.done ? family.status : ARES_ETIMEOUT;
    if (status != ARES_SUCCESS && !means_no_such_name(status)) failure = status;
  }
  if (!resolution.addresses.empty()) return resolution;
  const bool not_found = failure == ARES_SUCCESS;
  resolution.reason = not_found ? Reason::kDnsNotFound : Reason::kDnsFailure;
  resolution.detail = "cannot resolve '" + lookup.host +
                      "': " + (not_found ? "no such name or no address" : ares_strerror(failure));
  return resolution;
}

class AresResolver final : public Resolver {
 public:
  AresResolver(const ResolverOptions& options, HostMap hosts, SocketPoller& poller)
      : options_(options), hosts_(std::move(hosts)), cache_(options.cache_entries_max), poller_(poller) {}

  ~AresResolver() override {
    closing_ = true;
    if (channel_ != nullptr) ares_destroy(channel_);
  }

  Result<void> open();

  const Resolution* resolve(std::string_view host, std::uint64_t ticket, Now now) override;

  Duration wait_max(Duration limit, Now now) const override;
  void on_event(const SocketEvent& event, Now now) override;
  void process(Now now, std::vector<Resolved>& out) override;
  std::size_t lookups_running() const override { return lookups_.size(); }

 private:
  static void on_socket_state(void* self, ares_socket_t socket, int readable, int writable);
  static void on_answer(void* family, int status, int timeouts, ares_addrinfo* answer);

  void begin(std::string_view host, std::uint64_t ticket, Now now);
  void end(Lookup& lookup);
  void give_up_late_lookups(MonoTime now);
  void answer_waiting(Lookup& lookup, const Resolution& resolution);
  Duration ttl_of(const Resolution& resolution, int ttl_seconds) const;

  ResolverOptions options_;
  HostMap hosts_;
  DnsCache cache_;
  SocketPoller& poller_;
  ares_channel channel_ = nullptr;

  std::unordered_map<std::string_view, std::unique_ptr<Lookup>> lookups_;  // views into Lookup::host
  std::vector<Resolved> answered_;
  Resolution direct_;  // the answer for a literal or a mapped name
  MonoTime now_;       // of the running call, for callbacks
  bool closing_ = false;
};

Result<void> AresResolver::open() {
  if (ares_library_init(ARES_LIB_INIT_ALL) != ARES_SUCCESS) {
    return fail(ErrorCode::kRuntime, "cannot initialise the DNS library");
  }
  const auto try_timeout = std::max(options_.timeout / (kDnsTries + 1), kTryTimeoutMin);
  ares_options settings{};
  char lookups[] = "fb";  // hosts file, then DNS
  settings.timeout =
      static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(try_timeout).count());
  settings.tries = kDnsTries;
  settings.lookups = lookups;
  settings.ndomains = 0;  // a URL's host is a full name: no search domains
  settings.sock_state_cb = &on_socket_state;
  settings.sock_state_cb_data = this;
  const int mask =
      ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_LOOKUPS | ARES_OPT_DOMAINS | ARES_OPT_SOCK_STATE_CB;
  if (const int status = ares_init_options(&channel_, &settings, mask); status != ARES_SUCCESS) {
    return fail(ErrorCode::kRuntime, std::string("cannot set up DNS: ") + ares_strerror(status));
  }
  if (options_.servers.empty()) return {};
  std::string servers;
  for (const std::string& server : options_.servers) servers.append(servers.empty() ? "" : ",").append(server);
  if (ares_set_servers_ports_csv(channel_, servers.c_str()) != ARES_SUCCESS) {
    return fail(ErrorCode::kUsage,
                "dns.servers: '" + servers + "' is no list of addresses; write for example \"9.9.9.9\"");
  }
  return {};
}

void AresResolver::on_socket_state(void* self, ares_socket_t socket, int readable, int writable) {
  SocketPoller& poller = static_cast<AresResolver*>(self)->poller_;
  if (readable == 0 && writable == 0) {
    poller.closing(socket);
  } else {
    poller.want(socket, SocketOwner::kDns, readable != 0, writable != 0);
  }
}

void AresResolver::on_answer(void* argument, int status, int, ares_addrinfo* answer) {
  auto& family = *static_cast<Lookup::Family*>(argument);
  Lookup& lookup = *family.lookup;
  family.done = true;
  family.status = status;
  if (answer != nullptr) {
    for (const auto* node = answer->nodes; node != nullptr; node = node->ai_next) {
      if (family.addresses.size() == kAddressesPerFamilyMax) break;
      family.addresses.push_back(from_sockaddr(*node->ai_addr));
      lookup.ttl_seconds = std::min(lookup.ttl_seconds, std::max(node->ai_ttl, 0));
    }
    ares_freeaddrinfo(answer);
  }
  AresResolver& resolver = *lookup.resolver;
  if (!resolver.closing_ && lookup.families[kIpv4].done && lookup.families[kIpv6].done) resolver.end(lookup);
}

const Resolution* AresResolver::resolve(std::string_view host, std::uint64_t ticket, Now now) {
  now_ = now.mono;
  // Without search domains "a.test." is "a.test", and the hosts file knows only the latter.
  if (host.ends_with('.')) host.remove_suffix(1);
  IpAddress ip = parse_ip(host);
  if (const IpAddress* mapped = ip.known ? nullptr : hosts_.find(host); mapped != nullptr) ip = *mapped;
  if (ip.known) {
    direct_.addresses.assign(1, ip);
    return &direct_;
  }
  if (is_localhost(host)) {
    direct_.addresses = {parse_ip("127.0.0.1"), parse_ip("::1")};
    return &direct_;
  }
  if (const Resolution* known = cache_.find(host, now_)) return known;
  if (const auto running = lookups_.find(host); running != lookups_.end()) {
    Lookup& lookup = *running->second;
    if (lookup.tickets.empty()) lookup.deadline = now_ + options_.timeout;
    lookup.tickets.push_back(ticket);
    return nullptr;
  }
  begin(host, ticket, now);
  const Resolution* known = cache_.find(host, now_);  // the hosts file answers at once
  if (known != nullptr)
    std::erase_if(answered_, [ticket](const Resolved& one) { return one.ticket == ticket; });
  return known;
}

void AresResolver::begin(std::string_view host, std::uint64_t ticket, Now now) {
  auto owned = std::make_unique<Lookup>();
  Lookup& lookup = *owned;
  lookup.resolver = this;
  lookup.host = host;
  lookup.deadline = now.mono + options_.timeout;
  lookup.tickets.push_back(ticket);
  for (Lookup::Family& family : lookup.families) family.lookup = &lookup;
  lookups_.emplace(lookup.host, std::move(owned));
  ares_addrinfo_hints hints{};
  hints.ai_flags = ARES_AI_NOSORT;  // sorting would open a socket to every address
  hints.ai_socktype = SOCK_STREAM;
  // The second call may end the lookup and free it: nothing of it is touched afterwards.
  const std::string name = lookup.host;
  hints.ai_family = AF_INET;
  ares_getaddrinfo(channel_, name.c_str(), nullptr, &hints, &on_answer, &lookup.families[kIpv4]);
  hints.ai_family = AF_INET6;
  ares_getaddrinfo(channel_, name.c_str(), nullptr, &hints, &on_answer, &lookup.families[kIpv6]);
}

Duration AresResolver::ttl_of(const Resolution& resolution, int ttl_seconds) const {
  if (resolution.reason == Reason::kDnsFailure) return kDnsFailureTtl;
  if (resolution.reason == Reason::kDnsNotFound) return options_.ttl_min;
  return std::clamp<Duration>(std::chrono::seconds(ttl_seconds), options_.ttl_min, options_.ttl_max);
}

void AresResolver::answer_waiting(Lookup& lookup, const Resolution& resolution) {
  for (const std::uint64_t ticket : lookup.tickets) answered_.push_back({ticket, resolution});
  lookup.tickets.clear();
}

void AresResolver::end(Lookup& lookup) {
  Resolution resolution = combined(lookup);
  answer_waiting(lookup, resolution);
  const Duration ttl = ttl_of(resolution, lookup.ttl_seconds);
  cache_.put(lookup.host, std::move(resolution), now_ + ttl);
  lookups_.erase(lookup.host);
}

// c-ares cannot cancel one lookup: it goes on and may still fill the cache, but nobody waits for it any more.
void AresResolver::give_up_late_lookups(MonoTime now) {
  for (auto& [host, lookup] : lookups_) {
    if (lookup->tickets.empty() || lookup->deadline > now) continue;
    Resolution resolution = combined(*lookup);
    answer_waiting(*lookup, resolution);
    const Duration ttl = ttl_of(resolution, lookup->ttl_seconds);
    cache_.put(host, std::move(resolution), now + ttl);
  }
}

Duration AresResolver::wait_max(Duration limit, Now now) const {
  if (!answered_.empty()) return Duration{0};
  if (lookups_.empty()) return limit;
  for (const auto& [host, lookup] : lookups_) {
    if (!lookup->tickets.empty()) limit = std::min(limit, std::max(lookup->deadline - now.mono, Duration{0}));
  }
  timeval next{};
  if (ares_timeout(channel_, nullptr, &next) != nullptr) {
    // Rounded up: a wait that ends just before the time would spin.
    limit = std::min<Duration>(limit, std::chrono::seconds(next.tv_sec) + Duration(next.tv_usec + 1000));
  }
  return limit;
}

void AresResolver::on_event(const SocketEvent& event, Now now) {
  now_ = now.mono;
  const bool readable = event.readable || event.failed;
  ares_process_fd(channel_, readable ? event.fd : ARES_SOCKET_BAD, event.writable ? event.fd : ARES_SOCKET_BAD);
}

void AresResolver::process(Now now, std::vector<Resolved>& out) {
  now_ = now.mono;
  if (!lookups_.empty()) {
    ares_process_fd(channel_, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
    give_up_late_lookups(now_);
  }
  out.insert(out.end(), std::make_move_iterator(answered_.begin()), std::make_move_iterator(answered_.end()));
  answered_.clear();
}

}  // namespace

Result<std::unique_ptr<Resolver>> Resolver::create(const ResolverOptions& options, SocketPoller& poller) {
  auto hosts = HostMap::parse(options.hosts);
  if (!hosts) return std::unexpected(hosts.error());
  auto resolver = std::make_unique<AresResolver>(options, std::move(*hosts), poller);
  if (auto opened = resolver->open(); !opened) return std::unexpected(opened.error());
  return resolver;
}

}  // namespace weir::crawler
