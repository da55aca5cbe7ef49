// Lengths and seqs are copied with memcpy in host order: the buffer never leaves the process.
#include "frontier/local/queue_window.h"

#include <cstring>

namespace weir::frontier::local {
namespace {

constexpr std::size_t kHeaderBytes = 12;
constexpr std::size_t kCompactAbove = 4096;  // consumed bytes worth a move

std::uint64_t seq_at(const std::string& bytes, std::size_t offset) {
  std::uint64_t seq = 0;
  std::memcpy(&seq, bytes.data() + offset, sizeof seq);
  return seq;
}

std::uint32_t length_at(const std::string& bytes, std::size_t offset) {
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + offset + sizeof(std::uint64_t), sizeof length);
  return length;
}

void write_header(char* out, std::uint64_t seq, std::size_t length) {
  const auto narrow = static_cast<std::uint32_t>(length);
  std::memcpy(out, &seq, sizeof seq);
  std::memcpy(out + sizeof seq, &narrow, sizeof narrow);
}

}  // namespace

void QueueWindow::settle_front() {
  if (count_ > 0) front_seq_ = seq_at(bytes_, head_);
}

std::string_view QueueWindow::front_value() const {
  return std::string_view(bytes_).substr(head_ + kHeaderBytes, length_at(bytes_, head_));
}

void QueueWindow::push_back(std::uint64_t seq, std::string_view value) {
  if (head_ > kCompactAbove && head_ > bytes_.size() / 2) {
    bytes_.erase(0, head_);
    head_ = 0;
  }
  char header[kHeaderBytes];
  write_header(header, seq, value.size());
  bytes_.append(header, kHeaderBytes).append(value);
  if (count_++ == 0) front_seq_ = seq;
}

void QueueWindow::pop_front() {
  head_ += static_cast<std::uint32_t>(kHeaderBytes) + length_at(bytes_, head_);
  if (--count_ == 0) {
    bytes_.clear();
    head_ = 0;
  }
  settle_front();
}

std::size_t QueueWindow::find(std::uint64_t seq) const {
  std::size_t offset = head_;
  while (offset < bytes_.size() && seq_at(bytes_, offset) < seq)
    offset += kHeaderBytes + length_at(bytes_, offset);
  return offset;
}

void QueueWindow::insert(std::uint64_t seq, std::string_view value) {
  const std::size_t offset = find(seq);
  bytes_.insert(offset, kHeaderBytes + value.size(), '\0');
  write_header(bytes_.data() + offset, seq, value.size());
  std::memcpy(bytes_.data() + offset + kHeaderBytes, value.data(), value.size());
  ++count_;
  settle_front();
}

bool QueueWindow::erase(std::uint64_t seq) {
  const std::size_t offset = find(seq);
  if (offset >= bytes_.size() || seq_at(bytes_, offset) != seq) return false;
  if (offset == head_) {
    pop_front();
    return true;
  }
  bytes_.erase(offset, kHeaderBytes + length_at(bytes_, offset));
  --count_;
  return true;
}

void QueueWindow::clear() {
  std::string().swap(bytes_);
  head_ = 0;
  count_ = 0;
}

}  // namespace weir::frontier::local
