// LoopbackServer: a scripted HTTP/1.1 server on a loopback address, in one thread of its own, plain or TLS. It
// sends the bytes it is told to, however wrong, slow or endless, and counts what reached it. Any number of
// connections. Its methods may be called from the test's thread at any time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/clock.h"

namespace weir::test {

struct ServerRequest {
  std::string method;
  std::string target;
  std::string head;  // request line and fields, as received

  std::string field(std::string_view name) const;  // first of that name, any case; empty: none
};

// What happens after a request: `bytes` as they are, then `endless` for ever, or `trickle` for ever one byte
// per interval; when neither, `then`. A reply that is all empty keeps the peer waiting.
struct ServerReply {
  enum class Then : std::uint8_t { kKeepOpen, kClose, kReset };

  std::string bytes;
  std::string endless;
  std::string trickle;
  Duration trickle_interval = std::chrono::milliseconds(10);
  Then then = Then::kKeepOpen;
};

// "HTTP/1.1 STATUS X", the fields ("Name: value\r\n" each), Content-Length and the body.
ServerReply http_reply(int status, std::string_view body, std::string_view fields = "");

class LoopbackServer {
 public:
  using Handler = std::function<ServerReply(const ServerRequest&)>;

  struct Options {
    std::string address = "127.0.0.1";
    std::string certificate_pem;  // both given: TLS
    std::string key_pem;
  };

  LoopbackServer() : LoopbackServer(Options{}) {}
  explicit LoopbackServer(const Options& options);
  ~LoopbackServer();
  LoopbackServer(const LoopbackServer&) = delete;
  LoopbackServer& operator=(const LoopbackServer&) = delete;

  // By target without query; "*" takes what nothing else does. Otherwise 404.
  void on(const std::string& path, Handler handler);
  void on(const std::string& path, ServerReply reply);

  std::uint16_t port() const { return port_; }
  std::string url(std::string_view path) const;                         // with the address
  std::string url(std::string_view host, std::string_view path) const;  // with another name
  std::uint64_t accepts() const { return accepts_; }
  std::vector<ServerRequest> requests() const;

 private:
  struct Connection;
  struct Tls;

  void run();
  void accept_all();
  void serve(Connection& connection, short events);
  void answer_next(Connection& connection);
  ServerReply reply_to(const ServerRequest& request);

  std::unique_ptr<Tls> tls_;
  std::string address_;
  int listener_ = -1;
  int stop_event_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<std::uint64_t> accepts_ = 0;
  std::atomic<bool> stopping_ = false;
  mutable std::mutex mutex_;  // handlers_, requests_
  std::map<std::string, Handler> handlers_;
  std::vector<ServerRequest> requests_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::thread thread_;
};

}  // namespace weir::test
