// The loop over libcurl's multi interface: slots, DNS, deadlines, answers. One turn is one poll(): requests
// waiting get slots, what is new is sent, the thread sleeps until something happens, results are collected.
#include "crawler/fetch/http_client.h"

#include <curl/curl.h>
#include <signal.h>

#include <algorithm>
#include <deque>
#include <utility>

#include "base/check.h"
#include "crawler/fetch/address_pins.h"
#include "crawler/fetch/fd_budget.h"
#include "crawler/fetch/resolver.h"
#include "crawler/fetch/transfer.h"
#include "crawler/fetch/trust_store.h"

namespace weir::crawler {
namespace {

using frontier::Reason;

constexpr unsigned kTicketSlotBits = 24;
constexpr std::uint32_t kSlotsMax = 1u << kTicketSlotBits;
constexpr std::size_t kPinsMin = 1024;
// With every transfer waiting for a descriptor there is no answer to wait for: look again after this.
constexpr Duration kDescriptorPause = std::chrono::milliseconds(250);

struct MultiDeleter {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};

ResolverOptions resolver_options(const HttpOptions& options) {
  return {options.dns_hosts,   options.dns_servers, options.dns_timeout,
          options.dns_ttl_min, options.dns_ttl_max, options.dns_cache_entries_max};
}

class CurlClient final : public HttpClient {
 public:
  CurlClient(const HttpOptions& options, AddressRules rules, Log& log, TrustStore trust,
             std::unique_ptr<SocketPoller> poller, std::unique_ptr<Resolver> resolver);
  ~CurlClient() override;

  Result<void> open();

  void start(HttpRequest request, Now now) override;
  void poll(Duration timeout, Now now, std::vector<HttpAnswer>& out) override;
  void wake() override { poller_->wake(); }
  void cancel_all() override;
  std::size_t running() const override { return busy() + waiting_.size() + finished_.size(); }
  std::size_t open_connections() const override { return shared_.open_sockets; }

 private:
  struct Waiting {
    HttpRequest request;
    std::optional<MonoTime> since;  // set when it had a slot before
  };

  std::uint32_t busy() const { return static_cast<std::uint32_t>(transfers_.size() - idle_.size()); }

  void limit_connections(std::size_t connections_max);
  void admit(Now now);
  Result<Transfer*> take_slot();
  void begin(Waiting waiting, Now now);
  void connect(Transfer& transfer, const Resolution& resolution, Now now);
  void end(Transfer& transfer, HttpAnswer answer);
  void set_aside(Transfer& transfer, Now now);

  static int on_socket_wanted(CURL* easy, curl_socket_t socket, int what, void* self, void* of_socket);
  void act(curl_socket_t socket, int events);
  void run_due_timers();
  Duration wait_max(Duration timeout, Now now) const;
  void wait(Duration timeout, Now now);
  void connect_resolved(Now now);
  void collect(Now now);
  void stamp_phases(MonoTime now);
  void enforce_deadlines(MonoTime now);
  void watch(MonoTime deadline) { next_deadline_ = std::min(next_deadline_, deadline); }

