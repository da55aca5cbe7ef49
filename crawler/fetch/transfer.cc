// libcurl's easy interface: options set once, callbacks, and the reading of the result.
#include "crawler/fetch/transfer.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace weir::crawler {
namespace {

using frontier::IpAddress;
using frontier::Reason;

constexpr long kReceiveBufferBytes = 32 << 10;    // fewer reads per page than libcurl's 16 KiB
constexpr std::size_t kBodyReserveMax = 1 << 20;  // an announced length is not believed beyond this

long milliseconds(Duration duration) {
  return static_cast<long>(std::chrono::ceil<std::chrono::milliseconds>(duration).count());
}

IpAddress to_ip(const sockaddr& address) {
  IpAddress ip;
  if (address.sa_family == AF_INET) {
    sockaddr_in four{};
    std::memcpy(&four, &address, sizeof four);
    ip.bytes[10] = ip.bytes[11] = 0xff;
    std::memcpy(ip.bytes.data() + 12, &four.sin_addr, 4);
  } else if (address.sa_family == AF_INET6) {
    sockaddr_in6 six{};
    std::memcpy(&six, &address, sizeof six);
    std::memcpy(ip.bytes.data(), &six.sin6_addr, 16);
  } else {
    return ip;
  }
  ip.known = true;
  return ip;
}

// Setting an option on a handle of ours fails only when memory or the library does.
class Setter {
 public:
  explicit Setter(CURL* easy) : easy_(easy) {}

  template <typename Value>
  void operator()(CURLoption option, Value value) {
    ok_ = ok_ && curl_easy_setopt(easy_, option, value) == CURLE_OK;
  }
  bool ok() const { return ok_; }

 private:
  CURL* easy_;
  bool ok_ = true;
};

}  // namespace

Result<std::unique_ptr<Transfer>> Transfer::create(TransferShared& shared) {
  std::unique_ptr<Transfer> transfer(new Transfer(shared));
  if (!transfer->easy_ || !transfer->set_options() || !transfer->set_tls_options()) {
    return weir::fail(ErrorCode::kRuntime,
                      "cannot set up an HTTP transfer: this libcurl lacks an option that is needed");
  }
  return transfer;
}

bool Transfer::set_options() {
  Setter set(easy());
  set(CURLOPT_PRIVATE, this);
  set(CURLOPT_ERRORBUFFER, error_);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_1_1));
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_PATH_AS_IS, 1L);
  set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
  set(CURLOPT_PROXY, "");
  set(CURLOPT_USERAGENT, shared_.options.user_agent.c_str());
  set(CURLOPT_HTTPHEADER, shared_.request_headers.get());
  set(CURLOPT_ACCEPT_ENCODING, "");  // all that this libcurl decodes
  set(CURLOPT_BUFFERSIZE, kReceiveBufferBytes);
  set(CURLOPT_CONNECTTIMEOUT_MS, std::max(milliseconds(shared_.options.connect_timeout), 1L));
  set(CURLOPT_DNS_CACHE_TIMEOUT, -1L);  // AddressPins decides; pruning would walk the cache for every answer
  set(CURLOPT_RESOLVER_START_FUNCTION, &on_resolve);
  set(CURLOPT_OPENSOCKETFUNCTION, &on_open_socket);
  set(CURLOPT_OPENSOCKETDATA, this);
  set(CURLOPT_CLOSESOCKETFUNCTION, &on_close_socket);
  set(CURLOPT_CLOSESOCKETDATA, &shared_);  // a connection outlives the transfer that made it
  set(CURLOPT_PREREQFUNCTION, &on_request_ready);
  set(CURLOPT_PREREQDATA, this);
  set(CURLOPT_HEADERFUNCTION, &on_header);
  set(CURLOPT_HEADERDATA, this);
  set(CURLOPT_WRITEFUNCTION, &on_body);
  set(CURLOPT_WRITEDATA, this);
  return set.ok();
}

bool Transfer::set_tls_options() {
  Setter set(easy());
  const bool verify = shared_.options.verify_tls;
  set(CURLOPT_SSL_VERIFYPEER, verify ? 1L : 0L);
  set(CURLOPT_SSL_VERIFYHOST, verify ? 2L : 0L);
  set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  if (!shared_.trust_path.empty()) {
    set(CURLOPT_CAINFO, shared_.trust_path.c_str());
    set(CURLOPT_CAPATH, static_cast<char*>(nullptr));
  }
  return set.ok();
}

