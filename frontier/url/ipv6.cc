// The parser fills pieces from the left and moves what came after "::" to the right end at the last moment.
#include "frontier/url/ipv6.h"

#include <algorithm>
#include <charconv>

#include "frontier/url/percent_encode.h"

namespace weir::frontier {
namespace {

constexpr std::size_t kPieces = 8;

class Ipv6Parser {
 public:
  explicit Ipv6Parser(std::string_view text) : rest_(text) {}

  std::optional<Ipv6Pieces> run() {
    if (!start()) return std::nullopt;
    while (!rest_.empty()) {
      if (index_ == kPieces || !next()) return std::nullopt;
    }
    if (!finish()) return std::nullopt;
    return pieces_;
  }

 private:
  bool start() {
    if (!rest_.starts_with(':')) return true;
    if (!rest_.starts_with("::")) return false;
    rest_.remove_prefix(2);
    compress_ = ++index_;
    return true;
  }

  // One piece with the colon that ends it, a "::", or the IPv4 tail.
  bool next() {
    if (rest_.front() == ':') {
      if (compress_) return false;
      rest_.remove_prefix(1);
      compress_ = ++index_;
      return true;
    }
    unsigned value = 0;
    std::size_t length = 0;
    while (length < 4 && length < rest_.size() && hex_value(rest_[length]) >= 0) {
      value = value * 16 + static_cast<unsigned>(hex_value(rest_[length++]));
    }
    if (length < rest_.size() && rest_[length] == '.') return length != 0 && ipv4_tail();
    rest_.remove_prefix(length);
    if (rest_.starts_with(':')) {
      rest_.remove_prefix(1);
      if (rest_.empty()) return false;
    } else if (!rest_.empty()) {
      return false;
    }
    pieces_[index_++] = static_cast<std::uint16_t>(value);
    return true;
  }

  bool ipv4_tail() {
    if (index_ > kPieces - 2) return false;
    for (unsigned seen = 0; seen < 4; ++seen) {
      if (seen > 0) {
        if (!rest_.starts_with('.')) return false;
        rest_.remove_prefix(1);
      }
      const auto byte = decimal_byte();
      if (!byte) return false;
      std::uint16_t& piece = pieces_[index_ + seen / 2];
      piece = static_cast<std::uint16_t>(unsigned{piece} << 8 | *byte);
    }
    index_ += 2;
    return rest_.empty();
  }

  // Strict decimal: no leading zero, at most 255.
  std::optional<unsigned> decimal_byte() {
    std::size_t length = 0;
    unsigned value = 0;
    for (; length < rest_.size() && rest_[length] >= '0' && rest_[length] <= '9'; ++length) {
      if (length > 0 && value == 0) return std::nullopt;
      value = value * 10 + static_cast<unsigned>(rest_[length] - '0');
      if (value > 255) return std::nullopt;
    }
    if (length == 0) return std::nullopt;
    rest_.remove_prefix(length);
    return value;
  }

  bool finish() {
    if (!compress_) return index_ == kPieces;
    const auto gap = pieces_.begin() + static_cast<std::ptrdiff_t>(*compress_);
    const auto end = pieces_.begin() + static_cast<std::ptrdiff_t>(index_);
    std::rotate(gap, end, pieces_.end());
    return true;
  }

  std::string_view rest_;
  Ipv6Pieces pieces_{};
  std::size_t index_ = 0;
  std::optional<std::size_t> compress_;  // where the pieces after "::" begin
};

struct Run {
  std::size_t begin = 0;
  std::size_t length = 0;
};

// The first longest run of zero pieces; runs of one are not compressed.
Run longest_zero_run(const Ipv6Pieces& pieces) {
  Run best;
  Run current;
  for (std::size_t i = 0; i < kPieces; ++i) {
    if (pieces[i] != 0) {
      current = {};
      continue;
    }
    if (current.length == 0) current.begin = i;
    if (++current.length > best.length) best = current;
  }
  return best.length > 1 ? best : Run{};
}

}  // namespace

std::optional<Ipv6Pieces> parse_ipv6(std::string_view text) { return Ipv6Parser(text).run(); }

void append_ipv6(std::string& out, const Ipv6Pieces& pieces) {
  const Run zeros = longest_zero_run(pieces);
  for (std::size_t i = 0; i < kPieces; ++i) {
    if (zeros.length != 0 && i == zeros.begin) {
      out.append("::");
      i += zeros.length - 1;
      continue;
    }
    if (i != 0 && out.back() != ':') out.push_back(':');
    std::array<char, 4> digits{};
    char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), pieces[i], 16).ptr;
    out.append(digits.data(), end);
  }
}

}  // namespace weir::frontier
