// OpenSSL's X.509 calls.
#include "tests/support/self_signed.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "base/check.h"

namespace weir::test {
namespace {

constexpr long kDaySeconds = 24 * 60 * 60;

void add_extension(X509* certificate, int id, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, id, value.c_str());
  WEIR_CHECK(extension != nullptr && X509_add_ext(certificate, extension, -1) == 1);
  X509_EXTENSION_free(extension);
}

std::string take_text(BIO* bio) {
  char* data = nullptr;
  const long length = BIO_get_mem_data(bio, &data);
  std::string text(data, static_cast<std::size_t>(length));
  BIO_free(bio);
  return text;
}

}  // namespace

SelfSigned make_self_signed(const std::string& host, int days) {
  EVP_PKEY* key = EVP_EC_gen("P-256");
  X509* certificate = X509_new();
  WEIR_CHECK(key != nullptr && certificate != nullptr);
  X509_set_version(certificate, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -2 * kDaySeconds);
  X509_gmtime_adj(X509_getm_notAfter(certificate), days * kDaySeconds);
  X509_set_pubkey(certificate, key);
  X509_NAME* name = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(host.c_str()), -1,
                             -1, 0);
  X509_set_issuer_name(certificate, name);
  const bool is_ip = host.find_first_not_of("0123456789.") == std::string::npos;
  add_extension(certificate, NID_subject_alt_name, (is_ip ? "IP:" : "DNS:") + host);
  add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE");
  WEIR_CHECK(X509_sign(certificate, key, EVP_sha256()) != 0);
  BIO* certificate_bio = BIO_new(BIO_s_mem());
  BIO* key_bio = BIO_new(BIO_s_mem());
  PEM_write_bio_X509(certificate_bio, certificate);
  PEM_write_bio_PrivateKey(key_bio, key, nullptr, nullptr, 0, nullptr, nullptr);
  X509_free(certificate);
  EVP_PKEY_free(key);
  return {take_text(certificate_bio), take_text(key_bio)};
}

}  // namespace weir::test
