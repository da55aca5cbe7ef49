// The list and the look-up. Left out on purpose: .js (/wiki/Node.js), .com and other names of sites, .txt,
// .csv, .xml, .json (text that may be pages or feeds), .php, .asp, .cgi, .pl, .do and whatever else makes
// pages.
#include "frontier/scope/file_suffixes.h"

#include <algorithm>
#include <array>

namespace weir::frontier {
namespace {

constexpr std::string_view kDefaultEntry = "default";
constexpr std::size_t kSuffixBytesMax = 32;

// clang-format off: a row is a kind
constexpr std::string_view kDefaultSuffixes[] = {
    ".zip", ".gz", ".tgz", ".bz2", ".tbz", ".tbz2", ".xz", ".txz", ".zst", ".lz", ".lzma", ".7z", ".rar", ".tar",
    ".jar", ".war", ".whl", ".gem", ".iso", ".img", ".dmg", ".cab",
    ".exe", ".msi", ".deb", ".rpm", ".apk", ".ipa", ".pkg", ".bin", ".dll",
    ".jpg", ".jpeg", ".jpe", ".png", ".gif", ".webp", ".avif", ".bmp", ".ico", ".tif", ".tiff", ".svg", ".svgz",
    ".heic", ".psd", ".eps",
    ".mp3", ".m4a", ".aac", ".ogg", ".oga", ".opus", ".flac", ".wav", ".wma", ".mid", ".midi", ".aiff",
    ".mp4", ".m4v", ".mpg", ".mpeg", ".mov", ".avi", ".mkv", ".webm", ".ogv", ".wmv", ".flv", ".3gp", ".swf",
    ".woff", ".woff2", ".ttf", ".otf", ".eot",
    ".pdf", ".doc", ".docx", ".dot", ".dotx", ".xls", ".xlsx", ".xlsm", ".ppt", ".pptx", ".pps", ".ppsx", ".rtf",
    ".odt", ".ods", ".odp", ".odg", ".epub", ".mobi", ".djvu", ".ps",
    ".torrent", ".css",
};
// clang-format on

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower_text(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower(c);
  return out;
}

std::string_view last_segment(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_wiki_title(std::string_view segment) {
  return segment.find(':') != std::string_view::npos || segment.find("%3A") != std::string_view::npos ||
         segment.find("%3a") != std::string_view::npos;
}

// Sitemaps come packed (sitemaps.org); only an entry of their own keeps them out.
bool is_packed_list(std::string_view lower_suffix) {
  return lower_suffix == ".xml.gz" || lower_suffix == ".txt.gz";
}

bool is_suffix(std::string_view entry) {
  return entry.size() > 1 && entry.size() <= kSuffixBytesMax && entry.front() == '.' && entry.back() != '.' &&
         std::ranges::all_of(entry, [](char c) { return c > ' ' && c < 0x7f && c != '/' && c != '?'; });
}

}  // namespace

std::span<const std::string_view> default_suffixes() { return kDefaultSuffixes; }

void FileSuffixes::add(std::string suffix) {
  if (!index_.emplace(suffix, static_cast<std::uint32_t>(suffixes_.size())).second) return;
  dots_max_ = std::max(dots_max_, static_cast<std::size_t>(std::ranges::count(suffix, '.')));
  suffixes_.push_back(std::move(suffix));
}

Result<FileSuffixes> FileSuffixes::compile(const std::vector<std::string>& entries) {
  FileSuffixes list;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i] == kDefaultEntry) {
      for (const std::string_view suffix : kDefaultSuffixes) list.add(std::string(suffix));
    } else if (is_suffix(entries[i])) {
      list.add(lower_text(entries[i]));
    } else {
      return fail(ErrorCode::kUsage, "scope.suffixes_deny[" + std::to_string(i) + "]: '" + entries[i] +
                                         "': want the end of a file name with its point, such as \".zip\", or "
                                         "\"default\" for the built-in list");
    }
  }
  return list;
}

std::optional<std::uint32_t> FileSuffixes::find(std::string_view path) const {
  const std::string_view segment = last_segment(path);
  if (dots_max_ == 0 || segment.find('.') == std::string_view::npos || is_wiki_title(segment)) {
    return std::nullopt;
  }
  std::array<char, kSuffixBytesMax> buffer;
  std::size_t dot = segment.size();
  std::optional<std::uint32_t> by_gz;
  for (std::size_t dots = 0; dots < std::max<std::size_t>(dots_max_, 2) && dot > 1; ++dots) {
    dot = segment.rfind('.', dot - 1);
    if (dot == std::string_view::npos || dot == 0 || segment.size() - dot > kSuffixBytesMax) break;
    const std::string_view suffix = segment.substr(dot);
    std::ranges::transform(suffix, buffer.begin(), lower);
    const std::string_view lower_suffix(buffer.data(), suffix.size());
    const auto found = index_.find(lower_suffix);
    if (found != index_.end() && lower_suffix != ".gz") return found->second;
    if (is_packed_list(lower_suffix)) return std::nullopt;
    if (found != index_.end()) by_gz = found->second;
  }
  return by_gz;
}

}  // namespace weir::frontier
