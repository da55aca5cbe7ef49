// One poll() loop; TLS through OpenSSL's non-blocking calls.
#include "tests/support/loopback_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "base/check.h"

namespace weir::test {
namespace {

constexpr std::size_t kOutputAheadMax = 256 << 10;

bool same_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

int listen_on(const std::string& address, std::uint16_t& port) {
  sockaddr_in name{};
  name.sin_family = AF_INET;
  WEIR_CHECK(::inet_pton(AF_INET, address.c_str(), &name.sin_addr) == 1);
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  WEIR_CHECK(::bind(listener, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0);
  WEIR_CHECK(::listen(listener, 1024) == 0);
  socklen_t length = sizeof name;
  WEIR_CHECK(::getsockname(listener, reinterpret_cast<sockaddr*>(&name), &length) == 0);
  port = ntohs(name.sin_port);
  return listener;
}

std::optional<ServerRequest> cut_request(std::string& input) {
  const std::size_t end = input.find("\r\n\r\n");
  if (end == std::string::npos) return std::nullopt;
  ServerRequest request;
  request.head = input.substr(0, end + 2);
  input.erase(0, end + 4);
  const std::size_t space = request.head.find(' ');
  request.method = request.head.substr(0, space);
  request.target = request.head.substr(space + 1, request.head.find(' ', space + 1) - space - 1);
  return request;
}

}  // namespace

std::string ServerRequest::field(std::string_view name) const {
  std::string_view rest = head;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find("\r\n"));
    rest.remove_prefix(std::min(rest.size(), line.size() + 2));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !same_name(line.substr(0, colon), name)) continue;
    return std::string(line.substr(std::min(line.find_first_not_of(' ', colon + 1), line.size())));
  }
  return {};
}

ServerReply http_reply(int status, std::string_view body, std::string_view fields) {
  ServerReply reply;
  reply.bytes = "HTTP/1.1 " + std::to_string(status) + " X\r\n";
  reply.bytes.append(fields).append("Content-Length: " + std::to_string(body.size()) + "\r\n\r\n").append(body);
  return reply;
}

struct LoopbackServer::Tls {
  Tls(const std::string& certificate_pem, const std::string& key_pem)
      : context(SSL_CTX_new(TLS_server_method())) {
    BIO* certificate_bio = BIO_new_mem_buf(certificate_pem.data(), static_cast<int>(certificate_pem.size()));
    BIO* key_bio = BIO_new_mem_buf(key_pem.data(), static_cast<int>(key_pem.size()));
    X509* certificate = PEM_read_bio_X509(certificate_bio, nullptr, nullptr, nullptr);
    EVP_PKEY* key = PEM_read_bio_PrivateKey(key_bio, nullptr, nullptr, nullptr);
    WEIR_CHECK(SSL_CTX_use_certificate(context, certificate) == 1 && SSL_CTX_use_PrivateKey(context, key) == 1);
    X509_free(certificate);
    EVP_PKEY_free(key);
    BIO_free(certificate_bio);
    BIO_free(key_bio);
  }
  ~Tls() { SSL_CTX_free(context); }
  Tls(const Tls&) = delete;
  Tls& operator=(const Tls&) = delete;

  SSL_CTX* context;
};

struct LoopbackServer::Connection {
  explicit Connection(int socket, SSL_CTX* context) : fd(socket) {
    if (context == nullptr) return;
    ssl = SSL_new(context);
    SSL_set_fd(ssl, fd);
    SSL_set_accept_state(ssl);
  }
  ~Connection() {
    SSL_free(ssl);
    ::close(fd);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Bytes moved; 0: not now; -1: over.
  long receive(char* buffer, int size) {
    if (ssl == nullptr) return settled(::recv(fd, buffer, static_cast<std::size_t>(size), 0));
    return tls_settled(SSL_read(ssl, buffer, size));
  }
  long send(std::string_view bytes) {
    if (ssl == nullptr) return settled(::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL));
    return tls_settled(SSL_write(ssl, bytes.data(), static_cast<int>(bytes.size())));
  }
  long settled(ssize_t count) const {
    if (count > 0) return count;
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
  }
  long tls_settled(int count) const {
    if (count > 0) return count;
    const int error = SSL_get_error(ssl, count);
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? 0 : -1;
  }

  void reset() {
    const linger now{1, 0};
    ::setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    over = true;
  }

  // Appends what the reply still has to say, as far ahead as is sensible.
  void fill(MonoTime now) {
    if (!reply) return;
    while (!reply->endless.empty() && output.size() < kOutputAheadMax) output += reply->endless;
    if (!reply->trickle.empty() && now >= next_trickle) {
      output += reply->trickle[trickled++ % reply->trickle.size()];
      next_trickle = now + reply->trickle_interval;
    }
  }

