// Segments are taken between slashes; parameters of a segment between semicolons (RFC 3986 3.3).
#include "frontier/url/key_path.h"

#include <algorithm>
#include <array>
#include <utility>

#include "frontier/url/key_params.h"
#include "frontier/url/percent_encode.h"

namespace weir::frontier {
namespace {

constexpr auto kIndexNames =
    std::to_array<std::string_view>({"index.html", "index.htm", "index.php", "default.asp", "default.aspx",
                                     "default.htm", "default.html", "index.asp", "index.aspx", "index.cgi",
                                     "index.jsp", "index.php5", "index.pl", "index.shtml", "index.xhtml"});

char lower(char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c); }

// Appends `segment` without its session parameters.
void append_without_session(std::string& out, std::string_view segment) {
  const std::size_t start = out.size();
  std::size_t begin = std::min(segment.find(';'), segment.size());
  out.append(segment.substr(0, begin));
  while (begin < segment.size()) {
    const std::size_t end = std::min(segment.find(';', begin + 1), segment.size());
    const std::string_view piece = segment.substr(begin, end - begin);
    const bool has_value = piece.find('=') != std::string_view::npos;
    if (!has_value || !is_session_param(param_name(piece.substr(1)))) out.append(piece);
    begin = end;
  }
  const std::string_view left = std::string_view(out).substr(start);
  if (left == "." || left == "..") out.replace(start, std::string::npos, segment);
}

}  // namespace

bool strip_session_ids(KeyPath& path) {
  if (path.text.find(';') == std::string_view::npos) return false;
  std::string out;
  std::size_t begin = 1;
  while (begin <= path.text.size()) {
    const std::size_t end = std::min(path.text.find('/', begin), path.text.size());
    out += '/';
    append_without_session(out, path.text.substr(begin, end - begin));
    begin = end + 1;
  }
  if (out == path.text) return false;
  path.storage = std::move(out);
  path.text = path.storage;
  return true;
}

bool lowercase(KeyPath& path) {
  if (std::ranges::none_of(path.text, [](char c) { return c >= 'A' && c <= 'Z'; })) return false;
  std::string out(path.text);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (is_escape(out, i)) {
      i += 2;
    } else {
      out[i] = lower(out[i]);
    }
  }
  if (out == path.text) return false;
  path.storage = std::move(out);
  path.text = path.storage;
  return true;
}

bool strip_index(KeyPath& path) {
  const std::size_t slash = path.text.rfind('/');
  const std::string_view name = path.text.substr(slash + 1);
  const auto same = [&](std::string_view index) { return std::ranges::equal(index, name, {}, {}, lower); };
  if (std::ranges::none_of(kIndexNames, same)) return false;
  path.text = path.text.substr(0, slash + 1);
  return true;
}

bool strip_trailing_slash(KeyPath& path) {
  if (path.text.size() < 2 || !path.text.ends_with('/') || path.text.ends_with("//")) return false;
  path.text.remove_suffix(1);
  return true;
}

}  // namespace weir::frontier
