// mmap's one home. Alignment is got by mapping a huge page more than asked and unmapping both ends.
#include "dedup/zeroed_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

namespace weir::dedup {
namespace {

constexpr std::size_t kPageBytes = 4096;  // larger system pages only make release() keep more

std::size_t round_up(std::size_t value, std::size_t unit) { return (value + unit - 1) / unit * unit; }

std::unexpected<Error> refused(std::size_t bytes) {
  return fail(ErrorCode::kRuntime, "cannot get " + std::to_string(bytes) +
                                       " bytes of memory for a dedup set (" + std::strerror(errno) +
                                       "): lower the capacity, or take the backend 'bloom' for less per key");
}

void* map(std::size_t bytes) {
  return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

char* advance(void* address, std::size_t bytes) { return static_cast<char*>(address) + bytes; }

}  // namespace

Result<ZeroedMemory> ZeroedMemory::allocate(std::size_t bytes) {
  ZeroedMemory memory;
  const bool huge = bytes >= kHugePageBytes;
  const std::size_t length = round_up(std::max<std::size_t>(bytes, 1), kPageBytes);
  const std::size_t spare = huge ? kHugePageBytes : 0;
  if (length < bytes || length + spare < length) {
    errno = ENOMEM;
    return refused(bytes);
  }
  void* mapped = map(length + spare);
  if (mapped == MAP_FAILED) return refused(bytes);
  if (huge) {
    const std::size_t head = round_up(reinterpret_cast<std::uintptr_t>(mapped), kHugePageBytes) -
                             reinterpret_cast<std::uintptr_t>(mapped);
    if (head > 0) ::munmap(mapped, head);
    if (spare > head) ::munmap(advance(mapped, head + length), spare - head);
    mapped = advance(mapped, head);
    ::madvise(mapped, length, MADV_HUGEPAGE);  // advice: without huge pages it is only slower
  }
  memory.data_ = mapped;
  memory.bytes_ = length;
  return memory;
}

ZeroedMemory::ZeroedMemory(ZeroedMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

ZeroedMemory& ZeroedMemory::operator=(ZeroedMemory&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

ZeroedMemory::~ZeroedMemory() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
}

void ZeroedMemory::release(std::size_t from, std::size_t to) {
  const std::size_t first = round_up(from, kPageBytes);
  const std::size_t last = to / kPageBytes * kPageBytes;
  if (first < last) ::madvise(advance(data_, first), last - first, MADV_DONTNEED);
}

}  // namespace weir::dedup
