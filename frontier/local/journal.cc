// Fingerprints are stored little-endian: they are copied, never compared as keys.
#include "frontier/local/journal.h"

#include "base/coding.h"

namespace weir::frontier::local {
namespace {

constexpr std::uint8_t kVersion = 1;
constexpr std::size_t kFingerprintBytes = 16;

void append_totals(std::string& out, const Totals& totals) {
  put_varint(out, totals.admitted);
  put_varint(out, totals.duplicates);
  put_varint(out, totals.done);
  put_varint(out, totals.failed);
  put_varint(out, totals.next_host);
}

Totals read_totals(Reader& reader) {
  Totals totals;
  totals.admitted = reader.varint();
  totals.duplicates = reader.varint();
  totals.done = reader.varint();
  totals.failed = reader.varint();
  totals.next_host = reader.varint();
  return totals;
}

bool visit_fingerprints(Reader& reader, const JournalVisitor& visitor) {
  const std::uint64_t count = reader.varint();
  if (count > reader.remaining() / kFingerprintBytes) return false;
  std::vector<dedup::Fingerprint> fingerprints(count);
  for (auto& fingerprint : fingerprints) {
    fingerprint.hi = reader.u64();
    fingerprint.lo = reader.u64();
  }
  if (visitor.fingerprints) visitor.fingerprints(fingerprints);
  return true;
}

bool visit_hosts(Reader& reader, const JournalVisitor& visitor) {
  const std::uint64_t count = reader.varint();
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    const HostId host = reader.u32();
    const auto record = decode_host_record(reader.bytes());
    if (!record) return false;
    if (visitor.host) visitor.host(host, *record);
  }
  return reader.ok() && reader.at_end();
}

}  // namespace

void JournalRecord::clear() {
  fingerprints_.clear();
  hosts_.clear();
  host_count_ = 0;
}

void JournalRecord::add_host(HostId host, const HostRecord& record) {
  scratch_.clear();
  append_host_record(scratch_, record);
  put_u32(hosts_, host);
  put_bytes(hosts_, scratch_);
  ++host_count_;
}

void JournalRecord::encode(std::string& out, const Totals& totals) const {
  put_u8(out, kVersion);
  append_totals(out, totals);
  put_varint(out, fingerprints_.size());
  for (const auto& fingerprint : fingerprints_) {
    put_u64(out, fingerprint.hi);
    put_u64(out, fingerprint.lo);
  }
  put_varint(out, host_count_);
  out.append(hosts_);
}

bool decode_journal(std::string_view bytes, const JournalVisitor& visitor) {
  Reader reader(bytes);
  if (reader.u8() != kVersion) return false;
  const Totals totals = read_totals(reader);
  if (!reader.ok()) return false;
  if (visitor.totals) visitor.totals(totals);
  return visit_fingerprints(reader, visitor) && visit_hosts(reader, visitor);
}

std::string encode_checkpoint(const CheckpointRecord& record) {
  std::string out;
  put_u8(out, kVersion);
  put_varint(out, record.commit);
  put_varint(out, record.trimmed_to);
  append_totals(out, record.totals);
  return out;
}

Result<CheckpointRecord> decode_checkpoint(std::string_view bytes) {
  Reader reader(bytes);
  CheckpointRecord record;
  const bool known = reader.u8() == kVersion;
  record.commit = reader.varint();
  record.trimmed_to = reader.varint();
  record.totals = read_totals(reader);
  if (!known || !reader.ok() || !reader.at_end()) {
    return fail(ErrorCode::kState, "the checkpoint record is damaged: restore the state from a copy");
  }
  return record;
}

}  // namespace weir::frontier::local
