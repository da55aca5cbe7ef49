// Offsets are kept where the diagram in url.h says; missing components have length zero.
#include "frontier/url/url_builder.h"

#include <charconv>

#include "base/limits.h"
#include "frontier/url/percent_encode.h"

namespace weir::frontier {
namespace {

constexpr std::size_t kPortDigitsMax = 5;

std::uint32_t length_of(const std::string& text) { return static_cast<std::uint32_t>(text.size()); }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

bool is_drive_letter_path(std::string_view path) {
  return path.size() == 3 && path[0] == '/' && is_letter(path[1]) && path[2] == ':';
}

void UrlBuilder::set_scheme(std::string_view scheme) {
  url_.href_.assign(scheme);
  for (char& c : url_.href_) c = static_cast<char>(c | (c >= 'A' && c <= 'Z' ? 0x20 : 0));
  url_.href_.push_back(':');
  url_.protocol_end_ = length_of(url_.href_);
  url_.username_end_ = url_.host_start_ = url_.host_end_ = url_.path_start_ = url_.protocol_end_;
}

void UrlBuilder::copy_scheme(const Url& base) { set_scheme(base.scheme()); }

void UrlBuilder::copy_authority(const Url& base) {
  if (base.host_kind_ == HostKind::kNone) return;  // its path may start behind "/.", which is not ours
  url_.href_.append(base.href_, base.protocol_end_, base.path_start_ - base.protocol_end_);
  url_.username_end_ = base.username_end_;
  url_.host_start_ = base.host_start_;
  url_.host_end_ = base.host_end_;
  url_.path_start_ = base.path_start_;
  url_.port_ = base.port_;
  url_.host_kind_ = base.host_kind_;
}

void UrlBuilder::copy_query(const Url& base) {
  if (!base.has_query()) return;
  open_query();
  url_.href_.append(base.query());
}

void UrlBuilder::open_authority() {
  url_.href_.append("//");
  url_.username_end_ = url_.host_start_ = url_.host_end_ = url_.path_start_ = length_of(url_.href_);
  url_.host_kind_ = HostKind::kEmpty;
}

void UrlBuilder::add_credentials(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view username = text.substr(0, colon);
  const std::string_view password =
      colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  if (username.empty() && password.empty()) return;
  append_encoded(url_.href_, username, kUserinfoSet);
  url_.username_end_ = length_of(url_.href_);
  if (!password.empty()) {
    url_.href_.push_back(':');
    append_encoded(url_.href_, password, kUserinfoSet);
  }
  url_.host_start_ = length_of(url_.href_);
  url_.href_.push_back('@');
}

void UrlBuilder::close_host(HostKind kind) {
  url_.host_kind_ = kind;
  url_.host_end_ = url_.path_start_ = length_of(url_.href_);
}

void UrlBuilder::clear_host() {
  url_.href_.resize(url_.host_start_);
  close_host(HostKind::kEmpty);
}

void UrlBuilder::set_port(std::uint16_t port) {
  char digits[kPortDigitsMax];
  char* const end = std::to_chars(digits, digits + kPortDigitsMax, port).ptr;
  url_.port_ = port;
  url_.href_.push_back(':');
  url_.href_.append(digits, end);
  url_.path_start_ = length_of(url_.href_);
}

void UrlBuilder::pop_segment(bool keep_drive_letter) {
  const std::string_view path = std::string_view(url_.href_).substr(url_.path_start_);
  if (path.empty() || (keep_drive_letter && is_drive_letter_path(path))) return;
  url_.href_.resize(url_.path_start_ + path.rfind('/'));
}

void UrlBuilder::open_query() {
  url_.search_start_ = length_of(url_.href_);
  url_.href_.push_back('?');
}

void UrlBuilder::open_fragment() {
  url_.hash_start_ = length_of(url_.href_);
  url_.href_.push_back('#');
}

// Without a host, a path that starts with "//" would read as one: the serialiser puts "/." before it.
void UrlBuilder::protect_double_slash() {
  if (url_.host_kind_ != HostKind::kNone || url_.opaque_path_ || !url_.path().starts_with("//")) return;
  url_.href_.insert(url_.path_start_, "/.");
  url_.path_start_ += 2;
  if (url_.has_query()) url_.search_start_ += 2;
  if (url_.has_fragment()) url_.hash_start_ += 2;
}

std::expected<Url, UrlError> UrlBuilder::finish() {
  protect_double_slash();
  if (url_.href_.size() > limits::kUrlBytesMax) return std::unexpected(UrlError::kTooLong);
  return std::move(url_);
}

Url UrlBuilder::from_parts(std::string_view text, const UrlParts& parts) {
  Url url;
  url.href_.assign(text);
  url.protocol_end_ = static_cast<std::uint32_t>(parts.protocol_end);
  url.username_end_ = url.host_start_ = url.protocol_end_ + 2;
  url.host_end_ = static_cast<std::uint32_t>(parts.host_end);
  url.path_start_ = static_cast<std::uint32_t>(parts.path_start);
  url.host_kind_ = HostKind::kDomain;
  if (parts.port) url.port_ = *parts.port;
  if (parts.search_start != UrlParts::kNone) url.search_start_ = static_cast<std::uint32_t>(parts.search_start);
  if (parts.hash_start != UrlParts::kNone) url.hash_start_ = static_cast<std::uint32_t>(parts.hash_start);
  return url;
}

std::optional<Url> UrlBuilder::from_base(const Url& base, bool rooted, std::string_view reference,
                                         const UrlParts& parts) {
  const std::size_t path_end = base.path_start_ + base.path().size();
  const std::size_t kept = rooted ? base.path_start_ : base.href_.rfind('/', path_end - 1) + 1;
  if (kept + reference.size() > limits::kUrlBytesMax) return std::nullopt;
  Url url;
  url.href_.reserve(kept + reference.size());
  url.href_.append(base.href_, 0, kept).append(reference);
  url.protocol_end_ = base.protocol_end_;
  url.username_end_ = base.username_end_;
  url.host_start_ = base.host_start_;
  url.host_end_ = base.host_end_;
  url.port_ = base.port_;
  url.path_start_ = base.path_start_;
  url.host_kind_ = base.host_kind_;
  if (parts.search_start != UrlParts::kNone)
    url.search_start_ = static_cast<std::uint32_t>(kept + parts.search_start);
  if (parts.hash_start != UrlParts::kNone)
    url.hash_start_ = static_cast<std::uint32_t>(kept + parts.hash_start);
  return url;
}

Url UrlBuilder::wire_form(const Url& url, bool keeps_fragment) {
  Url wire;
  const std::string_view kept = keeps_fragment ? url.href() : url.href_without_fragment();
  // Credentials lie between "//" and the host name, '@' included.
  const std::uint32_t userinfo_start = url.has_credentials() ? url.protocol_end_ + 2 : url.host_start_;
  const std::uint32_t userinfo_end = url.has_credentials() ? url.host_start_ + 1 : url.host_start_;
  const std::uint32_t removed = userinfo_end - userinfo_start;
  wire.href_.reserve(kept.size() - removed);
  wire.href_.append(kept, 0, userinfo_start).append(kept, userinfo_end);
  wire.protocol_end_ = url.protocol_end_;
  wire.username_end_ = wire.host_start_ = userinfo_start;
  wire.host_end_ = url.host_end_ - removed;
  wire.port_ = url.port_;
  wire.path_start_ = url.path_start_ - removed;
  if (url.has_query()) wire.search_start_ = url.search_start_ - removed;
  if (keeps_fragment && url.has_fragment()) wire.hash_start_ = url.hash_start_ - removed;
  wire.host_kind_ = url.host_kind_;
  wire.opaque_path_ = url.opaque_path_;
  if (wire.is_http()) escape_bare_percents(wire);
  return wire;
}

// "100%.html" is a URL, but no request target (RFC 9110 4.1): what servers answer with 400 goes out as
// "100%25".
void UrlBuilder::escape_bare_percents(Url& url) {
  std::size_t at = url.href_.find('%', url.path_start_);
  const auto path_end = [&] { return url.path_start_ + url.path().size(); };
  for (; at < path_end(); at = url.href_.find('%', at + 1)) {
    if (is_escape(url.path(), at - url.path_start_)) continue;
    url.href_.insert(at + 1, "25");
    if (url.has_query()) url.search_start_ += 2;
    if (url.has_fragment()) url.hash_start_ += 2;
  }
}

}  // namespace weir::frontier
