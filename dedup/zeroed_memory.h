// ZeroedMemory: a large anonymous mapping, zero-filled by the system as it is first touched and backed by
// huge pages where there are some (fewer address translations for random access).
// One owner, no locks. Untouched pages cost address space, not memory.
#pragma once

#include <cstddef>

#include "base/error.h"

namespace weir::dedup {

class ZeroedMemory {
 public:
  static constexpr std::size_t kHugePageBytes = 2 << 20;

  // Aligned to a page, from kHugePageBytes on to a huge page. kRuntime where the system refuses.
  static Result<ZeroedMemory> allocate(std::size_t bytes);

  ZeroedMemory() = default;
  ZeroedMemory(ZeroedMemory&& other) noexcept;
  ZeroedMemory& operator=(ZeroedMemory&& other) noexcept;
  ~ZeroedMemory();

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

  // Hands the whole pages of [from, to) back to the system; they read as zeros afterwards. Bytes of the
  // range that share a page with others are left as they are.
  void release(std::size_t from, std::size_t to);

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace weir::dedup
