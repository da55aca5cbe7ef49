// One class for all encodings without state, over a table from characters to bytes; one for ISO-2022-JP. The
// tables are the decoders turned around, so that both sides are of one make (Encoding Standard 9-14).
#include "crawler/html/query_encoder.h"

#include <array>
#include <memory>
#include <mutex>

#include "crawler/html/encode_table.h"
#include "crawler/html/utf8.h"

namespace weir::crawler {
namespace {

// What the standard's "percent-encode after encoding" makes of a character that the encoding lacks.
void append_reference(std::string& out, char32_t character) {
  out.append("%26%23").append(std::to_string(static_cast<std::uint32_t>(character))).append("%3B");
}

class TableQueryEncoder final : public frontier::QueryEncoder {
 public:
  explicit TableQueryEncoder(Encoding encoding) : table_(encoding) {}

  std::string encode(std::string_view utf8) const override {
    std::string out;
    while (!utf8.empty()) {
      const std::size_t ascii = ascii_prefix(utf8);
      out.append(utf8.substr(0, ascii));
      utf8.remove_prefix(ascii);
      if (utf8.empty()) break;
      const char32_t character = take_utf8(utf8);
      if (!table_.append(character, out)) append_reference(out, character);
    }
    return out;
  }

 private:
  const EncodeTable table_;
};

// Encoding Standard 12.2.2.
class Iso2022JpQueryEncoder final : public frontier::QueryEncoder {
 public:
  std::string encode(std::string_view utf8) const override {
    std::string out;
    Mode mode = Mode::kAscii;
    while (!utf8.empty()) append_character(take_utf8(utf8), mode, out);
    enter(Mode::kAscii, mode, out);
    return out;
  }

 private:
  enum class Mode : std::uint8_t { kAscii, kRoman, kTwoBytes };

  static void enter(Mode wanted, Mode& mode, std::string& out) {
    if (mode == wanted) return;
    mode = wanted;
    switch (wanted) {
      case Mode::kAscii: out.append("\x1B(B"); return;
      case Mode::kRoman: out.append("\x1B(J"); return;
      case Mode::kTwoBytes: out.append("\x1B$B"); return;
    }
  }

  void append_character(char32_t character, Mode& mode, std::string& out) const {
    // Bytes that mean something to the decoder would let a query change the meaning of what follows.
    if (mode != Mode::kTwoBytes && (character == 0x0E || character == 0x0F || character == 0x1B))
      return append_reference(out, kReplacementCharacter);
    if (character < 0x80) {
      const bool as_roman = mode == Mode::kRoman && character != '\\' && character != '~';
      if (!as_roman) enter(Mode::kAscii, mode, out);
      out.push_back(static_cast<char>(character));
    } else if (character == 0xA5 || character == 0x203E) {
      enter(Mode::kRoman, mode, out);
      out.push_back(character == 0xA5 ? '\\' : '~');
    } else if (std::string pair; table_.append(character, pair)) {
      enter(Mode::kTwoBytes, mode, out);
      out.append(pair);
    } else {
      // The standard leaves two-byte mode before a character that it cannot write.
      if (mode == Mode::kTwoBytes) enter(Mode::kAscii, mode, out);
      append_reference(out, character);
    }
  }

  const EncodeTable table_{Encoding::kIso2022Jp};
};

std::unique_ptr<const frontier::QueryEncoder> make_encoder(Encoding encoding) {
  switch (info_of(encoding).kind) {
    case EncodingKind::kUtf8:
    case EncodingKind::kUtf16:
    case EncodingKind::kReplacement: return nullptr;
    case EncodingKind::kIso2022Jp: return std::make_unique<Iso2022JpQueryEncoder>();
    case EncodingKind::kSingleByte:
    case EncodingKind::kMultiByte:
    case EncodingKind::kUserDefined: return std::make_unique<TableQueryEncoder>(encoding);
  }
  return nullptr;
}

}  // namespace

const frontier::QueryEncoder* query_encoder(Encoding encoding) {
  struct Made {
    std::once_flag once;
    std::unique_ptr<const frontier::QueryEncoder> encoder;
  };
  static std::array<Made, kEncodingCount> all;
  Made& made = all[static_cast<std::size_t>(encoding)];
  std::call_once(made.once, [&] { made.encoder = make_encoder(encoding); });
  return made.encoder.get();
}

}  // namespace weir::crawler
