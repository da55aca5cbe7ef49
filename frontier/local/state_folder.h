// StateFolder: the directory of one crawl and the lock on it. While the object lives no second process (nor a
// second object) can open the same folder; the kernel drops the lock when the process dies, so a stale lock
// file never stands in the way. Not here: what is inside.
#pragma once

#include <string>

#include "base/error.h"

namespace weir::frontier::local {

class StateFolder {
 public:
  // Creates the folder (mode 0700: it holds the crawl's secret) and takes the lock. kState, naming the holder's
  // process id, when somebody else has it.
  static Result<StateFolder> open(const std::string& path);
  StateFolder(StateFolder&& other) noexcept;
  StateFolder& operator=(StateFolder&&) = delete;
  ~StateFolder();

 private:
  explicit StateFolder(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

// False: no crawl ever began there.
bool state_exists(const std::string& state);

std::string store_path(const std::string& state);
std::string snapshot_path(const std::string& state);
std::string previous_snapshot_path(const std::string& state);

}  // namespace weir::frontier::local
