// The only file that calls ICU's IDNA. ICU reports every rule it knows as a bit; the ones the URL Standard
// switches off are masked out here.
#include "frontier/url/idna.h"

#include <unicode/uidna.h>

#include <algorithm>
#include <cstdint>

namespace weir::frontier {
namespace {

// CheckHyphens and VerifyDnsLength are false for the URL Standard (beStrict is false).
constexpr std::uint32_t kIgnoredErrors = UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG |
                                         UIDNA_ERROR_DOMAIN_NAME_TOO_LONG | UIDNA_ERROR_LEADING_HYPHEN |
                                         UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;

// Opened once: it loads the normalisation data. Null only when ICU's data is missing; every domain that
// needs it is then invalid.
const UIDNA* uts46() {
  static const UIDNA* const instance = [] {
    UErrorCode status = U_ZERO_ERROR;
    const UIDNA* opened =
        uidna_openUTS46(UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII, &status);
    return U_SUCCESS(status) ? opened : nullptr;
  }();
  return instance;
}

bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

void lowercase(std::string& text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  }
}

std::optional<std::string> map_with_icu(std::string_view domain) {
  const UIDNA* idna = uts46();
  if (idna == nullptr || domain.size() > kIdnaBytesMax) return std::nullopt;
  std::string out(2 * domain.size() + 64, '\0');
  // Twice at most: the second time with the length that ICU asked for.
  for (int attempt = 0; attempt < 2; ++attempt) {
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    UErrorCode status = U_ZERO_ERROR;
    const std::int32_t length =
        uidna_nameToASCII_UTF8(idna, domain.data(), static_cast<std::int32_t>(domain.size()), out.data(),
                               static_cast<std::int32_t>(out.size()), &info, &status);
    if (status == U_BUFFER_OVERFLOW_ERROR && length > 0) {
      out.resize(static_cast<std::size_t>(length));
      continue;
    }
    if (U_FAILURE(status) || (info.errors & ~kIgnoredErrors) != 0) return std::nullopt;
    out.resize(static_cast<std::size_t>(length));
    return out;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> domain_to_ascii(std::string_view domain) {
  if (domain.empty()) return std::nullopt;
  if (is_ascii(domain)) {
    std::string lower(domain);
    lowercase(lower);
    return lower;
  }
  auto mapped = map_with_icu(domain);
  if (!mapped || mapped->empty()) return std::nullopt;
  return mapped;
}

}  // namespace weir::frontier
