// What verbs read: a whole small file or standard input. Blocking; for one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "frontier/url/url.h"

namespace weir::crawler {

// The address that --base gives; nothing when it is not given. kUsage when it is no URL.
Result<std::optional<frontier::Url>> read_base(const std::string& base);

// "-" is standard input. kUsage when it cannot be read; at most `bytes_max` are read, the rest is left.
Result<std::string> read_input(const std::string& path, std::uint64_t bytes_max);

// Every line of a file, plain or gzip, or of standard input ("-"); a line over the limit comes as empty text.
// kUsage when it cannot be read to its end.
Result<void> for_each_line(const std::string& path, const std::function<void(std::string_view)>& visit);

}  // namespace weir::crawler
