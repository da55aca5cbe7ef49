// FileSuffixes: names of files that hold no HTML, judged by the end of a path's last segment. Case does not
// count, the query is not looked at. Not a media type: a guess from the name, made before anything is fetched.
// Immutable and thread-safe; a question allocates nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/error.h"

namespace weir::frontier {

// What "default" in scope.suffixes_deny stands for: archives, media, images, fonts, office, programs.
std::span<const std::string_view> default_suffixes();

class FileSuffixes {
 public:
  // Entries are ".zip", ".tar.gz" or "default". kUsage for anything else.
  static Result<FileSuffixes> compile(const std::vector<std::string>& entries);

  // Index into suffixes() of the suffix of the path's last segment; nullopt: none, or no name before it.
  // A segment with ':' is a wiki's page about a file ("File:Cat.jpg") and has no suffix; ".xml.gz" and
  // ".txt.gz" are how sitemaps come, and not hit by ".gz".
  std::optional<std::uint32_t> find(std::string_view path) const;

  const std::vector<std::string>& suffixes() const { return suffixes_; }

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  void add(std::string suffix);

  std::vector<std::string> suffixes_;  // lower case
  std::unordered_map<std::string, std::uint32_t, TextHash, std::equal_to<>> index_;
  std::size_t dots_max_ = 0;  // of one suffix
};

}  // namespace weir::frontier
