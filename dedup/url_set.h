// UrlSet: the contract of every dedup backend. A set of fingerprints that answers, for a batch, which are
// new, and remembers them in the same call.
//
// Laws (tests/dedup/conformance_test.cc runs each over every registered backend):
//   1 One winner.         Of all offers of a key exactly one gets kNew; within a batch the first.
//   2 No false negative.  Never kNew for a key that was admitted; also after reload, growth, merge, swap.
//   3 Bounded lie.        kSeen for a stranger only where exact() is false, at most at stats().expected_fpr.
//   4 Queue before mark.  The set itself is only memory: after a crash it is the last snapshot plus the
//                         admitted log since, which the frontier replays with insert() (frontier/local).
//   5 Removal by receipt. Only what the caller can prove it counted is removed; a stranger is refused.
//
// Threads: one owner at a time, no locks inside. Errors: a set in this process fails only where the system
// refuses memory (kRuntime, and nothing of the batch is inside); a remote one answers kUnreachable, and then
// no verdict of that batch may be used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/error.h"
#include "dedup/fingerprint.h"

namespace weir::dedup {

enum class Verdict : std::uint8_t { kNew, kSeen };

// What the shadow sample saw of a set that may lie (metrics/shadow_sample.h).
struct ObservedRate {
  double fpr = 0;  // share of strangers called seen, since the state was made
  double low = 0;  // 95 % interval of it
  double high = 1;
  std::uint64_t sample = 0;           // strangers it was seen on
  double lost_urls = 0;               // estimate of URLs dropped wrongly
  std::uint64_t false_negatives = 0;  // must stay 0
};

struct SetStats {
  std::uint64_t keys = 0;  // admitted, as counted by the set (an estimate where estimated is true)
  bool estimated = false;
  std::uint64_t capacity = 0;            // keys at which expected_fpr reaches the configured rate; 0: no bound
  std::uint64_t bytes = 0;               // memory the set holds
  double load = 0;                       // keys / capacity; 0 without a bound
  double expected_fpr = 0;               // chance that a stranger reads kSeen now; 0 for exact sets
  std::optional<ObservedRate> observed;  // absent for exact sets
  std::uint64_t removals_refused = 0;    // law 5: receipts for keys that were not inside
};

// Where a payload goes to and comes from: a stream, so that a filter of gigabytes is never held twice.
class PayloadSink {
 public:
  virtual Result<void> append(std::string_view bytes) = 0;

 protected:
  ~PayloadSink() = default;
};

class PayloadSource {
 public:
  // Fills all of `into`; kState where the payload ends before that.
  virtual Result<void> read(std::span<std::byte> into) = 0;
  virtual std::uint64_t remaining() const = 0;

 protected:
  ~PayloadSource() = default;
};

// What can be kept as a snapshot file (snapshot.h).
class Snapshotable {
 public:
  // Bytes that write_payload will append now; the header of the file promises them.
  virtual std::uint64_t payload_bytes() const = 0;
  // Streams the payload (parameters and contents, without header and checksum) into `sink`.
  virtual Result<void> write_payload(PayloadSink& sink) const = 0;
  // Replaces the contents by a payload written by the same backend with the same parameters; anything else
  // is kState with the reason, and then the contents are either untouched or empty.
  virtual Result<void> read_payload(PayloadSource& source) = 0;

 protected:
  ~Snapshotable() = default;
};

// Removal (law 5). Every fingerprint handed in must be one the caller can prove was admitted.
class Removable {
 public:
  // removed[i] is false, and the refusal counted, where the set can tell that the key is not inside.
  virtual Result<void> remove(std::span<const Fingerprint> receipts, std::span<bool> removed) = 0;

 protected:
  ~Removable() = default;
};

class UrlSet {
 public:
  virtual ~UrlSet() = default;

  // One answer per fingerprint, in order; verdicts.size() == batch.size(). What reads kNew is inside from
  // then on. Repeats inside the batch: the first wins. Cost: one cache miss per fingerprint, prefetched.
  virtual Result<void> test_and_set(std::span<const Fingerprint> batch, std::span<Verdict> verdicts) = 0;

  // Asks without remembering; for explain and for checks.
  virtual Result<void> test(std::span<const Fingerprint> batch, std::span<Verdict> verdicts) const = 0;

  // Puts fingerprints in without asking: replay of the admitted log. Idempotent.
  virtual Result<void> insert(std::span<const Fingerprint> batch) = 0;

  virtual SetStats stats() const = 0;

  virtual bool exact() const = 0;                           // true: kSeen is certain; false: probable
  virtual std::string_view name() const = 0;                // the registry's name of the backend
  virtual Snapshotable* snapshotable() { return nullptr; }  // null: its memory is elsewhere
  virtual Removable* removable() { return nullptr; }        // null: removal is not possible
  // True: the frontier keeps the whole admitted log, because the set grows by being rebuilt from it.
  virtual bool wants_whole_log() const { return false; }
};

}  // namespace weir::dedup
