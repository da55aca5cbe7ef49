// ParseArena: the memory of one gumbo parse, with a cap on bytes and a deadline. gumbo can neither be cancelled
// nor told that memory is gone, so when a limit is hit the allocator leaves the parse by longjmp to the place
// where it was started. That is safe because
//  - gumbo is C: the frames that are skipped have no destructors and hold no locks, files or global state (its
//    parser, tokenizer and stack of open elements are locals, or memory of this arena);
//  - all it ever allocated is here and is freed in one go; gumbo_destroy_output, which recurses over the tree,
//    is never called;
//  - our own frames between start and jump (allocate and its helpers) have no objects with destructors.
// Owned by one thread, used for one parse at a time.
#pragma once

#include <array>
#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/clock.h"

namespace weir::crawler {

class ParseArena {
 public:
  ParseArena(const Clock& clock, std::uint64_t bytes_max) : clock_(clock), bytes_max_(bytes_max) {}
  ParseArena(const ParseArena&) = delete;
  ParseArena& operator=(const ParseArena&) = delete;

  // Forgets the last parse; its pointers are dead. Some memory is kept for the next page.
  void start(MonoTime deadline);

  // Must be armed with setjmp by the caller of the parse, in a frame that outlives it.
  std::jmp_buf& escape() { return escape_; }

  // For GumboOptions; `arena` is a ParseArena. allocate() never returns null: it jumps instead.
  static void* allocate(void* arena, std::size_t bytes);
  static void release(void* arena, void* pointer);

  // Memory held now, used or not.
  std::uint64_t bytes_held() const { return bytes_held_; }

 private:
  struct Chunk {
    std::unique_ptr<std::byte[]> memory;
    std::size_t bytes = 0;
  };

  // Before each allocation: its class, or, while it is free, the next free one of that class.
  //   | Header (8) | what gumbo got (8-aligned, a class's size) ...
  union Header {
    std::uint64_t size_class;
    Header* next_free;
  };
  // Sizes to 1 KiB in steps of 16 bytes, then powers of two.
  static constexpr std::size_t kSmallClasses = 64;
  static constexpr std::size_t kSizeClasses = kSmallClasses + 40;

  void* take(std::size_t bytes);
  void put_back(void* pointer);
  Header* bump(std::size_t bytes);
  void next_chunk(std::size_t bytes_min);
  void use_chunk(std::size_t index);
  [[noreturn]] void give_up();

  const Clock& clock_;
  std::uint64_t bytes_max_;
  std::uint64_t bytes_held_ = 0;
  MonoTime deadline_;
  std::uint32_t until_clock_ = 0;
  std::byte* cursor_ = nullptr;
  std::byte* end_ = nullptr;
  std::array<Header*, kSizeClasses> free_{};
  std::vector<Chunk> chunks_;
  std::size_t chunk_ = 0;  // the one in use
  std::jmp_buf escape_;
};

}  // namespace weir::crawler
