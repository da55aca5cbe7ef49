// Scheme, relative and authority states, and the loop that runs the machine. The loop ends: every state
// either consumes input or is followed by a state later in the enumeration.
#include "frontier/url/parser.h"

#include <algorithm>
#include <string>

#include "base/limits.h"
#include "frontier/url/host_parser.h"
#include "frontier/url/input.h"
#include "frontier/url/percent_encode.h"
#include "frontier/url/plain_url.h"

namespace weir::frontier {
namespace {

constexpr std::size_t kGrowth = 8;  // what a clean URL may gain: "//", "/", ":"
constexpr unsigned kPortMax = 65535;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_scheme_character(char c) { return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.'; }

// "1http://a.test/" is a mistyped absolute URL, "a/b" is a relative one; both have no scheme for the standard.
bool looks_absolute(std::string_view text) {
  const std::size_t colon = text.find(':');
  return colon != std::string_view::npos && colon < text.find_first_of("/?#");
}

}  // namespace

std::expected<Url, UrlError> parse_url(std::string_view input, const Url* base,
                                       const QueryEncoder* query_encoder) {
  if (input.size() > limits::kUrlBytesMax) return std::unexpected(UrlError::kTooLong);
  if (auto plain = base == nullptr ? parse_plain(input) : resolve_plain(input, *base)) return *std::move(plain);
  std::string storage;
  return Parser(prepare_input(input, storage), base, query_encoder).run();
}

std::expected<Url, UrlError> Parser::run() {
  State state = State::kScheme;
  while (state != State::kDone && state != State::kFailed) state = step(state);
  if (state == State::kFailed) return std::unexpected(error_);
  return out_.finish();
}

Parser::State Parser::step(State state) {
  switch (state) {
    case State::kScheme: return scheme();
    case State::kNoScheme: return no_scheme();
    case State::kSpecialRelativeOrAuthority: return special_relative_or_authority();
    case State::kPathOrAuthority: return path_or_authority();
    case State::kRelative: return relative();
    case State::kRelativeSlash: return relative_slash();
    case State::kSpecialAuthoritySlashes: return special_authority_slashes();
    case State::kAuthority: return authority();
    case State::kFile: return file();
    case State::kFileSlash: return file_slash();
    case State::kFileHost: return file_host();
    case State::kPathStart: return path_start();
    case State::kPath: return path();
    case State::kOpaquePath: return opaque_path();
    case State::kAfterPath: return after_path();
    case State::kQuery: return query();
    case State::kFragment: return fragment();
    case State::kDone:
    case State::kFailed: break;
  }
  return state;
}

Parser::State Parser::fail(UrlError error) {
  error_ = error;
  return State::kFailed;
}

std::string_view Parser::take(std::size_t length) {
  const std::string_view taken = rest_.substr(0, length);
  rest_.remove_prefix(taken.size());
  return taken;
}

Parser::State Parser::scheme() {
  if (rest_.empty() || !is_letter(rest_.front())) return State::kNoScheme;
  std::size_t length = 1;
  while (length < rest_.size() && is_scheme_character(rest_[length])) ++length;
  if (length == rest_.size() || rest_[length] != ':') return State::kNoScheme;
  out_.reserve(rest_.size() + kGrowth);
  out_.set_scheme(take(length));
  take(1);
  return after_scheme();
}

Parser::State Parser::after_scheme() {
  const std::string_view written(out_.text());
  const std::string_view name = written.substr(0, written.size() - 1);
  kind_ = scheme_kind(name);
  if (kind_ == SchemeKind::kFile) return State::kFile;
  if (is_special()) {
    const bool same = base_ != nullptr && base_->scheme() == name;
    return same ? State::kSpecialRelativeOrAuthority : State::kSpecialAuthoritySlashes;
  }
  if (!rest_.starts_with('/')) return State::kOpaquePath;
  take(1);
  return State::kPathOrAuthority;
}

Parser::State Parser::no_scheme() {
  if (base_ == nullptr) return fail(looks_absolute(rest_) ? UrlError::kBadScheme : UrlError::kNoScheme);
  if (base_->has_opaque_path() && !rest_.starts_with('#')) return fail(UrlError::kOpaqueBase);
  out_.reserve(base_->href().size() + rest_.size() + kGrowth);
  out_.copy_scheme(*base_);
  kind_ = scheme_kind(base_->scheme());
  if (base_->has_opaque_path()) {
    out_.set_opaque_path();
    out_.copy_path(*base_);
    out_.copy_query(*base_);
    return State::kFragment;
  }
  return kind_ == SchemeKind::kFile ? State::kFile : State::kRelative;
}

Parser::State Parser::special_relative_or_authority() {
  if (rest_.starts_with("//")) return State::kSpecialAuthoritySlashes;
  return State::kRelative;
}

Parser::State Parser::path_or_authority() {
  if (!rest_.starts_with('/')) return State::kPath;
  take(1);
  return State::kAuthority;
}

Parser::State Parser::relative() {
  if (at_slash()) {
    take(1);
    return State::kRelativeSlash;
  }
  out_.copy_authority(*base_);
  out_.copy_path(*base_);
  if (rest_.starts_with('?')) return State::kQuery;
  if (rest_.empty() || rest_.starts_with('#')) {
    out_.copy_query(*base_);
    return State::kFragment;
  }
  out_.pop_segment(false);
  return State::kPath;
}

Parser::State Parser::relative_slash() {
  if (is_special() && at_slash()) return State::kSpecialAuthoritySlashes;
  if (rest_.starts_with('/')) {
    take(1);
    return State::kAuthority;
  }
  out_.copy_authority(*base_);
  return State::kPath;
}

Parser::State Parser::special_authority_slashes() {
  while (at_slash()) take(1);
  return State::kAuthority;
}

std::size_t Parser::authority_length() const {
  const auto ends = [this](char c) { return c == '/' || c == '?' || c == '#' || (c == '\\' && is_special()); };
  return static_cast<std::size_t>(std::ranges::find_if(rest_, ends) - rest_.begin());
}

Parser::State Parser::authority() {
  const std::string_view text = take(authority_length());
  out_.open_authority();
  const std::size_t at = text.rfind('@');
  if (at == std::string_view::npos) return host_and_port(text);
  if (at + 1 == text.size()) return fail(UrlError::kEmptyHost);
  out_.add_credentials(text.substr(0, at));
  return host_and_port(text.substr(at + 1));
}

Parser::State Parser::host_and_port(std::string_view text) {
  bool in_brackets = false;
  std::size_t length = 0;
  for (; length < text.size(); ++length) {
    const char c = text[length];
    if (c == ':' && !in_brackets) break;
    if (c == '[') in_brackets = true;
    if (c == ']') in_brackets = false;
  }
  const bool has_port = length < text.size();
  if (length == 0 && (has_port || is_special())) return fail(UrlError::kEmptyHost);
  const auto kind = parse_host(out_.text(), text.substr(0, length),
                               is_special() ? HostRules::kSpecial : HostRules::kNotSpecial);
  if (!kind) return fail(kind.error());
  out_.close_host(*kind);
  return has_port ? port(text.substr(length + 1)) : State::kPathStart;
}

Parser::State Parser::port(std::string_view digits) {
  unsigned value = 0;
  for (const char c : digits) {
    if (!is_digit(c)) return fail(UrlError::kBadPort);
    value = value * 10 + static_cast<unsigned>(c - '0');
    if (value > kPortMax) return fail(UrlError::kBadPort);
  }
  const bool is_default = is_special() && value == default_port(kind_);
  if (!digits.empty() && !is_default) out_.set_port(static_cast<std::uint16_t>(value));
  return State::kPathStart;
}

}  // namespace weir::frontier
