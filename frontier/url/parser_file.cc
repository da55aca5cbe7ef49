// The states of file URLs: Windows drive letters, and hosts that may be left out. weir never fetches a file
// URL; the states are here because links are resolved before anyone asks for their scheme.
#include "frontier/url/host_parser.h"
#include "frontier/url/parser.h"

namespace weir::frontier {
namespace {

constexpr std::string_view kLocalhost = "localhost";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// The first segment of `path`, as path text, if it is a drive letter.
std::string_view drive_letter_of(std::string_view path) {
  const std::string_view first = path.substr(0, path.find('/', 1));
  return is_drive_letter_path(first) ? first : std::string_view();
}

}  // namespace

bool is_drive_letter(std::string_view text) {
  return text.size() == 2 && is_letter(text[0]) && (text[1] == ':' || text[1] == '|');
}

bool starts_with_drive_letter(std::string_view text) {
  if (!is_drive_letter(text.substr(0, 2))) return false;
  return text.size() == 2 || std::string_view("/\\?#").find(text[2]) != std::string_view::npos;
}

Parser::State Parser::file() {
  if (at_slash()) {
    take(1);
    return State::kFileSlash;
  }
  if (base_is_file()) return file_without_slash();
  out_.open_authority();
  return State::kPath;
}

Parser::State Parser::file_without_slash() {
  out_.copy_authority(*base_);
  if (starts_with_drive_letter(rest_)) return State::kPath;
  out_.copy_path(*base_);
  if (rest_.starts_with('?')) return State::kQuery;
  if (rest_.empty() || rest_.starts_with('#')) {
    out_.copy_query(*base_);
    return State::kFragment;
  }
  out_.pop_segment(true);
  return State::kPath;
}

Parser::State Parser::file_slash() {
  if (at_slash()) {
    take(1);
    return State::kFileHost;
  }
  if (!base_is_file()) {
    out_.open_authority();
    return State::kPath;
  }
  out_.copy_authority(*base_);
  if (!starts_with_drive_letter(rest_)) out_.text().append(drive_letter_of(base_->path()));
  return State::kPath;
}

Parser::State Parser::file_host() {
  out_.open_authority();
  const std::string_view text = rest_.substr(0, authority_length());
  if (is_drive_letter(text)) return State::kPath;
  take(text.size());
  const auto kind = parse_host(out_.text(), text, HostRules::kSpecial);
  if (!kind) return fail(kind.error());
  out_.close_host(*kind);
  if (out_.hostname() == kLocalhost) out_.clear_host();
  return State::kPathStart;
}

}  // namespace weir::frontier
