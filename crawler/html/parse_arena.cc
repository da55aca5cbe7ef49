// Chunks that are cut from the front, and free lists by size: gumbo releases most of what it takes (tokens,
// grown buffers), and using that again keeps a page's memory small enough for the processor's caches.
// See parse_arena.h.
#include "crawler/html/parse_arena.h"

#include <algorithm>
#include <bit>
#include <new>

namespace weir::crawler {
namespace {

constexpr std::size_t kSmallStep = 16;
constexpr std::size_t kChunkBytesMin = 256 << 10;
constexpr std::size_t kChunkBytesMax = 4 << 20;
constexpr std::uint64_t kKeptBytesMax = 8 << 20;  // between pages, per fetcher thread
// Reading the clock at each allocation would be a good part of the parse; 64 of them take microseconds.
constexpr std::uint32_t kAllocationsPerClock = 64;

}  // namespace

void ParseArena::start(MonoTime deadline) {
  deadline_ = deadline;
  until_clock_ = kAllocationsPerClock;
  free_ = {};
  while (bytes_held_ > kKeptBytesMax) {
    bytes_held_ -= chunks_.back().bytes;
    chunks_.pop_back();
  }
  cursor_ = end_ = nullptr;
  if (!chunks_.empty()) use_chunk(0);
}

void* ParseArena::allocate(void* arena, std::size_t bytes) {
  return static_cast<ParseArena*>(arena)->take(bytes);
}

void ParseArena::release(void* arena, void* pointer) {
  if (pointer != nullptr) static_cast<ParseArena*>(arena)->put_back(pointer);
}

void* ParseArena::take(std::size_t bytes) {
  if (--until_clock_ == 0) {
    until_clock_ = kAllocationsPerClock;
    if (clock_.now().mono >= deadline_) give_up();
  }
  if (bytes > bytes_max_) give_up();
  const bool small = bytes <= kSmallClasses * kSmallStep;
  const std::size_t size_class = small
                                     ? (std::max<std::size_t>(bytes, 1) - 1) / kSmallStep
                                     : kSmallClasses + static_cast<std::size_t>(std::bit_width(bytes - 1)) - 11;
  const std::size_t size = small ? (size_class + 1) * kSmallStep : std::bit_ceil(bytes);
  Header* header = free_[size_class];
  if (header != nullptr) {
    free_[size_class] = header->next_free;
  } else {
    header = bump(sizeof(Header) + size);
  }
  header->size_class = size_class;
  return header + 1;
}

void ParseArena::put_back(void* pointer) {
  Header* header = static_cast<Header*>(pointer) - 1;
  const std::size_t size_class = header->size_class;
  header->next_free = free_[size_class];
  free_[size_class] = header;
}

ParseArena::Header* ParseArena::bump(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(end_ - cursor_)) next_chunk(bytes);
  auto* header = new (cursor_) Header;
  cursor_ += bytes;
  return header;
}

// The next kept chunk that is large enough, or a new one.
void ParseArena::next_chunk(std::size_t bytes_min) {
  while (cursor_ != nullptr && chunk_ + 1 < chunks_.size()) {
    use_chunk(chunk_ + 1);
    if (chunks_[chunk_].bytes >= bytes_min) return;
  }
  const std::size_t grown = chunks_.empty() ? kChunkBytesMin : chunks_.back().bytes * 2;
  const std::size_t bytes = std::max(bytes_min, std::clamp(grown, kChunkBytesMin, kChunkBytesMax));
  if (bytes_held_ + bytes > bytes_max_) give_up();
  auto* memory = new (std::nothrow) std::byte[bytes];
  if (memory == nullptr) give_up();
  chunks_.push_back({std::unique_ptr<std::byte[]>(memory), bytes});
  bytes_held_ += bytes;
  use_chunk(chunks_.size() - 1);
}

void ParseArena::use_chunk(std::size_t index) {
  chunk_ = index;
  cursor_ = chunks_[index].memory.get();
  end_ = cursor_ + chunks_[index].bytes;
}

void ParseArena::give_up() { std::longjmp(escape_, 1); }

}  // namespace weir::crawler
