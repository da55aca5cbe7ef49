// The snapshot file. Integers are little-endian; checksums are XXH3-64 without a secret.
//
//   0    "WEIRSNAP"        8
//   8    version u32 = 1   4
//   12   name length u8, name (the backend), zeros up to 32 bytes in all
//   44   secret check u64  8    low word of fingerprint("weir snapshot secret check", secret)
//   52   stamp u64         8
//   60   payload length    8
//   68   checksum of bytes 0..67
//   76   payload
//   76+n checksum of the payload
//
// The secret check tells two secrets apart without holding one: the state folder keeps the secret itself.
#include "dedup/snapshot.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/coding.h"
#include "base/durable_file.h"
#include "base/hash.h"

namespace weir::dedup {
namespace {

constexpr std::string_view kMagic = "WEIRSNAP";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kNameField = 32;  // length byte and name
constexpr std::size_t kHeaderBytes = 76;
constexpr std::size_t kChecksumBytes = 8;
constexpr std::size_t kChunkBytes = 1 << 20;
static_assert(kHeaderBytes == kMagic.size() + 4 + kNameField + 8 + 8 + 8 + kChecksumBytes);

struct Header {
  std::string name;
  std::uint64_t secret_check = 0;
  std::uint64_t stamp = 0;
  std::uint64_t payload_bytes = 0;
};

std::uint64_t secret_check(const Secret& secret) {
  return fingerprint("weir snapshot secret check", secret).lo;
}

std::string encode(const Header& header) {
  WEIR_CHECK(header.name.size() < kNameField);
  std::string bytes(kMagic);
  put_u32(bytes, kVersion);
  put_u8(bytes, static_cast<std::uint8_t>(header.name.size()));
  bytes += header.name;
  bytes.append(kNameField - 1 - header.name.size(), '\0');
  put_u64(bytes, header.secret_check);
  put_u64(bytes, header.stamp);
  put_u64(bytes, header.payload_bytes);
  put_u64(bytes, hash64(bytes));
  return bytes;
}

class HashingSink final : public PayloadSink {
 public:
  explicit HashingSink(FileWriter& file) : file_(file) {}
  Result<void> append(std::string_view bytes) override {
    hasher_.update(bytes);
    count_ += bytes.size();
    return file_.append(bytes);
  }
  std::uint64_t count() const { return count_; }
  std::uint64_t digest() const { return hasher_.digest(); }

 private:
  FileWriter& file_;
  Hasher64 hasher_;
  std::uint64_t count_ = 0;
};

// A file open for reading, closed with the object.
class InputFile {
 public:
  explicit InputFile(const std::string& path)
      : path_(path), descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), open_errno_(errno) {}
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  // kSkip where there is no such file.
  Result<std::uint64_t> size() const {
    if (descriptor_ < 0 && open_errno_ == ENOENT) return fail(ErrorCode::kSkip, "there is no '" + path_ + "'");
    if (descriptor_ < 0) return system_error("open", open_errno_);
    struct stat status{};
    if (::fstat(descriptor_, &status) != 0) return system_error("look at", errno);
    return static_cast<std::uint64_t>(status.st_size);
  }

  Result<void> read_at(std::uint64_t offset, std::span<std::byte> into) const {
    while (!into.empty()) {
      const ssize_t count = ::pread(descriptor_, into.data(), into.size(), static_cast<off_t>(offset));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return system_error("read", errno);
      if (count == 0) return fail(ErrorCode::kState, "'" + path_ + "' ended while it was read");
      into = into.subspan(static_cast<std::size_t>(count));
      offset += static_cast<std::uint64_t>(count);
    }
    return {};
  }

 private:
  std::unexpected<Error> system_error(const char* what, int number) const {
    return fail(ErrorCode::kState,
                std::string("cannot ") + what + " '" + path_ + "': " + std::strerror(number));
  }

  const std::string& path_;
  int descriptor_;
  int open_errno_;
};

class FileSource final : public PayloadSource {
 public:
  FileSource(const InputFile& file, std::uint64_t bytes) : file_(file), remaining_(bytes) {}
  Result<void> read(std::span<std::byte> into) override {
    if (into.size() > remaining_) return fail(ErrorCode::kState, "the payload ends too early");
    auto got = file_.read_at(offset_, into);
    offset_ += into.size();
    remaining_ -= into.size();
    return got;
  }
  std::uint64_t remaining() const override { return remaining_; }