void Transfer::begin(HttpRequest request, MonoTime since, MonoTime now) {
  request_ = std::move(request);
  body_bytes_max_ = request_.body_bytes_max != 0 ? request_.body_bytes_max : shared_.options.body_bytes_max;
  since_ = since;
  connect_at_ = now;
  phase_since_ = now;
  phase_ = TransferPhase::kResolving;
  head_.clear();
  body_.clear();
  error_[0] = '\0';
  ip_ = {};
  contacted_ = head_too_large_ = truncated_ = address_refused_ = descriptors_exhausted_ = false;
}

void Transfer::connect(const WireUrl& url, AddressPins::Pin pin, MonoTime now) {
  connect_at_ = now;
  phase_since_ = now;
  phase_ = TransferPhase::kConnecting;
  pin_ = pin.entry;
  resolve_ = std::move(pin.resolve);
  // libcurl sees only the origin; path and query go into the request line byte for byte.
  curl_easy_setopt(easy(), CURLOPT_URL, std::string(url.origin).c_str());
  curl_easy_setopt(easy(), CURLOPT_REQUEST_TARGET, url.target.empty() ? "/" : std::string(url.target).c_str());
  curl_easy_setopt(easy(), CURLOPT_RESOLVE, resolve_.get());
  curl_easy_setopt(easy(), CURLOPT_CONNECT_TO, pin.connect_to);
}

void Transfer::move_to(TransferPhase phase) {
  phase_ = phase;
  shared_.moved.push_back(this);
}

std::uint64_t Transfer::bytes_so_far() const {
  curl_off_t body = 0;
  curl_easy_getinfo(easy(), CURLINFO_SIZE_DOWNLOAD_T, &body);
  return static_cast<std::uint64_t>(body) + head_.bytes();
}

MonoTime Transfer::deadline() const {
  const HttpOptions& options = shared_.options;
  const MonoTime total = since_ + options.total_timeout;
  switch (phase_) {
    case TransferPhase::kIdle: return MonoTime::max();
    case TransferPhase::kResolving: return total;  // the resolver has its own
    case TransferPhase::kConnecting: return std::min(total, phase_since_ + options.connect_timeout);
    case TransferPhase::kWaiting: return std::min(total, phase_since_ + options.first_byte_timeout);
    case TransferPhase::kReceiving: return std::min(total, phase_since_ + options.low_speed_time);
  }
  return total;
}

std::optional<Reason> Transfer::check_deadline(MonoTime now) {
  if (now < deadline()) return std::nullopt;
  if (now >= since_ + shared_.options.total_timeout) return Reason::kTotalTimeout;
  if (phase_ == TransferPhase::kConnecting) return Reason::kConnectTimeout;
  if (phase_ == TransferPhase::kWaiting) {
    // Bytes of an unfinished header line are known to libcurl alone: from now on they must keep coming.
    curl_off_t first_byte = 0;
    curl_easy_getinfo(easy(), CURLINFO_STARTTRANSFER_TIME_T, &first_byte);
    if (first_byte == 0) return Reason::kFirstByteTimeout;
    phase_ = TransferPhase::kReceiving;
  } else {
    const auto seconds = std::chrono::duration<double>(shared_.options.low_speed_time).count();
    const auto wanted = static_cast<double>(shared_.options.low_speed_bytes) * seconds;
    if (static_cast<double>(bytes_so_far() - window_bytes_) < wanted) return Reason::kTooSlow;
  }
  window_bytes_ = bytes_so_far();
  phase_since_ = now;
  return std::nullopt;
}

Reason Transfer::verdict(CURLcode result) const {
  if (truncated_) return Reason::kOk;
  if (head_too_large_) return Reason::kProtocolError;
  if (address_refused_ && result == CURLE_COULDNT_CONNECT) return Reason::kAddressRefused;
  return reason_of(result, phase_);
}

HttpAnswer Transfer::answer(Reason reason, MonoTime now) {
  HttpAnswer answer;
  answer.id = request_.id;
  answer.reason = reason;
  answer.ip = ip_;
  answer.contacted = contacted_;
  answer.elapsed = now - since_;
  phase_ = TransferPhase::kIdle;
  return answer;
}

HttpAnswer Transfer::fail(Reason reason, std::string detail, MonoTime now) {
  HttpAnswer failed = answer(reason, now);
  failed.detail = std::move(detail);
  body_ = {};  // a large one must not stay with an idle handle
  return failed;
}

HttpAnswer Transfer::refuse(const IpAddress& address, MonoTime now) {
  ip_ = address;
  return fail(Reason::kAddressRefused,
              "address " + format_ip(address) + " is not public and not in fetch.allow_networks", now);
}

