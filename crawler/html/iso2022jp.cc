// ISO-2022-JP, the one stateful encoding of the Encoding Standard (12.2). See legacy_decoder.h.
#include <utility>

#include "crawler/html/legacy_decoder.h"
#include "crawler/html/utf8.h"

namespace weir::crawler {
namespace {

enum class Mode : std::uint8_t { kAscii, kRoman, kKatakana, kTwoBytes };

constexpr char kEscape = '\x1B';

class Iso2022JpDecoder {
 public:
  explicit Iso2022JpDecoder(std::string_view bytes) : rest_(bytes) { out_.reserve(bytes.size() * 2); }

  std::string run() && {
    while (!rest_.empty()) {
      if (rest_[0] == kEscape) {
        take_escape();
      } else {
        take_character();
      }
    }
    return std::move(out_);
  }

 private:
  void take_escape() {
    const std::string_view sequence = rest_.substr(1, 2);
    const bool output_since_escape = std::exchange(output_since_escape_, false);
    if (sequence == "(B") return enter(Mode::kAscii, output_since_escape);
    if (sequence == "(J") return enter(Mode::kRoman, output_since_escape);
    if (sequence == "(I") return enter(Mode::kKatakana, output_since_escape);
    if (sequence == "$@" || sequence == "$B") return enter(Mode::kTwoBytes, output_since_escape);
    rest_.remove_prefix(1);
    emit(kReplacementCharacter);
  }

  // Two escapes in a row would hide text from filters that look at bytes: the standard marks the second.
  void enter(Mode mode, bool output_since_escape) {
    const bool repeated = escaped_ && !output_since_escape;
    mode_ = mode;
    escaped_ = true;
    rest_.remove_prefix(3);
    if (repeated) append_utf8(out_, kReplacementCharacter);
  }

  void take_character() {
    const auto byte = static_cast<unsigned char>(rest_[0]);
    if (mode_ == Mode::kTwoBytes) return take_pair(byte);
    rest_.remove_prefix(1);
    if (mode_ == Mode::kKatakana) {
      return emit(byte >= 0x21 && byte <= 0x5F ? 0xFF61u + byte - 0x21 : kReplacementCharacter);
    }
    if (byte >= 0x80 || byte == 0x0E || byte == 0x0F) return emit(kReplacementCharacter);
    if (mode_ == Mode::kRoman && byte == 0x5C) return emit(0xA5);
    if (mode_ == Mode::kRoman && byte == 0x7E) return emit(0x203E);
    emit(byte);
  }

  void take_pair(unsigned char lead) {
    rest_.remove_prefix(1);
    if (lead < 0x21 || lead > 0x7E) return emit(kReplacementCharacter);
    if (rest_.empty() || rest_[0] == kEscape) return emit(kReplacementCharacter);
    const auto trail = static_cast<unsigned char>(rest_[0]);
    rest_.remove_prefix(1);
    if (trail < 0x21 || trail > 0x7E) return emit(kReplacementCharacter);
    const char32_t character =
        jis0208_at(static_cast<unsigned char>(lead | 0x80), static_cast<unsigned char>(trail | 0x80));
    emit(character != 0 ? character : kReplacementCharacter);
  }

  void emit(char32_t character) {
    append_utf8(out_, character);
    output_since_escape_ = true;
  }

  std::string_view rest_;
  std::string out_;
  Mode mode_ = Mode::kAscii;
  bool escaped_ = false;
  bool output_since_escape_ = false;
};

}  // namespace

std::string decode_iso_2022_jp(std::string_view bytes) { return Iso2022JpDecoder(bytes).run(); }

}  // namespace weir::crawler
