// Transfer: one libcurl easy handle, used again and again, and what is known of the request it carries: phase,
// deadlines, head, body. It judges the address of every socket before it is opened. Knows nothing of DNS, of
// the multi handle or of other transfers. Belongs to the thread of its client.
#pragma once

#include <curl/curl.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "crawler/fetch/address_pins.h"
#include "crawler/fetch/curl_reason.h"
#include "crawler/fetch/http_client.h"
#include "crawler/fetch/response_head.h"
#include "crawler/fetch/socket_poller.h"
#include "crawler/fetch/wire_url.h"

namespace weir::crawler {

class Transfer;

// What the transfers of one client share. Outlives them and every connection.
struct TransferShared {
  HttpOptions options;
  AddressRules rules;
  std::string trust_path;
  SocketPoller* poller = nullptr;
  CurlList request_headers;
  WallTime wall_now;
  std::size_t open_sockets = 0;
  std::vector<Transfer*> moved;  // changed phase; the next turn's time is when
};

class Transfer {
 public:
  static Result<std::unique_ptr<Transfer>> create(TransferShared& shared);
  ~Transfer() = default;
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  CURL* easy() const { return easy_.get(); }
  const HttpRequest& request() const { return request_; }
  TransferPhase phase() const { return phase_; }
  bool descriptors_exhausted() const { return descriptors_exhausted_; }

  // The life of a request. `since` is when it first got a slot: a request put back keeps its total deadline.
  void begin(HttpRequest request, MonoTime since, MonoTime now);
  void connect(const WireUrl& url, AddressPins::Pin pin, MonoTime now);
  HttpAnswer finish(CURLcode result, MonoTime now);
  HttpAnswer fail(frontier::Reason reason, std::string detail, MonoTime now);
  HttpAnswer refuse(const frontier::IpAddress& address, MonoTime now);
  std::optional<AddressPins::Handle> take_pin() { return std::exchange(pin_, std::nullopt); }
  HttpRequest take_request() { return std::move(request_); }
  MonoTime since() const { return since_; }
  std::uint32_t slot() const { return slot_; }
  void set_slot(std::uint32_t slot) { slot_ = slot; }

  // The phase that began since the last turn is dated `now`.
  void stamp_phase(MonoTime now) { phase_since_ = now; }
  // When check_deadline() must be asked again.
  MonoTime deadline() const;
  // The reason to give up, if one of the deadlines has passed.
  std::optional<frontier::Reason> check_deadline(MonoTime now);

 private:
  struct EasyDeleter {
    void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
  };

  explicit Transfer(TransferShared& shared) : shared_(shared), easy_(curl_easy_init()) {}

  bool set_options();
  bool set_tls_options();
  void move_to(TransferPhase phase);
  std::uint64_t bytes_so_far() const;
  std::size_t take_body(std::string_view bytes);
  curl_socket_t open_socket(const curl_sockaddr& address);
  frontier::Reason verdict(CURLcode result) const;
  HttpAnswer answer(frontier::Reason reason, MonoTime now);

  static std::size_t on_header(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t on_body(char* data, std::size_t size, std::size_t count, void* self);
  static int on_request_ready(void* self, char* ip, char* local_ip, int port, int local_port);
  static curl_socket_t on_open_socket(void* self, curlsocktype purpose, curl_sockaddr* address);
  static int on_close_socket(void* shared, curl_socket_t socket);
  static int on_resolve(void* resolver, void* reserved, void* self);

  TransferShared& shared_;
  std::unique_ptr<CURL, EasyDeleter> easy_;
  char error_[CURL_ERROR_SIZE] = {};

  HttpRequest request_;
  std::uint32_t slot_ = 0;  // the client's
  std::optional<AddressPins::Handle> pin_;
  CurlList resolve_;
  TransferPhase phase_ = TransferPhase::kIdle;
  MonoTime since_;        // has a slot
  MonoTime connect_at_;   // handed to libcurl
  MonoTime phase_since_;  // in kReceiving: start of the low-speed window
  std::uint64_t window_bytes_ = 0;
  std::uint64_t body_bytes_max_ = 0;

  ResponseHead head_;
  std::string body_;
  frontier::IpAddress ip_;
  bool contacted_ = false;
  bool head_too_large_ = false;
  bool truncated_ = false;
  bool address_refused_ = false;
  bool descriptors_exhausted_ = false;
};

}  // namespace weir::crawler