HttpAnswer Transfer::finish(CURLcode result, MonoTime now) {
  const Reason reason = verdict(result);
  curl_off_t wire_bytes = 0;
  curl_easy_getinfo(easy(), CURLINFO_SIZE_DOWNLOAD_T, &wire_bytes);
  if (reason != Reason::kOk) {
    std::string detail = error_[0] != '\0' ? error_ : curl_easy_strerror(result);
    if (head_too_large_) detail = "more header bytes than allowed";
    HttpAnswer failed =
        reason == Reason::kAddressRefused ? refuse(ip_, now) : fail(reason, std::move(detail), now);
    failed.wire_bytes = static_cast<std::uint64_t>(wire_bytes);
    return failed;
  }
  HttpAnswer whole = answer(reason, now);
  long status = 0;
  curl_off_t total_time = 0;
  curl_easy_getinfo(easy(), CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(easy(), CURLINFO_TOTAL_TIME_T, &total_time);
  whole.status = static_cast<std::uint16_t>(status);
  whole.content_type = head_.content_type();
  whole.location = head_.location();
  whole.retry_after = head_.retry_after();
  whole.link = head_.link();
  whole.refresh = head_.refresh();
  whole.content_location = head_.content_location();
  whole.body = std::move(body_);
  whole.truncated = truncated_;
  whole.wire_bytes = static_cast<std::uint64_t>(wire_bytes);
  // libcurl's own clock: `now` is as old as the turn.
  whole.elapsed = (connect_at_ - since_) + Duration(total_time);
  return whole;
}

std::size_t Transfer::on_header(char* data, std::size_t size, std::size_t count, void* self) {
  auto& transfer = *static_cast<Transfer*>(self);
  if (transfer.phase_ == TransferPhase::kWaiting) {
    transfer.window_bytes_ = 0;
    transfer.move_to(TransferPhase::kReceiving);
  }
  if (transfer.head_.add_line({data, size * count}, transfer.shared_.wall_now)) return size * count;
  transfer.head_too_large_ = true;
  return 0;
}

std::size_t Transfer::on_body(char* data, std::size_t size, std::size_t count, void* self) {
  return static_cast<Transfer*>(self)->take_body({data, size * count});
}

std::size_t Transfer::take_body(std::string_view bytes) {
  if (body_.empty()) {
    curl_off_t announced = 0;
    curl_easy_getinfo(easy(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &announced);
    const auto expected = static_cast<std::size_t>(std::max<curl_off_t>(announced, 0));
    body_.reserve(std::min({std::max(expected, bytes.size()), kBodyReserveMax, body_bytes_max_}));
  }
  const std::size_t room = body_bytes_max_ - body_.size();
  body_.append(bytes.substr(0, room));
  if (bytes.size() <= room) return bytes.size();
  truncated_ = true;
  return 0;  // ends the transfer and its connection
}

int Transfer::on_request_ready(void* self, char* ip, char*, int, int) {
  auto& transfer = *static_cast<Transfer*>(self);
  transfer.ip_ = parse_ip(ip);
  transfer.contacted_ = true;
  transfer.move_to(TransferPhase::kWaiting);
  return CURL_PREREQFUNC_OK;
}

curl_socket_t Transfer::on_open_socket(void* self, curlsocktype, curl_sockaddr* address) {
  return static_cast<Transfer*>(self)->open_socket(*address);
}

curl_socket_t Transfer::open_socket(const curl_sockaddr& address) {
  ip_ = to_ip(address.addr);
  if (!shared_.rules.allowed(ip_)) {
    address_refused_ = true;
    return CURL_SOCKET_BAD;
  }
  const int socket = ::socket(address.family, address.socktype | SOCK_CLOEXEC, address.protocol);
  if (socket < 0) {
    descriptors_exhausted_ = descriptors_exhausted_ || errno == EMFILE || errno == ENFILE || errno == ENOBUFS;
    return CURL_SOCKET_BAD;
  }
  contacted_ = true;
  ++shared_.open_sockets;
  return socket;
}

int Transfer::on_close_socket(void* argument, curl_socket_t socket) {
  auto& shared = *static_cast<TransferShared*>(argument);
  --shared.open_sockets;
  shared.poller->closing(socket);
  return ::close(socket);
}

// Every name is pinned: were libcurl to ask for one, the answer would have passed no rule of ours.
int Transfer::on_resolve(void*, void*, void*) { return 1; }

}  // namespace weir::crawler
