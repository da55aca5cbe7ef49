// The journal: one record per commit, in the same batch as the queue entries it speaks of, so that the filter
// and the host table can be brought from their last checkpoint to the last commit. Encoding only; pure.
//
//   version u8 | totals | fingerprints varint, x (hi u64, lo u64) | hosts varint, x (host u32, record bytes)
//   totals = admitted, duplicates, done, failed, next_host: varints
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "dedup/fingerprint.h"
#include "frontier/local/host_record.h"

namespace weir::frontier::local {

// Counted since the state was made; absolute, the newest record wins.
struct Totals {
  std::uint64_t admitted = 0;
  std::uint64_t duplicates = 0;
  std::uint64_t done = 0;
  std::uint64_t failed = 0;
  std::uint64_t next_host = 0;  // HostId of the next new host = hosts known
};

class JournalRecord {
 public:
  void clear();
  void add_fingerprint(const dedup::Fingerprint& fingerprint) { fingerprints_.push_back(fingerprint); }
  void add_host(HostId host, const HostRecord& record);
  const std::vector<dedup::Fingerprint>& fingerprints() const { return fingerprints_; }
  void encode(std::string& out, const Totals& totals) const;

 private:
  std::vector<dedup::Fingerprint> fingerprints_;
  std::string hosts_;
  std::uint64_t host_count_ = 0;
  std::string scratch_;
};

struct JournalVisitor {
  std::function<void(const Totals&)> totals;
  std::function<void(const std::vector<dedup::Fingerprint>&)> fingerprints;
  std::function<void(HostId, const HostRecord&)> host;
};

// False: the record is damaged or of another version. Then nothing, or a part, was visited.
bool decode_journal(std::string_view bytes, const JournalVisitor& visitor);

// What a checkpoint leaves in family m.
//   version u8 | commit varint | trimmed_to varint | totals
struct CheckpointRecord {
  std::uint64_t commit = 0;      // family h holds the hosts as of this commit
  std::uint64_t trimmed_to = 0;  // the journal holds every commit above this one
  Totals totals;
};
std::string encode_checkpoint(const CheckpointRecord& record);
Result<CheckpointRecord> decode_checkpoint(std::string_view bytes);

}  // namespace weir::frontier::local
