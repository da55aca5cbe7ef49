// Snapshot files: one UrlSet (or what watches it), whole or not at all. Layout in docs/formats.md: magic,
// version, name, secret check, stamp, payload length, header checksum, payload, checksum. Damage of any byte
// and any truncation is found and named; a damaged file is an error, never an empty set. Blocking I/O on the
// caller's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "dedup/fingerprint.h"
#include "dedup/url_set.h"

namespace weir::dedup {

struct SnapshotOptions {
  std::string path;
  Secret secret;                                 // a set filled under another secret is refused
  std::string previous;                          // where the file being replaced is kept; empty: nowhere
  std::function<Result<void>()> before_publish;  // runs after the file's sync, before its rename
};

// Writes temporary file, fsync, before_publish, rename, fsync of the folder. Streams: needs no memory to speak
// of.
Result<void> save_snapshot(UrlSet& set, std::uint64_t stamp, const SnapshotOptions& options);

// Fills `set` and returns the stamp. kState: damaged, other secret, other backend or parameters (the
// message says which and what to do); kSkip: there is no such file.
Result<std::uint64_t> load_snapshot(UrlSet& set, const std::string& path, const Secret& secret);

// The same for anything with a payload; `name` stands where the backend's name does. Loading reads the file
// twice: `content` is not touched before every byte was checked.
Result<void> save_snapshot(const Snapshotable& content, std::string_view name, std::uint64_t stamp,
                           const SnapshotOptions& options);
Result<std::uint64_t> load_snapshot(Snapshotable& content, std::string_view name, const std::string& path,
                                    const Secret& secret);

}  // namespace weir::dedup
