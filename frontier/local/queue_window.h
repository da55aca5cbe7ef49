// QueueWindow: the head of one queue in memory, in order of seq, packed into one buffer so that a waiting URL
// costs its bytes and twelve more. Push at the end and pop at the front are O(1); insert and erase in the
// middle (a lease that came back, a late settlement) are O(bytes) and rare. A value type.
//
//   | consumed | seq u64 | length u32 | value ... | seq u64 | length u32 | value ... |
//              ^ head_
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::frontier::local {

class QueueWindow {
 public:
  bool empty() const { return count_ == 0; }
  std::uint32_t size() const { return count_; }
  std::size_t bytes() const { return bytes_.capacity(); }  // held, slack included

  std::uint64_t front_seq() const { return front_seq_; }  // not when empty
  std::string_view front_value() const;                   // likewise

  void push_back(std::uint64_t seq, std::string_view value);
  void pop_front();
  void insert(std::uint64_t seq, std::string_view value);
  bool erase(std::uint64_t seq);  // false: not inside
  void clear();                   // gives the memory back

 private:
  std::size_t find(std::uint64_t seq) const;  // offset of the first entry with this seq or a higher one

  void settle_front();

  std::string bytes_;
  std::uint64_t front_seq_ = 0;  // beside the buffer: every commit asks for it
  std::uint32_t head_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace weir::frontier::local
