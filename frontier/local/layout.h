// The store's families and keys. Byte by byte in docs/formats.md; a change of meaning bumps kFormatVersion.
// Pure; no state.
//
//   q   host u32 BE | class u8 | seq u48 BE  -> QueueEntry     a URL that is waiting or leased
//   h   host u32 BE                          -> HostRecord     written at checkpoints and when a host goes cold
//   hn  origin                               -> host u32 BE
//   j   commit u64 BE                        -> JournalRecord  one per turn, trimmed at checkpoints
//   d   fingerprint hi u64 BE | lo u64 BE    -> DoneRecord
//   r   host u32 BE                          -> robots.txt body
//   m   name                                 -> one value each: format, keys, rules, secret, checkpoint
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/store.h"
#include "dedup/fingerprint.h"
#include "frontier/candidates.h"
#include "frontier/messages.h"

namespace weir::frontier::local {

inline constexpr std::uint32_t kFormatVersion = 1;

enum Family : std::size_t { kQueue, kHosts, kHostNames, kJournal, kDone, kRobots, kMeta };

inline constexpr std::string_view kMetaFormat = "format";          // u32
inline constexpr std::string_view kMetaKeys = "keys";              // u32, kKeyRulesVersion
inline constexpr std::string_view kMetaRules = "rules";            // KeyRules::text(); absent: kNoKeyRules
inline constexpr std::string_view kMetaSecret = "secret";          // 192 bytes
inline constexpr std::string_view kMetaCheckpoint = "checkpoint";  // CheckpointRecord

std::vector<StoreFamily> families();

// Where a URL stands in the store: its host's queue, the class in it, the place in the class.
struct QueueKey {
  HostId host = 0;
  std::uint8_t queue_class = 0;  // a Priority
  std::uint64_t seq = 0;         // < 2^48
};

void append_queue_key(std::string& out, const QueueKey& key);
QueueKey decode_queue_key(std::string_view bytes);
std::string host_key(HostId host);
HostId decode_host_key(std::string_view bytes);
std::string commit_key(std::uint64_t commit);
std::uint64_t decode_commit_key(std::string_view bytes);
void append_fingerprint_key(std::string& out, const dedup::Fingerprint& fingerprint);
dedup::Fingerprint decode_fingerprint_key(std::string_view bytes);

}  // namespace weir::frontier::local
