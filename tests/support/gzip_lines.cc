// The whole text first, then its lines: the corpora are small.
#include "tests/support/gzip_lines.h"

#include <zlib.h>

#include <array>

namespace weir::test {

std::vector<std::string> gzip_lines(const std::filesystem::path& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) return {};
  std::string text;
  std::array<char, 1 << 16> buffer{};
  for (int got = 0; (got = gzread(file, buffer.data(), buffer.size())) > 0;)
    text.append(buffer.data(), static_cast<std::size_t>(got));
  gzclose(file);
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(std::move(line));
    begin = end + 1;
  }
  return lines;
}

}  // namespace weir::test
