// flock(2) belongs to the open file, so that it also keeps two frontiers of one process apart.
#include "frontier/local/state_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

namespace weir::frontier::local {
namespace {

std::unexpected<Error> folder_error(const std::string& what, const std::string& path, const std::string& why) {
  return fail(ErrorCode::kState, "cannot " + what + " '" + path + "': " + why);
}

std::string holder_of(int descriptor) {
  char text[32];
  const ssize_t length = ::pread(descriptor, text, sizeof text, 0);
  std::string holder(text, length > 0 ? static_cast<std::size_t>(length) : 0);
  while (!holder.empty() && holder.back() == '\n') holder.pop_back();
  return holder.empty() ? "another process" : "process " + holder;
}

// Best effort: the number is for the reader of a refusal, the lock itself is the kernel's.
void write_holder(int descriptor) {
  const std::string text = std::to_string(::getpid()) + "\n";
  if (::ftruncate(descriptor, 0) != 0) return;
  [[maybe_unused]] const ssize_t written = ::pwrite(descriptor, text.data(), text.size(), 0);
}

}  // namespace

Result<StateFolder> StateFolder::open(const std::string& path) {
  std::error_code error;
  const bool created = std::filesystem::create_directories(path, error);
  if (error) return folder_error("create the state folder", path, error.message());
  if (created) std::filesystem::permissions(path, std::filesystem::perms::owner_all, error);
  const std::string lock = path + "/lock";
  const int descriptor = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0640);
  if (descriptor < 0) return folder_error("open the lock", lock, std::strerror(errno));
  StateFolder folder(descriptor);
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    return fail(ErrorCode::kState, "the state '" + path + "' is in use by " + holder_of(descriptor) +
                                       ": stop it first, or give this crawl a state folder of its own");
  }
  write_holder(descriptor);
  return folder;
}

StateFolder::StateFolder(StateFolder&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

StateFolder::~StateFolder() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool state_exists(const std::string& state) {
  std::error_code ignored;
  return std::filesystem::exists(store_path(state) + "/CURRENT", ignored);
}

std::string store_path(const std::string& state) { return state + "/store"; }
std::string snapshot_path(const std::string& state) { return state + "/filter.snapshot"; }
std::string previous_snapshot_path(const std::string& state) { return state + "/filter.snapshot.previous"; }

}  // namespace weir::frontier::local
