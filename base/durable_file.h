// Files that survive a crash whole or not at all: written beside their place, synced, renamed, and the
// folder synced (the order every database uses; see rename(2) and fsync(2)). Blocking I/O; one thread each.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace weir {

// Writes through a 1 MiB buffer. Every failure carries the path and the system's reason; ENOSPC is kRetry.
// After a failed write nobody knows what is in the file, so that every later call fails as well.
class FileWriter {
 public:
  static Result<FileWriter> create(const std::string& path);
  FileWriter(FileWriter&&) noexcept;
  FileWriter& operator=(FileWriter&&) = delete;
  ~FileWriter();

  Result<void> append(std::string_view bytes);
  Result<void> sync_and_close();

 private:
  FileWriter(int descriptor, std::string path);
  Result<void> flush();

  int descriptor_;
  std::string path_;
  std::string buffer_;
  bool failed_ = false;
};

// Writes `path`.tmp with `write`, syncs it, runs `before_publish` (which may sync what the file relies on),
// keeps the present `path` as `previous` (a hard link) when that is not empty, renames, and syncs the folder.
// At every moment `path` is the old file or the new one, never missing; on error `path`.tmp is removed.
struct ReplaceOptions {
  std::string previous;
  std::function<Result<void>()> before_publish;
};
Result<void> replace_file(const std::string& path, const std::function<Result<void>(FileWriter&)>& write,
                          const ReplaceOptions& options = {});

Result<std::string> read_file(const std::string& path, std::uint64_t bytes_max);
Result<void> sync_folder(const std::string& folder);

}  // namespace weir