  bool reply_finished() const {
    return reply && output.empty() && reply->endless.empty() && reply->trickle.empty() && !reply->bytes.empty();
  }

  int fd;
  SSL* ssl = nullptr;
  std::string input;
  std::string output;
  std::optional<ServerReply> reply;
  std::size_t trickled = 0;
  MonoTime next_trickle;
  bool over = false;
};

LoopbackServer::LoopbackServer(const Options& options) : address_(options.address) {
  if (!options.certificate_pem.empty()) tls_ = std::make_unique<Tls>(options.certificate_pem, options.key_pem);
  listener_ = listen_on(address_, port_);
  stop_event_ = ::eventfd(0, EFD_CLOEXEC);
  thread_ = std::thread([this] { run(); });
}

LoopbackServer::~LoopbackServer() {
  stopping_ = true;
  const std::uint64_t one = 1;
  WEIR_CHECK(::write(stop_event_, &one, sizeof one) == sizeof one);
  thread_.join();
  ::close(listener_);
  ::close(stop_event_);
}

void LoopbackServer::on(const std::string& path, Handler handler) {
  const std::lock_guard lock(mutex_);
  handlers_[path] = std::move(handler);
}

void LoopbackServer::on(const std::string& path, ServerReply reply) {
  on(path, [reply = std::move(reply)](const ServerRequest&) { return reply; });
}

std::string LoopbackServer::url(std::string_view path) const { return url(address_, path); }

std::string LoopbackServer::url(std::string_view host, std::string_view path) const {
  std::string text = tls_ ? "https://" : "http://";
  return text.append(host).append(":").append(std::to_string(port_)).append(path);
}

std::vector<ServerRequest> LoopbackServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

ServerReply LoopbackServer::reply_to(const ServerRequest& request) {
  Handler handler;
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
    auto found = handlers_.find(request.target.substr(0, request.target.find('?')));
    if (found == handlers_.end()) found = handlers_.find("*");
    if (found != handlers_.end()) handler = found->second;
  }
  return handler ? handler(request) : http_reply(404, "not found");
}

void LoopbackServer::answer_next(Connection& connection) {
  if (connection.reply) return;
  const auto request = cut_request(connection.input);
  if (!request) return;
  connection.reply = reply_to(*request);
  connection.output = connection.reply->bytes;
  connection.trickled = 0;
}

void LoopbackServer::accept_all() {
  for (;;) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) return;
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ++accepts_;
    connections_.push_back(std::make_unique<Connection>(socket, tls_ ? tls_->context : nullptr));
  }
}

void LoopbackServer::serve(Connection& connection, short events) {
  char buffer[16 << 10];
  if ((events & (POLLIN | POLLHUP | POLLERR)) != 0) {
    const long count = connection.receive(buffer, sizeof buffer);
    if (count < 0) connection.over = true;
    if (count > 0) connection.input.append(buffer, static_cast<std::size_t>(count));
  }
  answer_next(connection);
  connection.fill(SystemClock().now().mono);
  if (!connection.output.empty()) {
    const long count = connection.send(connection.output);
    if (count < 0) connection.over = true;
    if (count > 0) connection.output.erase(0, static_cast<std::size_t>(count));
  }
  if (!connection.reply_finished()) return;
  switch (connection.reply->then) {
    case ServerReply::Then::kKeepOpen: connection.reply.reset(); break;
    case ServerReply::Then::kClose: connection.over = true; break;
    case ServerReply::Then::kReset: connection.reset(); break;
  }
}

void LoopbackServer::run() {
  // OpenSSL writes without MSG_NOSIGNAL; a peer that is gone must not end the test.
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
  std::vector<pollfd> polled;
  while (!stopping_) {
    polled.assign({{stop_event_, POLLIN, 0}, {listener_, POLLIN, 0}});
    int timeout = -1;
    for (const auto& connection : connections_) {
      const bool sending =
          !connection->output.empty() || (connection->reply && !connection->reply->endless.empty());
      const bool more_input = !connection->reply && connection->input.find("\r\n\r\n") != std::string::npos;
      polled.push_back({connection->fd, static_cast<short>(POLLIN | (sending || more_input ? POLLOUT : 0)), 0});
      if (connection->reply && !connection->reply->trickle.empty()) timeout = 1;
    }
    ::poll(polled.data(), polled.size(), timeout);
    for (std::size_t i = 0; i < connections_.size(); ++i) serve(*connections_[i], polled[i + 2].revents);
    std::erase_if(connections_, [](const auto& connection) { return connection->over; });
    if ((polled[1].revents & POLLIN) != 0) accept_all();
  }
  connections_.clear();
}

}  // namespace weir::test
