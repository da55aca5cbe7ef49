// The system's hosts file asked directly: no DNS query is sent. For decisions that come before any traffic.
#pragma once

#include <string>

namespace weir::crawler {

// True when the hosts file names `host` and every address it gives is loopback. Reads the file; c-ares parses.
bool hosts_file_says_loopback(const std::string& host);

}  // namespace weir::crawler
