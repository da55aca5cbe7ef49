// Tables out of ICU's converters, opened by the names whose tables are nearest to the standard's, then the
// differences that remain (measured byte by byte and pair by pair; charset_test.cc checks every one).
#include "crawler/html/legacy_index.h"

#include <unicode/ucnv.h>

#include <memory>
#include <span>
#include <string>

#include "base/check.h"
#include "crawler/html/utf8.h"

namespace weir::crawler {
namespace {

struct Patch {
  unsigned bytes;
  char32_t character;
};

constexpr Patch kKoi8U[] = {{0xAE, 0x045E}, {0xBE, 0x040E}};
constexpr Patch kWindows1253[] = {{0xAA, kReplacementCharacter}};
constexpr Patch kWindows1255[] = {{0xCA, 0x05BA}};

// GB 18030-2005 put these into the private use area; the standard has their later characters.
constexpr Patch kGb18030[] = {
    {0xA3A0, 0x3000}, {0xA6D9, 0xFE10}, {0xA6DA, 0xFE12}, {0xA6DB, 0xFE11}, {0xA6DC, 0xFE13},
    {0xA6DD, 0xFE14}, {0xA6DE, 0xFE15}, {0xA6DF, 0xFE16}, {0xA6EC, 0xFE17}, {0xA6ED, 0xFE18},
    {0xA6F3, 0xFE19}, {0xFE59, 0x9FB4}, {0xFE61, 0x9FB5}, {0xFE66, 0x9FB6}, {0xFE67, 0x9FB7},
    {0xFE6D, 0x9FB8}, {0xFE7E, 0x9FB9}, {0xFE90, 0x9FBA}, {0xFEA0, 0x9FBB},
};

// Hong Kong characters that came after ICU's table, and pairs it has only one way, from Unicode.
constexpr Patch kBig5[] = {
    {0x87A4, 0x9F97},     {0x87AC, 0x9F96}, {0x8840, 0x31C0},     {0x8841, 0x31C1},     {0x8842, 0x31C2},
    {0x8843, 0x31C3},     {0x8844, 0x31C4}, {0x8846, 0x31C5},     {0x8849, 0x31C6},     {0x884A, 0x31C7},
    {0x884D, 0x31C8},     {0x884F, 0x31C9}, {0x8850, 0x31CA},     {0x8851, 0x31CB},     {0x8852, 0x31CC},
    {0x8854, 0x31CD},     {0x8855, 0x31CE}, {0x88A9, 0x23DA},     {0x88AA, 0x23DB},     {0x8C43, 0x9FA6},
    {0x8C6D, 0x9FA7},     {0x8C74, 0x9FA8}, {0x8CB7, 0x9FA9},     {0x8CB9, 0x9FAA},     {0x8CBB, 0x9FAB},
    {0x8CC0, 0x9FAC},     {0x8CD7, 0x9FAD}, {0x8CD8, 0x9FAE},     {0x8CDA, 0x9FAF},     {0x8CED, 0x9FB2},
    {0x8D48, 0x9FB3},     {0x8E69, 0x7BB8}, {0x8E6F, 0x7C06},     {0x8E7E, 0x7CCE},     {0x8EAB, 0x7DD2},
    {0x8EB4, 0x7E1D},     {0x8ECD, 0x8005}, {0x8ED0, 0x8028},     {0x8F57, 0x83C1},     {0x8F69, 0x84A8},
    {0x8F6E, 0x840F},     {0x8FCB, 0x89A6}, {0x8FCC, 0x89A9},     {0x8FFE, 0x8D77},     {0x906D, 0x90FD},
    {0x907A, 0x92B9},     {0x90DC, 0x975C}, {0x90F1, 0x97FF},     {0x91BF, 0x9F16},     {0x9244, 0x8503},
    {0x92AF, 0x5159},     {0x92B0, 0x515B}, {0x92B1, 0x515D},     {0x92B2, 0x515E},     {0x92C8, 0x936E},
    {0x92D1, 0x7479},     {0x9447, 0x6D67}, {0x94CA, 0x799B},     {0x95D9, 0x9097},     {0x9644, 0x975D},
    {0x96ED, 0x701E},     {0x96FC, 0x5B28}, {0x9B76, 0x7201},     {0x9B78, 0x77D7},     {0x9B7B, 0x7E87},
    {0x9BC6, 0x99D6},     {0x9BDE, 0x91D4}, {0x9BEC, 0x60DE},     {0x9BF6, 0x6FB6},     {0x9C42, 0x8F36},
    {0x9C53, 0x4FBB},     {0x9C62, 0x71DF}, {0x9C68, 0x9104},     {0x9C6B, 0x9DF0},     {0x9C77, 0x83CF},
    {0x9CBC, 0x5C10},     {0x9CBD, 0x79E3}, {0x9CD0, 0x5A67},     {0x9D57, 0x8F0B},     {0x9D5A, 0x7B51},
    {0x9DC4, 0x62D0},     {0x9EA9, 0x6062}, {0x9EEF, 0x75F9},     {0x9EFD, 0x6C4A},     {0x9F60, 0x9B2E},
    {0x9F66, 0x9F17},     {0x9FCB, 0x50ED}, {0x9FD8, 0x5F0C},     {0xA063, 0x880F},     {0xA077, 0x62CE},
    {0xA0D5, 0x7468},     {0xA0DF, 0x7162}, {0xA0E4, 0x7250},     {0xA3C0, 0x2400},     {0xA3C1, 0x2401},
    {0xA3C2, 0x2402},     {0xA3C3, 0x2403}, {0xA3C4, 0x2404},     {0xA3C5, 0x2405},     {0xA3C6, 0x2406},
    {0xA3C7, 0x2407},     {0xA3C8, 0x2408}, {0xA3C9, 0x2409},     {0xA3CA, 0x240A},     {0xA3CB, 0x240B},
    {0xA3CC, 0x240C},     {0xA3CD, 0x240D}, {0xA3CE, 0x240E},     {0xA3CF, 0x240F},     {0xA3D0, 0x2410},
    {0xA3D1, 0x2411},     {0xA3D2, 0x2412}, {0xA3D3, 0x2413},     {0xA3D4, 0x2414},     {0xA3D5, 0x2415},
    {0xA3D6, 0x2416},     {0xA3D7, 0x2417}, {0xA3D8, 0x2418},     {0xA3D9, 0x2419},     {0xA3DA, 0x241A},
    {0xA3DB, 0x241B},     {0xA3DC, 0x241C}, {0xA3DD, 0x241D},     {0xA3DE, 0x241E},     {0xA3DF, 0x241F},
    {0xA3E0, 0x2421},     {0xC6CF, 0x5EF4}, {0xC6D3, 0x65E0},     {0xC6D5, 0x7676},     {0xC6D7, 0x96B6},
    {0xC6DE, 0x3003},     {0xC6DF, 0x4EDD}, {0xC879, 0x31CF},     {0xC8A1, 0x9FB0},     {0xC8A3, 0x9FB1},
    {0xFA5F, 0x5029},     {0xFA66, 0x507D}, {0xFABD, 0x5305},     {0xFAC5, 0x5344},     {0xFAD5, 0x537F},
    {0xFB48, 0x5605},     {0xFBB8, 0x5A77}, {0xFBF3, 0x5E75},     {0xFBF9, 0x5ED0},     {0xFC4F, 0x5F58},
    {0xFC6C, 0x60A4},     {0xFCB9, 0x6490}, {0xFCE2, 0x6674},     {0xFCF1, 0x675E},     {0xFDB7, 0x6C9C},
    {0xFDB8, 0x6E1D},     {0xFDBB, 0x6E2F}, {0xFDF1, 0x716E},     {0xFE52, 0x732A},     {0xFE6F, 0x745C},
    {0xFEAA, 0x74E9},     {0xFEDD, 0x7809}, {0x8862, 0x00CA0304}, {0x8864, 0x00CA030C}, {0x88A3, 0x00EA0304},
    {0x88A5, 0x00EA030C},
};

// ICU has no ISO-8859-16: its characters 0xA0-0xFF.
constexpr char16_t kIso8859Part16[] =
    u"\u00A0\u0104\u0105\u0141\u20AC\u201E\u0160\u00A7\u0161\u00A9\u0218\u00AB\u0179\u00AD\u017A\u017B"
    u"\u00B0\u00B1\u010C\u0142\u017D\u201D\u00B6\u00B7\u017E\u010D\u0219\u00BB\u0152\u0153\u0178\u017C"
    u"\u00C0\u00C1\u00C2\u0102\u00C4\u0106\u00C6\u00C7\u00C8\u00C9\u00CA\u00CB\u00CC\u00CD\u00CE\u00CF"
    u"\u0110\u0143\u00D2\u00D3\u00D4\u0150\u00D6\u015A\u0170\u00D9\u00DA\u00DB\u00DC\u0118\u021A\u00DF"
    u"\u00E0\u00E1\u00E2\u0103\u00E4\u0107\u00E6\u00E7\u00E8\u00E9\u00EA\u00EB\u00EC\u00ED\u00EE\u00EF"
    u"\u0111\u0144\u00F2\u00F3\u00F4\u0151\u00F6\u015B\u0171\u00F9\u00FA\u00FB\u00FC\u0119\u021B\u00FF";

std::span<const Patch> patches_of(Encoding encoding) {
  if (encoding == Encoding::kKoi8U) return kKoi8U;
  if (encoding == Encoding::kWindows1253) return kWindows1253;
  if (encoding == Encoding::kWindows1255) return kWindows1255;
  if (encoding == Encoding::kGbk || encoding == Encoding::kGb18030) return kGb18030;
  if (encoding == Encoding::kBig5) return kBig5;
  return {};
}

// ICU lets vendors' private characters through; the standard knows them only where it names them.
bool drops_private_use(Encoding encoding) {
  return encoding == Encoding::kWindows874 || encoding == Encoding::kBig5 || encoding == Encoding::kEucKr;
}

bool is_private_use(char32_t c) { return c >= 0xE000 && c <= 0xF8FF; }

// Every byte string in `items` decoded by itself: a line feed between them, which no trail byte is.
std::vector<std::u32string> decode_each(const char* icu_name, std::span<const std::string> items) {
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<UConverter, decltype(&ucnv_close)> converter(ucnv_open(icu_name, &error), ucnv_close);
  WEIR_CHECK(U_SUCCESS(error));  // the names are ours and the tables are part of ICU
  std::string bytes;
  for (const std::string& item : items) bytes.append(item).push_back('\n');
  std::vector<UChar> units(bytes.size() * 2);
  const std::int32_t count =
      ucnv_toUChars(converter.get(), units.data(), static_cast<std::int32_t>(units.size()), bytes.data(),
                    static_cast<std::int32_t>(bytes.size()), &error);
  WEIR_CHECK(U_SUCCESS(error));
  units.resize(static_cast<std::size_t>(count));
  std::vector<std::u32string> out(1);
  for (const UChar unit : units) {
    if (unit == '\n') {
      out.emplace_back();
    } else if (U16_IS_TRAIL(unit) && !out.back().empty()) {
      out.back().back() = static_cast<char32_t>(U16_GET_SUPPLEMENTARY(out.back().back(), unit));
    } else {
      out.back().push_back(unit);
    }
  }
  out.pop_back();
  WEIR_CHECK(out.size() == items.size());
  return out;
}

// U+001A is how ICU marks a single byte without character.
bool is_one_character(const std::u32string& text, Encoding encoding) {
  return text.size() == 1 && text[0] != kReplacementCharacter && text[0] != 0x1A &&
         !(drops_private_use(encoding) && is_private_use(text[0]));
}

}  // namespace

SingleByteIndex single_byte_index(Encoding encoding) {
  SingleByteIndex index{};
  if (encoding == Encoding::kIso8859Part16) {
    for (std::size_t i = 0; i < index.size(); ++i) {
      index[i] = i < 0x20 ? static_cast<char32_t>(0x80 + i) : kIso8859Part16[i - 0x20];
    }
    return index;
  }
  std::vector<std::string> bytes;
  for (std::size_t i = 0; i < index.size(); ++i) bytes.emplace_back(1, static_cast<char>(0x80 + i));
  const std::vector<std::u32string> characters = decode_each(info_of(encoding).icu_name, bytes);
  for (std::size_t i = 0; i < index.size(); ++i) {
    index[i] = is_one_character(characters[i], encoding) ? characters[i][0] : kReplacementCharacter;
  }
  for (const Patch& patch : patches_of(encoding)) index[patch.bytes - 0x80] = patch.character;
  return index;
}

DoubleByteIndex::DoubleByteIndex(Encoding encoding, std::string_view prefix) : cells_(128 * 256) {
  std::vector<std::string> pairs;
  std::vector<std::size_t> places;
  for (unsigned lead = 0x81; lead <= 0xFE; ++lead) {
    for (unsigned trail = 0x40; trail <= 0xFE; ++trail) {
      pairs.push_back(std::string(prefix) + static_cast<char>(lead) + static_cast<char>(trail));
      places.push_back((lead - 0x80) << 8 | trail);
    }
  }
  const std::vector<std::u32string> characters = decode_each(info_of(encoding).icu_name, pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (is_one_character(characters[i], encoding)) cells_[places[i]] = characters[i][0];
  }
  if (!prefix.empty()) return;
  for (const Patch& patch : patches_of(encoding)) cells_[patch.bytes - 0x8000] = patch.character;
}

}  // namespace weir::crawler