 private:
  const InputFile& file_;
  std::uint64_t offset_ = kHeaderBytes;
  std::uint64_t remaining_;
};

// What is wrong with the file, said in one place so that every message ends with the way out.
std::unexpected<Error> damaged(const std::string& path, const std::string& what) {
  return fail(ErrorCode::kState, "snapshot '" + path + "' cannot be used: " + what +
                                     "; put back a copy, or move it away to go on from the previous snapshot");
}

Result<Header> decode(std::string_view bytes, const std::string& path) {
  Reader reader(bytes);
  Header header;
  if (reader.raw(kMagic.size()) != kMagic) return damaged(path, "it does not begin with WEIRSNAP");
  const std::uint32_t version = reader.u32();
  const std::size_t name_bytes = reader.u8();
  const std::string_view name = reader.raw(kNameField - 1);
  header.secret_check = reader.u64();
  header.stamp = reader.u64();
  header.payload_bytes = reader.u64();
  if (reader.u64() != hash64(bytes.substr(0, kHeaderBytes - kChecksumBytes))) {
    return damaged(path, "its header is damaged (checksum)");
  }
  if (version != kVersion) {
    return damaged(path, "it is of version " + std::to_string(version) + ", and this weir reads version " +
                             std::to_string(kVersion));
  }
  if (name_bytes >= kNameField) return damaged(path, "its header is damaged (name)");
  header.name = name.substr(0, name_bytes);
  return header;
}

Result<Header> read_header(const InputFile& file, const std::string& path) {
  const auto size = file.size();
  if (!size) return std::unexpected(size.error());
  if (*size < kHeaderBytes + kChecksumBytes) {
    return damaged(path, "it is truncated: " + std::to_string(*size) + " bytes are less than a header");
  }
  std::array<char, kHeaderBytes> bytes;
  if (auto read = file.read_at(0, std::as_writable_bytes(std::span(bytes))); !read) {
    return std::unexpected(read.error());
  }
  auto header = decode({bytes.data(), bytes.size()}, path);
  if (!header) return header;
  const std::uint64_t payload = *size - kHeaderBytes - kChecksumBytes;
  if (payload != header->payload_bytes) {
    return damaged(path, std::string(payload < header->payload_bytes ? "it is truncated" : "it is too long") +
                             ": the header promises " + std::to_string(header->payload_bytes) +
                             " bytes of payload, there are " + std::to_string(payload));
  }
  return header;
}

Result<void> check_payload(const InputFile& file, const Header& header, const std::string& path) {
  FileSource source(file, header.payload_bytes);
  Hasher64 hasher;
  std::vector<char> chunk(std::min<std::uint64_t>(kChunkBytes, header.payload_bytes));
  while (source.remaining() > 0) {
    const std::span<char> part(chunk.data(), std::min<std::uint64_t>(chunk.size(), source.remaining()));
    if (auto read = source.read(std::as_writable_bytes(part)); !read) return read;
    hasher.update({part.data(), part.size()});
  }
  std::array<char, kChecksumBytes> stored;
  auto read = file.read_at(kHeaderBytes + header.payload_bytes, std::as_writable_bytes(std::span(stored)));
  if (!read) return read;
  if (Reader({stored.data(), stored.size()}).u64() != hasher.digest()) {
    return damaged(path, "its payload is damaged (checksum)");
  }
  return {};
}

}  // namespace

Result<void> save_snapshot(const Snapshotable& content, std::string_view name, std::uint64_t stamp,
                           const SnapshotOptions& options) {
  const Header header{std::string(name), secret_check(options.secret), stamp, content.payload_bytes()};
  const auto write = [&](FileWriter& file) -> Result<void> {
    if (auto written = file.append(encode(header)); !written) return written;
    HashingSink sink(file);
    if (auto written = content.write_payload(sink); !written) return written;
    WEIR_CHECK(sink.count() == header.payload_bytes);
    std::string checksum;
    put_u64(checksum, sink.digest());
    return file.append(checksum);
  };
  return replace_file(options.path, write, {options.previous, options.before_publish});
}

Result<std::uint64_t> load_snapshot(Snapshotable& content, std::string_view name, const std::string& path,
                                    const Secret& secret) {
  const InputFile file(path);
  const auto header = read_header(file, path);
  if (!header) return std::unexpected(header.error());
  if (header->name != name) {
    return damaged(path, "it holds '" + header->name + "', and '" + std::string(name) + "' is configured");
  }
  if (header->secret_check != secret_check(secret)) {
    return damaged(path, "it was filled under another secret, so it would know none of this crawl's keys");
  }
  if (auto whole = check_payload(file, *header, path); !whole) return std::unexpected(whole.error());
  FileSource source(file, header->payload_bytes);
  if (auto read = content.read_payload(source); !read) {
    return std::unexpected(read.error().with_context("snapshot '" + path + "'"));
  }
  return header->stamp;
}

Result<void> save_snapshot(UrlSet& set, std::uint64_t stamp, const SnapshotOptions& options) {
  const Snapshotable* content = set.snapshotable();
  if (content == nullptr) {
    return fail(ErrorCode::kUsage, "dedup backend '" + std::string(set.name()) +
                                       "' keeps its memory elsewhere: it has no snapshot");
  }
  return save_snapshot(*content, set.name(), stamp, options);
}

Result<std::uint64_t> load_snapshot(UrlSet& set, const std::string& path, const Secret& secret) {
  Snapshotable* content = set.snapshotable();
  if (content == nullptr) {
    return fail(ErrorCode::kUsage, "dedup backend '" + std::string(set.name()) +
                                       "' keeps its memory elsewhere: it has no snapshot");
  }
  return load_snapshot(*content, set.name(), path, secret);
}

}  // namespace weir::dedup
