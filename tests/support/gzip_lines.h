// Lines of a gzip file, for tests over large corpora. Single-threaded, for tests only.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weir::test {

// Without line ends (LF or CRLF); empty when the file cannot be read.
std::vector<std::string> gzip_lines(const std::filesystem::path& path);

}  // namespace weir::test
