// memfd_create and /proc/self/fd: nothing is left on disk and nothing has to be cleaned up.
#include "crawler/fetch/trust_store.h"

#include <curl/curl.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <utility>

#include "base/durable_file.h"

namespace weir::crawler {
namespace {

constexpr std::uint64_t kRootsBytesMax = 16 << 20;

std::string system_bundle() {
  const curl_version_info_data* info = curl_version_info(CURLVERSION_NOW);
  if (info->age < CURLVERSION_EIGHTH || info->cainfo == nullptr || ::access(info->cainfo, R_OK) != 0) return {};
  return info->cainfo;
}

bool holds_certificate(const std::string& pem) {
  const std::unique_ptr<BIO, decltype(&BIO_free_all)> bio(
      BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), &BIO_free_all);
  const std::unique_ptr<X509, decltype(&X509_free)> first(
      PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr), &X509_free);
  ERR_clear_error();
  return first != nullptr;
}

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

Result<TrustStore> TrustStore::open(const std::string& extra_file) {
  const std::string bundle = system_bundle();
  if (extra_file.empty()) return TrustStore(-1, bundle);
  auto extra = read_file(extra_file, kRootsBytesMax);
  if (!extra) return fail(ErrorCode::kUsage, "fetch.ca_file: " + extra.error().message());
  if (!holds_certificate(*extra)) {
    return fail(ErrorCode::kUsage, "fetch.ca_file: '" + extra_file + "' holds no PEM certificate");
  }
  std::string roots;
  if (!bundle.empty()) {
    auto system = read_file(bundle, kRootsBytesMax);
    if (!system) return std::unexpected(system.error().with_context("system root certificates"));
    roots = std::move(*system);
  }
  roots.append("\n").append(*extra);
  const int descriptor = ::memfd_create("weir-roots", MFD_CLOEXEC);
  if (descriptor < 0) return fail(ErrorCode::kRuntime, "cannot create a memory file for root certificates");
  TrustStore store(descriptor, "/proc/self/fd/" + std::to_string(descriptor));
  if (!write_all(descriptor, roots))
    return fail(ErrorCode::kRuntime, "cannot store root certificates in memory");
  return store;
}

TrustStore::TrustStore(TrustStore&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

TrustStore::~TrustStore() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace weir::crawler
