// Path, query and fragment states. Dot segments are resolved on the output text itself: ".." cuts it back to
// the last slash.
#include <algorithm>
#include <string>

#include "frontier/url/parser.h"
#include "frontier/url/percent_encode.h"
#include "frontier/url/query_encoder.h"

namespace weir::frontier {
namespace {

constexpr std::string_view kEscapedDot = "%2e";

bool is_escaped_dot(std::string_view text) {
  return text.size() == 3 && text[0] == '%' && text[1] == '2' && (text[2] == 'e' || text[2] == 'E');
}

// Length of the dot at the start of `text`, plain or escaped; 0: none.
std::size_t dot_length(std::string_view text) {
  if (text.starts_with('.')) return 1;
  return is_escaped_dot(text.substr(0, kEscapedDot.size())) ? kEscapedDot.size() : 0;
}

bool is_single_dot(std::string_view segment) {
  return !segment.empty() && dot_length(segment) == segment.size();
}

bool is_double_dot(std::string_view segment) {
  const std::size_t first = dot_length(segment);
  return first != 0 && is_single_dot(segment.substr(first));
}

struct PathEnd {
  std::size_t length;
  bool clean;  // nothing before it needs escaping
};

// One pass: '?' and '#' are themselves in the path set, so a clean byte costs one look.
PathEnd find_path_end(std::string_view text) {
  PathEnd end{0, true};
  for (; end.length < text.size(); ++end.length) {
    const char c = text[end.length];
    if ((sets_of(c) & kPathSet) == 0) continue;
    if (c == '?' || c == '#') break;
    end.clean = false;
  }
  return end;
}

// True if some segment of `text` starts with `first`; such a segment may be a dot segment.
bool has_segment_starting_with(std::string_view text, char first) {
  for (std::size_t at = text.find(first); at != std::string_view::npos; at = text.find(first, at + 1)) {
    if (at == 0 || text[at - 1] == '/') return true;
  }
  return false;
}

}  // namespace

Parser::State Parser::path_start() {
  if (at_slash()) {
    take(1);
    return State::kPath;
  }
  return is_special() ? State::kPath : State::kAfterPath;
}

// The slash before the first segment, if there was one, is consumed.
Parser::State Parser::path() {
  const PathEnd end = find_path_end(rest_);
  const std::string_view text = take(end.length);
  if (end.clean && is_simple_path(text)) {
    out_.text().push_back('/');
    out_.text().append(text);
  } else {
    add_path_by_segments(text);
  }
  return State::kAfterPath;
}

bool Parser::is_simple_path(std::string_view text) const {
  if (kind_ == SchemeKind::kFile) return false;
  if (is_special() && text.find('\\') != std::string_view::npos) return false;
  return !has_segment_starting_with(text, '.') && !has_segment_starting_with(text, '%');
}

void Parser::add_path_by_segments(std::string_view text) {
  const auto slash = [this](char c) { return is_slash(c); };
  for (bool last = false; !last;) {
    const auto length = static_cast<std::size_t>(std::ranges::find_if(text, slash) - text.begin());
    last = length == text.size();
    add_segment(text.substr(0, length), last);
    text.remove_prefix(last ? length : length + 1);
  }
}

void Parser::add_segment(std::string_view segment, bool last) {
  const bool is_file = kind_ == SchemeKind::kFile;
  const bool dots = is_single_dot(segment) || is_double_dot(segment);
  if (is_double_dot(segment)) out_.pop_segment(is_file);
  if (dots && !last) return;
  const bool drive_letter = is_file && out_.path_is_empty() && is_drive_letter(segment);
  out_.text().push_back('/');
  if (dots) return;
  append_encoded(out_.text(), drive_letter ? segment.substr(0, 1) : segment, kPathSet);
  if (drive_letter) out_.text().push_back(':');
}

// A space right before '?' or '#' is escaped, so that dropping query and fragment leaves no trailing space.
Parser::State Parser::opaque_path() {
  out_.set_opaque_path();
  const std::string_view text = take(find_path_end(rest_).length);
  const bool escape_last = text.ends_with(' ') && !rest_.empty();
  append_encoded(out_.text(), escape_last ? text.substr(0, text.size() - 1) : text, kControlSet);
  if (escape_last) out_.text().append("%20");
  return State::kAfterPath;
}

Parser::State Parser::after_path() { return rest_.starts_with('?') ? State::kQuery : State::kFragment; }

Parser::State Parser::query() {
  take(1);
  out_.open_query();
  const std::string_view text = take(std::min(rest_.find('#'), rest_.size()));
  const ByteSet set = is_special() ? kSpecialQuerySet : kQuerySet;
  if (takes_query_encoder()) {
    append_encoded(out_.text(), query_encoder_->encode(text), set);
  } else {
    append_encoded(out_.text(), text, set);
  }
  return State::kFragment;
}

bool Parser::takes_query_encoder() const {
  return query_encoder_ != nullptr && is_special() && kind_ != SchemeKind::kWs && kind_ != SchemeKind::kWss;
}

Parser::State Parser::fragment() {
  if (rest_.empty()) return State::kDone;
  take(1);
  out_.open_fragment();
  append_encoded(out_.text(), take(rest_.size()), kFragmentSet);
  return State::kDone;
}

}  // namespace weir::frontier