  TrustStore trust_;
  TransferShared shared_;
  Log& log_;
  std::unique_ptr<SocketPoller> poller_;
  std::unique_ptr<Resolver> resolver_;
  AddressPins pins_;
  DescriptorThrottle throttle_;
  std::vector<std::unique_ptr<Transfer>> transfers_;  // by slot
  std::vector<std::uint64_t> tickets_;                // of the resolution a slot waits for; 0: none
  std::vector<std::uint32_t> idle_;
  std::deque<Waiting> waiting_;
  std::vector<HttpAnswer> finished_;
  std::vector<Resolved> resolved_;
  std::uint64_t tickets_given_ = 0;
  MonoTime next_deadline_ = MonoTime::max();    // not later than the earliest of all deadlines
  MonoTime admit_again_;                        // no slot is given before: descriptors ran out
  std::unique_ptr<CURLM, MultiDeleter> multi_;  // last: its end closes sockets, which shared_ counts
};

CurlClient::CurlClient(const HttpOptions& options, AddressRules rules, Log& log, TrustStore trust,
                       std::unique_ptr<SocketPoller> poller, std::unique_ptr<Resolver> resolver)
    : trust_(std::move(trust)),
      log_(log),
      poller_(std::move(poller)),
      resolver_(std::move(resolver)),
      pins_(std::max<std::size_t>(kPinsMin, 2 * std::size_t{options.connections_max})),
      throttle_(std::clamp(std::min(options.transfers_max, options.connections_max), 1u, kSlotsMax)) {
  shared_.options = options;
  shared_.rules = std::move(rules);
  shared_.trust_path = trust_.path();
  shared_.poller = poller_.get();
}

CurlClient::~CurlClient() {
  for (const auto& transfer : transfers_) {
    if (transfer->phase() > TransferPhase::kResolving) curl_multi_remove_handle(multi_.get(), transfer->easy());
  }
}

Result<void> CurlClient::open() {
  multi_.reset(curl_multi_init());
  if (!multi_) return fail(ErrorCode::kRuntime, "cannot set up libcurl's multi interface");
  curl_multi_setopt(multi_.get(), CURLMOPT_SOCKETFUNCTION, &on_socket_wanted);
  curl_multi_setopt(multi_.get(), CURLMOPT_SOCKETDATA, this);
  limit_connections(shared_.options.connections_max);
  curl_multi_setopt(multi_.get(), CURLMOPT_PIPELINING, static_cast<long>(CURLPIPE_NOTHING));
  shared_.request_headers.reset(curl_slist_append(nullptr, ("Accept: " + shared_.options.accept).c_str()));
  // One transfer now, so that an unusable libcurl is found at start.
  if (auto slot = take_slot(); !slot) return std::unexpected(slot.error());
  idle_.push_back(0);
  return {};
}

// The bound on descriptors: open connections, used or idle. An idle one makes room for a new one.
void CurlClient::limit_connections(std::size_t connections_max) {
  const auto connections = static_cast<long>(std::max<std::size_t>(connections_max, 1));
  curl_multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, connections);
  curl_multi_setopt(multi_.get(), CURLMOPT_MAX_TOTAL_CONNECTIONS, connections);
}

void CurlClient::start(HttpRequest request, Now now) {
  waiting_.push_back({std::move(request), std::nullopt});
  admit(now);
}

void CurlClient::admit(Now now) {
  while (!waiting_.empty() && busy() < throttle_.limit() && now.mono >= admit_again_) {
    Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    begin(std::move(next), now);
  }
}

Result<Transfer*> CurlClient::take_slot() {
  if (idle_.empty()) {
    auto created = Transfer::create(shared_);
    if (!created) return std::unexpected(created.error());
    idle_.push_back(static_cast<std::uint32_t>(transfers_.size()));
    transfers_.push_back(std::move(*created));
    transfers_.back()->set_slot(idle_.back());
    tickets_.push_back(0);
  }
  Transfer* transfer = transfers_[idle_.back()].get();
  idle_.pop_back();
  return transfer;
}

void CurlClient::begin(Waiting waiting, Now now) {
  const auto slot = take_slot();
  if (!slot) {
    HttpAnswer answer;
    answer.id = waiting.request.id;
    answer.reason = Reason::kStopped;
    answer.detail = slot.error().message();
    finished_.push_back(std::move(answer));
    return;
  }
  Transfer& transfer = **slot;
  transfer.begin(std::move(waiting.request), waiting.since.value_or(now.mono), now.mono);
  const auto url = split_wire_url(transfer.request().url);
  if (!url) return end(transfer, transfer.fail(url.error(), "not an http or https URL in wire form", now.mono));
  const std::uint64_t ticket = ++tickets_given_ << kTicketSlotBits | transfer.slot();
  const Resolution* known = resolver_->resolve(url->host, ticket, now);
  if (known != nullptr) return connect(transfer, *known, now);
  tickets_[transfer.slot()] = ticket;
  watch(transfer.deadline());
}

void CurlClient::connect(Transfer& transfer, const Resolution& resolution, Now now) {
  if (resolution.reason != Reason::kOk) {
    return end(transfer, transfer.fail(resolution.reason, resolution.detail, now.mono));
  }
  const WireUrl url = *split_wire_url(transfer.request().url);
  std::vector<frontier::IpAddress> addresses = resolution.addresses;
  std::erase_if(addresses, [this](const frontier::IpAddress& ip) { return !shared_.rules.allowed(ip); });
  if (addresses.empty()) return end(transfer, transfer.refuse(resolution.addresses.front(), now.mono));
  transfer.connect(url, pins_.pin(url.host, url.port, addresses), now.mono);
  WEIR_CHECK(curl_multi_add_handle(multi_.get(), transfer.easy()) == CURLM_OK);
  watch(transfer.deadline());
}

// The one way out of a slot.
void CurlClient::end(Transfer& transfer, HttpAnswer answer) {
  if (const auto pin = transfer.take_pin()) pins_.release(*pin);
  tickets_[transfer.slot()] = 0;
  idle_.push_back(transfer.slot());
  if (answer.reason == Reason::kOk && throttle_.reduced()) {
    throttle_.on_success();
    if (!throttle_.reduced()) limit_connections(shared_.options.connections_max);
  }
  finished_.push_back(std::move(answer));
}

// No descriptor could be had: the host is not to blame, so the request waits for others to end.
void CurlClient::set_aside(Transfer& transfer, Now now) {
  if (!throttle_.reduced()) log_.warn("out of file descriptors: fewer transfers at a time (raise ulimit -n)");
  throttle_.on_exhausted(busy() - 1);
  limit_connections(shared_.open_sockets * 3 / 4);
  admit_again_ = now.mono + kDescriptorPause;
  waiting_.push_front({transfer.take_request(), transfer.since()});
  static_cast<void>(transfer.fail(Reason::kStopped, {}, now.mono));
  if (const auto pin = transfer.take_pin()) pins_.release(*pin);
  idle_.push_back(transfer.slot());
}

int CurlClient::on_socket_wanted(CURL*, curl_socket_t socket, int what, void* self, void*) {
  const bool readable = what == CURL_POLL_IN || what == CURL_POLL_INOUT;
  const bool writable = what == CURL_POLL_OUT || what == CURL_POLL_INOUT;
  static_cast<CurlClient*>(self)->poller_->want(socket, SocketOwner::kHttp, readable, writable);
  return 0;
}

void CurlClient::act(curl_socket_t socket, int events) {
  int running = 0;
  WEIR_CHECK(curl_multi_socket_action(multi_.get(), socket, events, &running) == CURLM_OK);
}

// A transfer just added counts as a due timer: this is where its request is sent.
void CurlClient::run_due_timers() {
  long milliseconds = -1;
  curl_multi_timeout(multi_.get(), &milliseconds);
  if (milliseconds == 0) act(CURL_SOCKET_TIMEOUT, 0);
}

Duration CurlClient::wait_max(Duration timeout, Now now) const {
  if (!finished_.empty()) return Duration{0};
  timeout = std::min(timeout, resolver_->wait_max(timeout, now));
  if (next_deadline_ != MonoTime::max()) timeout = std::min(timeout, next_deadline_ - now.mono);
  if (!waiting_.empty() && busy() < throttle_.limit()) timeout = std::min(timeout, admit_again_ - now.mono);
  long milliseconds = -1;
  curl_multi_timeout(multi_.get(), &milliseconds);
  if (milliseconds >= 0) timeout = std::min<Duration>(timeout, std::chrono::milliseconds(milliseconds));
  return timeout;
}

void CurlClient::wait(Duration timeout, Now now) {
  for (const SocketEvent& event : poller_->wait(wait_max(timeout, now))) {
    if (event.owner == SocketOwner::kDns) {
      resolver_->on_event(event, now);
    } else {
      act(event.fd, (event.readable ? CURL_CSELECT_IN : 0) | (event.writable ? CURL_CSELECT_OUT : 0) |
                        (event.failed ? CURL_CSELECT_ERR : 0));
    }
  }
}

void CurlClient::connect_resolved(Now now) {
  resolver_->process(now, resolved_);
  for (const Resolved& resolved : resolved_) {
    const auto slot = static_cast<std::uint32_t>(resolved.ticket & (kSlotsMax - 1));
    if (tickets_[slot] != resolved.ticket) continue;  // nobody waits for it any more
    tickets_[slot] = 0;
    connect(*transfers_[slot], resolved.resolution, now);
  }
  resolved_.clear();
}

void CurlClient::collect(Now now) {
  int left = 0;
  while (const CURLMsg* message = curl_multi_info_read(multi_.get(), &left)) {
    if (message->msg != CURLMSG_DONE) continue;
    Transfer* transfer = nullptr;
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
    const CURLcode result = message->data.result;
    curl_multi_remove_handle(multi_.get(), transfer->easy());
    if (result != CURLE_OK && transfer->descriptors_exhausted() && !transfer->check_deadline(now.mono)) {
      set_aside(*transfer, now);
    } else {
      end(*transfer, transfer->finish(result, now.mono));
    }
  }
}

void CurlClient::stamp_phases(MonoTime now) {
  for (Transfer* transfer : shared_.moved) {
    if (transfer->phase() < TransferPhase::kWaiting) continue;
    transfer->stamp_phase(now);
    watch(transfer->deadline());
  }
  shared_.moved.clear();
}

void CurlClient::enforce_deadlines(MonoTime now) {
  if (now < next_deadline_) return;
  next_deadline_ = MonoTime::max();
  for (const auto& transfer : transfers_) {
    const auto reason = transfer->check_deadline(now);
    if (!reason) {
      watch(transfer->deadline());
      continue;
    }
    if (transfer->phase() > TransferPhase::kResolving) curl_multi_remove_handle(multi_.get(), transfer->easy());
    end(*transfer, transfer->fail(*reason, "gave up waiting", now));
  }
}

void CurlClient::poll(Duration timeout, Now now, std::vector<HttpAnswer>& out) {
  shared_.wall_now = now.wall;
  stamp_phases(now.mono);
  enforce_deadlines(now.mono);
  admit(now);
  run_due_timers();
  collect(now);
  wait(timeout, now);
  connect_resolved(now);
  run_due_timers();
  collect(now);
  admit(now);
  out.insert(out.end(), std::make_move_iterator(finished_.begin()), std::make_move_iterator(finished_.end()));
  finished_.clear();
}

void CurlClient::cancel_all() {
  for (const auto& transfer : transfers_) {
    if (transfer->phase() == TransferPhase::kIdle) continue;
    if (transfer->phase() > TransferPhase::kResolving) curl_multi_remove_handle(multi_.get(), transfer->easy());
    end(*transfer, transfer->fail(Reason::kStopped, "cancelled", transfer->since()));
  }
  for (const Waiting& waiting : waiting_) {
    HttpAnswer answer;
    answer.id = waiting.request.id;
    answer.reason = Reason::kStopped;
    answer.detail = "cancelled";
    finished_.push_back(std::move(answer));
  }
  waiting_.clear();
}

// OpenSSL writes without MSG_NOSIGNAL, so a peer that closes early would end the process. libcurl's own remedy
// changes the disposition around every call, which is neither free nor safe with several threads.
void ignore_broken_pipes() {
  struct sigaction action{};
  if (::sigaction(SIGPIPE, nullptr, &action) != 0 || action.sa_handler != SIG_DFL) return;
  action.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &action, nullptr);
}

}  // namespace

Result<std::unique_ptr<HttpClient>> HttpClient::create(const HttpOptions& options, AddressRules rules,
                                                       Log& log) {
  if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    return fail(ErrorCode::kRuntime, "cannot initialise libcurl");
  }
  ignore_broken_pipes();
  auto poller = SocketPoller::create();
  if (!poller) return std::unexpected(poller.error());
  auto resolver = Resolver::create(resolver_options(options), **poller);
  if (!resolver) return std::unexpected(resolver.error());
  auto trust = TrustStore::open(options.ca_file);
  if (!trust) return std::unexpected(trust.error());
  auto client = std::make_unique<CurlClient>(options, std::move(rules), log, std::move(*trust),
                                             std::move(*poller), std::move(*resolver));
  if (auto opened = client->open(); !opened) return std::unexpected(opened.error());
  return client;
}

}  // namespace weir::crawler
