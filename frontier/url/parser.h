// The basic URL parser (URL Standard section 4.4) without state override, as a state machine: one member
// function per state, each consumes a whole run of input and names the next state. Internal to frontier/url;
// callers use parse_url. States that write authority and scheme are in parser.cc, of file URLs in
// parser_file.cc, from the path on in parser_path.cc.
#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

#include "frontier/url/scheme.h"
#include "frontier/url/url.h"
#include "frontier/url/url_builder.h"

namespace weir::frontier {

class Parser {
 public:
  // `input` is prepared (input.h). All are borrowed.
  Parser(std::string_view input, const Url* base, const QueryEncoder* query_encoder)
      : rest_(input), base_(base), query_encoder_(query_encoder) {}

  std::expected<Url, UrlError> run();

 private:
  enum class State : std::uint8_t {
    kScheme,  // "scheme start" and "scheme"
    kNoScheme,
    kSpecialRelativeOrAuthority,
    kPathOrAuthority,
    kRelative,
    kRelativeSlash,
    kSpecialAuthoritySlashes,  // and "special authority ignore slashes"
    kAuthority,                // with "host" and "port"
    kFile,
    kFileSlash,
    kFileHost,
    kPathStart,
    kPath,
    kOpaquePath,
    kAfterPath,
    kQuery,
    kFragment,
    kDone,
    kFailed
  };

  State step(State state);
  State scheme();
  State after_scheme();
  State no_scheme();
  State special_relative_or_authority();
  State path_or_authority();
  State relative();
  State relative_slash();
  State special_authority_slashes();
  State authority();
  State host_and_port(std::string_view text);
  State port(std::string_view digits);
  State file();
  State file_without_slash();
  State file_slash();
  State file_host();
  State path_start();
  State path();
  State opaque_path();
  State after_path();
  State query();
  bool takes_query_encoder() const;
  State fragment();
  State fail(UrlError error);

  bool is_special() const { return kind_ != SchemeKind::kNotSpecial; }
  bool is_slash(char c) const { return c == '/' || (c == '\\' && is_special()); }
  bool at_slash() const { return !rest_.empty() && is_slash(rest_.front()); }
  bool base_is_file() const { return base_ != nullptr && base_->scheme() == "file"; }
  std::string_view take(std::size_t length);  // of rest_
  std::size_t authority_length() const;

  // Path: everything at once when nothing in it needs a second look, else segment by segment.
  bool is_simple_path(std::string_view text) const;  // of a text without anything to escape
  void add_path_by_segments(std::string_view text);
  void add_segment(std::string_view segment, bool last);

  std::string_view rest_;  // not yet consumed
  const Url* base_;
  const QueryEncoder* query_encoder_;  // null: UTF-8
  SchemeKind kind_ = SchemeKind::kNotSpecial;
  UrlError error_ = UrlError::kNoScheme;
  UrlBuilder out_;
};

// A letter and ':' or '|', followed by nothing or by / \ ? #.
bool starts_with_drive_letter(std::string_view text);

// A letter and ':' or '|', and nothing else.
bool is_drive_letter(std::string_view text);

}  // namespace weir::frontier
