// FakeDns: a name server on a loopback UDP port, in one thread of its own. It answers as it is told and counts
// the questions. Its methods may be called from the test's thread at any time.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace weir::test {

struct DnsReply {
  int code = 0;                        // 0 no error, 2 SERVFAIL, 3 NXDOMAIN, 5 REFUSED
  std::vector<std::string> addresses;  // IPv4 and IPv6 text
  std::uint32_t ttl = 0;
  bool silent = false;  // no answer at all
};

class FakeDns {
 public:
  FakeDns();
  ~FakeDns();
  FakeDns(const FakeDns&) = delete;
  FakeDns& operator=(const FakeDns&) = delete;

  void set(const std::string& name, DnsReply reply);  // unknown names: NXDOMAIN
  std::string server() const;                         // "127.0.0.1:PORT"
  // Questions of type A for a name, or for all names.
  std::size_t questions(const std::string& name) const;
  std::size_t questions() const;

 private:
  void run();
  std::string answer(std::string_view question);

  int socket_ = -1;
  int stop_event_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<bool> stopping_ = false;
  mutable std::mutex mutex_;
  std::map<std::string, DnsReply> replies_;
  std::map<std::string, std::size_t> questions_;
  std::thread thread_;
};

}  // namespace weir::test
