// RFC 1035 messages, just enough: one question, answers that point back at its name.
#include "tests/support/fake_dns.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/check.h"
#include "base/coding.h"

namespace weir::test {
namespace {

constexpr std::size_t kHeaderBytes = 12;
constexpr std::uint16_t kTypeA = 1;
constexpr std::uint16_t kTypeAaaa = 28;

struct Question {
  std::string name;
  std::uint16_t type = 0;
  std::size_t end = 0;
};

void put_u16_be(std::string& out, unsigned value) {
  out.push_back(static_cast<char>(value >> 8));
  out.push_back(static_cast<char>(value));
}

Question read_question(std::string_view message) {
  Question question;
  std::size_t at = kHeaderBytes;
  while (at < message.size() && message[at] != 0) {
    const auto length = static_cast<unsigned char>(message[at]);
    question.name.append(question.name.empty() ? "" : ".").append(message.substr(at + 1, length));
    at += 1 + length;
  }
  question.end = at + 5;
  WEIR_CHECK(question.end <= message.size());
  question.type = static_cast<std::uint16_t>(static_cast<unsigned char>(message[at + 1]) << 8 |
                                             static_cast<unsigned char>(message[at + 2]));
  return question;
}

std::string packed(const std::string& address, std::uint16_t type) {
  char bytes[16];
  if (::inet_pton(type == kTypeA ? AF_INET : AF_INET6, address.c_str(), bytes) != 1) return {};
  return {bytes, type == kTypeA ? std::size_t{4} : std::size_t{16}};
}

}  // namespace

FakeDns::FakeDns() {
  sockaddr_in name{};
  name.sin_family = AF_INET;
  name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socket_ = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  WEIR_CHECK(::bind(socket_, reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0);
  socklen_t length = sizeof name;
  WEIR_CHECK(::getsockname(socket_, reinterpret_cast<sockaddr*>(&name), &length) == 0);
  port_ = ntohs(name.sin_port);
  stop_event_ = ::eventfd(0, EFD_CLOEXEC);
  thread_ = std::thread([this] { run(); });
}

FakeDns::~FakeDns() {
  stopping_ = true;
  const std::uint64_t one = 1;
  WEIR_CHECK(::write(stop_event_, &one, sizeof one) == sizeof one);
  thread_.join();
  ::close(socket_);
  ::close(stop_event_);
}

void FakeDns::set(const std::string& name, DnsReply reply) {
  const std::lock_guard lock(mutex_);
  replies_[name] = std::move(reply);
}

std::string FakeDns::server() const { return "127.0.0.1:" + std::to_string(port_); }

std::size_t FakeDns::questions(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = questions_.find(name);
  return found == questions_.end() ? 0 : found->second;
}

std::size_t FakeDns::questions() const {
  const std::lock_guard lock(mutex_);
  std::size_t count = 0;
  for (const auto& [name, asked] : questions_) count += asked;
  return count;
}

std::string FakeDns::answer(std::string_view message) {
  const Question question = read_question(message);
  const std::lock_guard lock(mutex_);
  if (question.type == kTypeA) ++questions_[question.name];
  const auto found = replies_.find(question.name);
  const DnsReply reply = found == replies_.end() ? DnsReply{3, {}, 0, false} : found->second;
  if (reply.silent) return {};
  std::string records;
  unsigned count = 0;
  for (const std::string& address : reply.addresses) {
    const std::string data = packed(address, question.type);
    if (data.empty()) continue;
    ++count;
    put_u16_be(records, 0xc000 | kHeaderBytes);  // the question's name
    put_u16_be(records, question.type);
    put_u16_be(records, 1);  // class IN
    put_u32_be(records, reply.ttl);
    put_u16_be(records, static_cast<unsigned>(data.size()));
    records += data;
  }
  std::string out(message.substr(0, 2));
  put_u16_be(out, 0x8180u | static_cast<unsigned>(reply.code));  // response, recursion
  put_u16_be(out, 1);
  put_u16_be(out, count);
  put_u16_be(out, 0);
  put_u16_be(out, 0);
  return out.append(message.substr(kHeaderBytes, question.end - kHeaderBytes)).append(records);
}

void FakeDns::run() {
  while (!stopping_) {
    pollfd polled[] = {{stop_event_, POLLIN, 0}, {socket_, POLLIN, 0}};
    ::poll(polled, 2, -1);
    if ((polled[1].revents & POLLIN) == 0) continue;
    char buffer[512];
    sockaddr_in peer{};
    socklen_t length = sizeof peer;
    const ssize_t count =
        ::recvfrom(socket_, buffer, sizeof buffer, 0, reinterpret_cast<sockaddr*>(&peer), &length);
    if (count < static_cast<ssize_t>(kHeaderBytes)) continue;
    const std::string reply = answer({buffer, static_cast<std::size_t>(count)});
    if (reply.empty()) continue;
    ::sendto(socket_, reply.data(), reply.size(), 0, reinterpret_cast<const sockaddr*>(&peer), length);
  }
}

}  // namespace weir::test
