// TLS: certificates are verified unless told otherwise, and the operator's roots come on top of the system's.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "crawler/fetch/trust_store.h"
#include "tests/crawler/fetch/client_fixture.h"
#include "tests/support/loopback_server.h"
#include "tests/support/self_signed.h"

namespace weir::crawler {
namespace {

using frontier::Reason;
using test::http_reply;
using test::LoopbackServer;
using test::make_self_signed;
using test::SelfSigned;

class RootsFile {
 public:
  explicit RootsFile(const std::string& pem)
      : path_(std::filesystem::temp_directory_path() / ("weir-roots-" + std::to_string(::getpid()) + ".pem")) {
    std::ofstream(path_) << pem;
  }
  ~RootsFile() { std::filesystem::remove(path_); }
  RootsFile(const RootsFile&) = delete;
  RootsFile& operator=(const RootsFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

HttpOptions for_tls_test() {
  HttpOptions options;
  options.dns_hosts = {{"*.test", "127.0.0.1"}};
  return options;
}

LoopbackServer::Options tls_server(const SelfSigned& identity) {
  return {"127.0.0.1", identity.certificate_pem, identity.key_pem};
}

TEST(HttpTls, AnUnknownIssuerIsRefusedThenAcceptedWithItsRoot) {
  const SelfSigned identity = make_self_signed("a.test");
  LoopbackServer server(tls_server(identity));
  server.on("/p", http_reply(200, "secret"));
  ClientRun strict(for_tls_test());
  const HttpAnswer refused = strict.get(server.url("a.test", "/p"));
  EXPECT_EQ(refused.reason, Reason::kTlsFailed);
  EXPECT_EQ(refused.body, "");
  EXPECT_FALSE(refused.detail.empty());
  EXPECT_TRUE(server.requests().empty());

  const RootsFile roots(identity.certificate_pem);
  HttpOptions options = for_tls_test();
  options.ca_file = roots.path();
  ClientRun trusting(options);
  for (int i = 0; i < 5; ++i) {
    const HttpAnswer accepted = trusting.get(server.url("a.test", "/p"));
    EXPECT_EQ(accepted.reason, Reason::kOk) << accepted.detail;
    EXPECT_EQ(accepted.body, "secret");
  }
  EXPECT_EQ(server.accepts(), 2u);
  EXPECT_EQ(trusting.get(server.url("b.test", "/p")).reason, Reason::kTlsFailed) << "another name";
}

TEST(HttpTls, AnExpiredCertificateIsRefused) {
  const SelfSigned identity = make_self_signed("a.test", -1);
  LoopbackServer server(tls_server(identity));
  const RootsFile roots(identity.certificate_pem);
  HttpOptions options = for_tls_test();
  options.ca_file = roots.path();
  ClientRun client(options);
  EXPECT_EQ(client.get(server.url("a.test", "/p")).reason, Reason::kTlsFailed);
}

TEST(HttpTls, VerificationCanBeSwitchedOff) {
  const SelfSigned identity = make_self_signed("other.test", -1);
  LoopbackServer server(tls_server(identity));
  server.on("/p", http_reply(200, "x"));
  HttpOptions options = for_tls_test();
  options.verify_tls = false;
  ClientRun client(options);
  EXPECT_EQ(client.get(server.url("a.test", "/p")).reason, Reason::kOk);
}

TEST(TrustStore, ExtraRootsComeOnTopOfTheSystems) {
  const auto system = TrustStore::open("");
  ASSERT_TRUE(system);
  const RootsFile roots(make_self_signed("a.test").certificate_pem);
  const auto both = TrustStore::open(roots.path());
  ASSERT_TRUE(both) << both.error().message();
  std::error_code ignored;
  const auto system_bytes = system->path().empty() ? 0 : std::filesystem::file_size(system->path(), ignored);
  std::ifstream file(both->path());
  const std::string content((std::istreambuf_iterator<char>(file)), {});
  EXPECT_GT(content.size(), system_bytes);
}

}  // namespace
}  // namespace weir::crawler
