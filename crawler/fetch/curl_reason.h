// The one table that says which page fate a libcurl result means. The phase a transfer was in decides what a
// time-out was. Pure.
#pragma once

#include <curl/curl.h>

#include <cstdint>

#include "frontier/reason.h"

namespace weir::crawler {

enum class TransferPhase : std::uint8_t {
  kIdle,
  kResolving,
  kConnecting,  // TCP and TLS
  kWaiting,     // the request is sent, not a byte has come back
  kReceiving
};

frontier::Reason reason_of(CURLcode code, TransferPhase phase);

}  // namespace weir::crawler
