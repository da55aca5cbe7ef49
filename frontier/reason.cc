// The text of each reason, and which of them ask for another try or count against the host.
#include "frontier/reason.h"

namespace weir::frontier {

std::string_view reason_name(Reason reason) {
  switch (reason) {
    case Reason::kOk: return "ok";
    case Reason::kRedirect: return "redirect";
    case Reason::kHttpStatus: return "http_status";
    case Reason::kTooManyRedirects: return "too_many_redirects";
    case Reason::kBadRedirect: return "bad_redirect";
    case Reason::kRedirectOutOfScope: return "redirect_out_of_scope";
    case Reason::kRobotsDenied: return "robots_denied";
    case Reason::kRobotsUnreachable: return "robots_unreachable";
    case Reason::kDnsNotFound: return "dns_not_found";
    case Reason::kDnsFailure: return "dns_failure";
    case Reason::kAddressRefused: return "address_refused";
    case Reason::kConnectFailed: return "connect_failed";
    case Reason::kConnectTimeout: return "connect_timeout";
    case Reason::kTlsFailed: return "tls_failed";
    case Reason::kFirstByteTimeout: return "first_byte_timeout";
    case Reason::kTooSlow: return "too_slow";
    case Reason::kTotalTimeout: return "total_timeout";
    case Reason::kConnectionBroken: return "connection_broken";
    case Reason::kProtocolError: return "protocol_error";
    case Reason::kDecodeFailed: return "decode_failed";
    case Reason::kOutOfScope: return "out_of_scope";
    case Reason::kHostGivenUp: return "host_given_up";
    case Reason::kStopped: return "stopped";
    case Reason::kUnsupportedScheme: return "unsupported_scheme";
  }
  return "unknown";
}

// kHttpStatus is not here: whether a 503 is worth another try is read from the status, not from the reason.
bool is_transient(Reason reason) {
  switch (reason) {
    case Reason::kDnsFailure:
    case Reason::kConnectFailed:
    case Reason::kConnectTimeout:
    case Reason::kFirstByteTimeout:
    case Reason::kTooSlow:
    case Reason::kTotalTimeout:
    case Reason::kConnectionBroken:
    case Reason::kStopped: return true;
    case Reason::kOk:
    case Reason::kRedirect:
    case Reason::kHttpStatus:
    case Reason::kTooManyRedirects:
    case Reason::kBadRedirect:
    case Reason::kRedirectOutOfScope:
    case Reason::kRobotsDenied:
    case Reason::kRobotsUnreachable:
    case Reason::kDnsNotFound:
    case Reason::kAddressRefused:
    case Reason::kTlsFailed:
    case Reason::kProtocolError:
    case Reason::kDecodeFailed:
    case Reason::kOutOfScope:
    case Reason::kHostGivenUp:
    case Reason::kUnsupportedScheme: return false;
  }
  return false;
}

// Nothing of the host answered. Once it has sent a byte, trouble may be the page's own.
bool is_host_failure(Reason reason) {
  switch (reason) {
    case Reason::kRobotsUnreachable:
    case Reason::kDnsNotFound:
    case Reason::kDnsFailure:
    case Reason::kAddressRefused:
    case Reason::kConnectFailed:
    case Reason::kConnectTimeout:
    case Reason::kTlsFailed:
    case Reason::kFirstByteTimeout:
    case Reason::kHostGivenUp: return true;
    case Reason::kOk:
    case Reason::kRedirect:
    case Reason::kHttpStatus:
    case Reason::kTooManyRedirects:
    case Reason::kBadRedirect:
    case Reason::kRedirectOutOfScope:
    case Reason::kRobotsDenied:
    case Reason::kTooSlow:
    case Reason::kTotalTimeout:
    case Reason::kConnectionBroken:
    case Reason::kProtocolError:
    case Reason::kDecodeFailed:
    case Reason::kOutOfScope:
    case Reason::kStopped:
    case Reason::kUnsupportedScheme: return false;
  }
  return false;
}

}  // namespace weir::frontier
