// A table; what is not in it is a protocol error: never retried for ever, always visible in fetch.jsonl.
#include "crawler/fetch/curl_reason.h"

#include <algorithm>

namespace weir::crawler {
namespace {

using frontier::Reason;

struct Row {
  CURLcode code;
  Reason reason;
};

constexpr Row kRows[] = {
    {CURLE_OK, Reason::kOk},
    {CURLE_COULDNT_RESOLVE_HOST, Reason::kDnsFailure},  // a pinned address was gone: try again
    {CURLE_COULDNT_CONNECT, Reason::kConnectFailed},
    {CURLE_INTERFACE_FAILED, Reason::kConnectFailed},
    {CURLE_WEIRD_SERVER_REPLY, Reason::kProtocolError},
    {CURLE_UNSUPPORTED_PROTOCOL, Reason::kProtocolError},  // also HTTP/0.9
    {CURLE_URL_MALFORMAT, Reason::kProtocolError},
    {CURLE_OUT_OF_MEMORY, Reason::kProtocolError},  // 7.88's answer to one header line above 100 KiB
    {CURLE_TOO_MANY_REDIRECTS, Reason::kProtocolError},
    {CURLE_HTTP2, Reason::kProtocolError},
    {CURLE_PARTIAL_FILE, Reason::kConnectionBroken},
    {CURLE_GOT_NOTHING, Reason::kConnectionBroken},
    {CURLE_SEND_ERROR, Reason::kConnectionBroken},
    {CURLE_RECV_ERROR, Reason::kConnectionBroken},
    {CURLE_BAD_CONTENT_ENCODING, Reason::kDecodeFailed},
    {CURLE_SSL_CONNECT_ERROR, Reason::kTlsFailed},
    {CURLE_PEER_FAILED_VERIFICATION, Reason::kTlsFailed},
    {CURLE_SSL_CERTPROBLEM, Reason::kTlsFailed},
    {CURLE_SSL_CIPHER, Reason::kTlsFailed},
    {CURLE_SSL_CACERT_BADFILE, Reason::kTlsFailed},
    {CURLE_SSL_CRL_BADFILE, Reason::kTlsFailed},
    {CURLE_SSL_ISSUER_ERROR, Reason::kTlsFailed},
    {CURLE_SSL_PINNEDPUBKEYNOTMATCH, Reason::kTlsFailed},
    {CURLE_SSL_INVALIDCERTSTATUS, Reason::kTlsFailed},
    {CURLE_SSL_CLIENTCERT, Reason::kTlsFailed},
    {CURLE_SSL_ENGINE_NOTFOUND, Reason::kTlsFailed},
    {CURLE_SSL_ENGINE_SETFAILED, Reason::kTlsFailed},
    {CURLE_SSL_ENGINE_INITFAILED, Reason::kTlsFailed},
    {CURLE_SSL_SHUTDOWN_FAILED, Reason::kTlsFailed},
    {CURLE_USE_SSL_FAILED, Reason::kTlsFailed},
};

}  // namespace

Reason reason_of(CURLcode code, TransferPhase phase) {
  if (code == CURLE_OPERATION_TIMEDOUT) {
    return phase == TransferPhase::kConnecting ? Reason::kConnectTimeout : Reason::kTotalTimeout;
  }
  const auto* row = std::ranges::find(kRows, code, &Row::code);
  return row == std::end(kRows) ? Reason::kProtocolError : row->reason;
}

}  // namespace weir::crawler
