// UrlBuilder: the output side of the parser, and the only code that writes a Url. Components are appended in
// order; each call leaves all offsets right for what has been written so far. Internal to frontier/url.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "frontier/url/url.h"

namespace weir::frontier {

// Where the components of a text begin that is a serialisation already (plain_url.h).
struct UrlParts {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::size_t protocol_end = 0;
  std::size_t host_end = 0;
  std::size_t path_start = 0;
  std::size_t search_start = kNone;
  std::size_t hash_start = kNone;
  std::optional<std::uint16_t> port;
};

class UrlBuilder {
 public:
  void reserve(std::size_t bytes) { url_.href_.reserve(bytes); }

  void set_scheme(std::string_view scheme);  // any case, without ':'
  void copy_scheme(const Url& base);

  // With the scheme already written: host, credentials and port of `base`, or none if it has no host.
  void copy_authority(const Url& base);
  void copy_path(const Url& base) { url_.href_.append(base.path()); }
  void copy_query(const Url& base);

  void open_authority();                        // "//"
  void add_credentials(std::string_view text);  // "user:password", not yet encoded
  void close_host(HostKind kind);               // what was appended to text() since is the host
  void clear_host();                            // "localhost" of a file URL is written as no host at all
  void set_port(std::uint16_t port);

  void set_opaque_path() { url_.opaque_path_ = true; }
  bool path_is_empty() const { return url_.href_.size() == url_.path_start_; }
  void clear_path() { url_.href_.resize(url_.path_start_); }
  // The standard's "shorten a path": a Windows drive letter of a file URL is not shortened away.
  void pop_segment(bool keep_drive_letter);

  void open_query();     // "?"
  void open_fragment();  // "#"

  std::string& text() { return url_.href_; }  // where encoded text is appended
  std::string_view hostname() const { return url_.hostname(); }

  std::expected<Url, UrlError> finish();

  // `text` as it stands, without credentials.
  static Url from_parts(std::string_view text, const UrlParts& parts);
  // `reference` behind the base's authority, or behind the last '/' of its path. Of `parts` only search_start
  // and hash_start, within `reference`.
  static std::optional<Url> from_base(const Url& base, bool rooted, std::string_view reference,
                                      const UrlParts& parts);

  // A copy of `url` without credentials and, unless it is kept, without fragment; of http(s), bare '%' in the
  // path as "%25".
  static Url wire_form(const Url& url, bool keeps_fragment);

 private:
  void protect_double_slash();
  static void escape_bare_percents(Url& url);

  Url url_;
};

// "C:" at the start of a file URL's path, as the path text "/C:".
bool is_drive_letter_path(std::string_view path);

}  // namespace weir::frontier
