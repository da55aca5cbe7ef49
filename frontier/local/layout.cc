// Keys are big-endian so that RocksDB's byte order is the order of the numbers.
#include "frontier/local/layout.h"

#include "base/coding.h"

namespace weir::frontier::local {
namespace {

constexpr std::size_t kQueueMemtable = 16 << 20;  // short-lived URLs die in memory before they are flushed
constexpr std::size_t kJournalMemtable = 8 << 20;
constexpr std::size_t kSmallMemtable = 4 << 20;

}  // namespace

std::vector<StoreFamily> families() {
  return {{"q", kQueueMemtable, false},   {"h", kSmallMemtable, true},   {"hn", kSmallMemtable, true},
          {"j", kJournalMemtable, false}, {"d", kJournalMemtable, true}, {"r", kSmallMemtable, true},
          {"m", kSmallMemtable, false}};
}

void append_queue_key(std::string& out, const QueueKey& key) {
  put_u32_be(out, key.host);
  put_u8(out, key.queue_class);
  put_u48_be(out, key.seq);
}

QueueKey decode_queue_key(std::string_view bytes) {
  Reader reader(bytes);
  QueueKey key;
  key.host = reader.u32_be();
  key.queue_class = reader.u8();
  key.seq = reader.u48_be();
  return key;
}

std::string host_key(HostId host) {
  std::string key;
  put_u32_be(key, host);
  return key;
}

HostId decode_host_key(std::string_view bytes) { return Reader(bytes).u32_be(); }

std::string commit_key(std::uint64_t commit) {
  std::string key;
  put_u64_be(key, commit);
  return key;
}

std::uint64_t decode_commit_key(std::string_view bytes) { return Reader(bytes).u64_be(); }

void append_fingerprint_key(std::string& out, const dedup::Fingerprint& fingerprint) {
  put_u64_be(out, fingerprint.hi);
  put_u64_be(out, fingerprint.lo);
}

dedup::Fingerprint decode_fingerprint_key(std::string_view bytes) {
  Reader reader(bytes);
  dedup::Fingerprint fingerprint;
  fingerprint.hi = reader.u64_be();
  fingerprint.lo = reader.u64_be();
  return fingerprint;
}

}  // namespace weir::frontier::local
