// See charset_guess.h.
#include "crawler/html/charset_guess.h"

#include <uchardet/uchardet.h>

#include <memory>

#include "crawler/html/ascii.h"

namespace weir::crawler {
namespace {

// uchardet's names that are no labels of the Encoding Standard.
std::string_view label_of(std::string_view name) {
  if (ascii_equal_ignore_case(name, "UHC")) return "euc-kr";
  if (ascii_equal_ignore_case(name, "MAC-CYRILLIC")) return "x-mac-cyrillic";
  return name;
}

}  // namespace

const EncodingInfo* guess_encoding(std::string_view body) {
  const std::unique_ptr<uchardet, decltype(&uchardet_delete)> detector(uchardet_new(), uchardet_delete);
  const std::string_view read = body.substr(0, kGuessBytes);
  if (detector == nullptr || uchardet_handle_data(detector.get(), read.data(), read.size()) != 0)
    return nullptr;
  uchardet_data_end(detector.get());
  const EncodingInfo* found = find_encoding(label_of(uchardet_get_charset(detector.get())));
  if (found == nullptr || found->kind == EncodingKind::kUtf16 || found->kind == EncodingKind::kReplacement)
    return nullptr;
  return found;
}

}  // namespace weir::crawler
