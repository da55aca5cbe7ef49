// Server: HTTP/1.1 over epoll on one thread: keep-alive, pipelining, late answers. It reads all requests that
// are ready before it answers any, so that requests which overlap are seen to overlap. What a request means is
// its Service's business. Only loopback peers are served, whatever address is bound.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "tests/web/site.h"

namespace weir::testweb {

// A request on its way: what the service wants to remember of it until its answer is sent.
struct Exchange {
  Request request;
  std::uint64_t connection = 0;
  std::uint32_t host = 0;
  std::optional<Node> node;
  bool control = false;
  std::uint64_t wait_requests = 0;  // control: answer when so many requests have come
  Answer answer;
};

class Service {
 public:
  virtual ~Service() = default;
  virtual void begin(Exchange& exchange, MonoTime now) = 0;      // fills the answer
  virtual bool ready(const Exchange& exchange) const = 0;        // false: ask again after other requests came
  virtual void finish(const Exchange& exchange, bool sent) = 0;  // sent: no; the peer went away before
};

// The head of a request, up to and with the empty line; nothing: not HTTP.
std::optional<Request> parse_request(std::string_view head);

class Server {
 public:
  static Result<std::unique_ptr<Server>> listen(const std::string& address, std::uint16_t port,
                                                const Clock& clock);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const { return port_; }

  // Serves until `stop_fd` (a signalfd, an eventfd, a pipe) becomes readable.
  Result<void> run(Service& service, int stop_fd);

 private:
  struct Connection;
  Server(int listener, int epoll, std::uint16_t port, const Clock& clock);

  Result<bool> turn(Service& service);  // false: told to stop
  Result<void> accept_all();
  void begin_next(Service& service, Connection& connection, MonoTime now);
  void release_late(MonoTime now);
  void answer_all(Service& service, MonoTime now);
  void answer(Service& service, Connection& connection);
  void flush(Connection& connection);
  void take_ready(const Service& service);
  void sweep(Service& service);
  int wait_milliseconds() const;

  int listener_;
  int epoll_;
  std::uint16_t port_;
  const Clock& clock_;
  std::uint64_t next_connection_ = 1;
  std::map<std::uint64_t, std::unique_ptr<Connection>> connections_;
  std::vector<Connection*> readable_, answerable_;
  std::vector<std::uint64_t> held_, gone_;       // by number: the connection may end meanwhile
  std::multimap<MonoTime, std::uint64_t> late_;  // when a late answer is due -> connection
};

}  // namespace weir::testweb
