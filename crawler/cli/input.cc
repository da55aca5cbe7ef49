// One loop for files and pipes.
#include "crawler/cli/input.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "crawler/seeds/line_source.h"

namespace weir::crawler {
namespace {

constexpr std::size_t kChunkBytes = 64 << 10;

}  // namespace

Result<std::optional<frontier::Url>> read_base(const std::string& base) {
  if (base.empty()) return std::nullopt;
  auto url = frontier::parse_url(base);
  if (!url) {
    return fail(ErrorCode::kUsage,
                "--base '" + base + "' is no URL: " + std::string(frontier::describe(url.error())));
  }
  return *std::move(url);
}

Result<std::string> read_input(const std::string& path, std::uint64_t bytes_max) {
  const int descriptor = path == "-" ? ::dup(STDIN_FILENO) : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return fail(ErrorCode::kUsage, "cannot read '" + path + "': " + std::strerror(errno));
  std::string content;
  std::vector<char> chunk(kChunkBytes);
  ssize_t count = 1;
  while (count > 0 && content.size() < bytes_max) {
    const std::size_t wanted = std::min<std::uint64_t>(chunk.size(), bytes_max - content.size());
    do count = ::read(descriptor, chunk.data(), wanted);
    while (count < 0 && errno == EINTR);
    if (count > 0) content.append(chunk.data(), static_cast<std::size_t>(count));
  }
  const std::string reason = std::strerror(errno);
  ::close(descriptor);
  if (count < 0) return fail(ErrorCode::kUsage, "cannot read '" + path + "': " + reason);
  return content;
}

Result<void> for_each_line(const std::string& path, const std::function<void(std::string_view)>& visit) {
  auto lines = LineSource::open(path);
  if (!lines) return std::unexpected(lines.error());
  while (true) {
    const auto event = lines->next();
    if (!event) return std::unexpected(event.error());
    if (*event == LineEvent::kEnd) return {};
    visit(lines->text());
  }
}

}  // namespace weir::crawler
