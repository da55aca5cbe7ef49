// The rules work on the always-on key, taken apart, in one fixed order: host, query, path, fragment. The order
// is part of the identity: the query goes first, because strip-index asks whether one is left.
#include "frontier/url/key_rules.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/nearest.h"
#include "frontier/url/key_path.h"

namespace weir::frontier {
namespace {

constexpr std::array<std::string_view, kKeyRules> kNames = {
    "ignore-scheme",  "strip-www",   "strip-session-ids",    "strip-tracking", "sort-query",
    "lowercase-path", "strip-index", "strip-trailing-slash", "hashbang"};
constexpr std::string_view kStripParamsName = "strip-params";
constexpr std::string_view kWww = "www.";

// Without "www." at its front, as often as it stands there, while two labels remain. Of a domain only.
std::string_view without_www(std::string_view host) {
  while (host.starts_with(kWww)) {
    std::string_view rest = host.substr(kWww.size());
    const std::string_view labels = rest.ends_with('.') ? rest.substr(0, rest.size() - 1) : rest;
    if (rest.starts_with('.') || labels.find('.') == std::string_view::npos) break;
    host = rest;
  }
  return host;
}

// "a.test", ".a.test" for "*.a.test", "" for every host; nullopt: not a host.
std::optional<std::string> host_pattern(std::string_view host) {
  if (host.empty()) return std::string();
  const bool below = host.starts_with("*.");
  if (below) host.remove_prefix(2);
  const std::string_view name =
      host.starts_with('[') ? host.substr(std::min(host.find(']'), host.size())) : host;
  if (name.find_first_of(":*/\\?#@") != std::string_view::npos) return std::nullopt;
  const auto url = parse_url("http://" + std::string(host) + "/");
  if (!url) return std::nullopt;
  if (below && url->host_kind() != HostKind::kDomain) return std::nullopt;
  return (below ? "." : "") + std::string(url->hostname());
}

std::string toml_list(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (const std::string& text : texts) out.append(out.size() > 1 ? ", \"" : "\"").append(text).append("\"");
  return out + "]";
}

}  // namespace

std::string_view key_rule_name(KeyRule rule) { return kNames[static_cast<std::size_t>(rule)]; }
std::array<std::string_view, kKeyRules> key_rule_names() { return kNames; }

// ---- compiling ---------------------------------------------------------------------------------------------

Result<KeyRules> KeyRules::compile(const KeyRulesOptions& options) {
  KeyRules rules;
  for (const std::string& name : options.rules) {
    if (auto added = rules.add_rule(name); !added) return std::unexpected(added.error());
  }
  for (const StripParams& entry : options.strip_params) {
    if (auto added = rules.add_params(entry); !added) return std::unexpected(added.error());
  }
  rules.make_text();
  return rules;
}

Result<void> KeyRules::add_rule(const std::string& name) {
  const auto found = std::ranges::find(kNames, name);
  if (found != kNames.end()) {
    rules_ |= 1U << static_cast<unsigned>(found - kNames.begin());
    return {};
  }
  const std::string_view meant = nearest(name, kNames);
  std::string message = "there is no key rule '" + name + "'";
  if (!meant.empty()) return fail(ErrorCode::kUsage, message + "; did you mean '" + std::string(meant) + "'?");
  message += "; there are:";
  for (const std::string_view known : kNames) message.append(" ").append(known);
  return fail(ErrorCode::kUsage, message);
}

// Must run after all add_rule(): under strip-www a host is met without its "www." only.
Result<void> KeyRules::add_params(const StripParams& entry) {
  auto host = host_pattern(entry.host);
  if (!host) {
    return fail(ErrorCode::kUsage,
                "'" + entry.host +
                    "' cannot be the host of strip_params: write \"a.test\", \"*.a.test\" (every "
                    "host below it) or no host (every host), without scheme and port");
  }
  if (has(KeyRule::kStripWww)) host = without_www(*host);
  if (entry.params.empty()) {
    return fail(ErrorCode::kUsage, "strip_params of '" + entry.host + "' lists no params");
  }
  auto place = std::ranges::lower_bound(strip_params_, *host, {}, &HostParams::host);
  if (place == strip_params_.end() || place->host != *host) place = strip_params_.insert(place, {*host, {}});
  for (const std::string& name : entry.params) {
    if (auto added = place->names.add(name); !added) return added;
  }
  return {};
}

void KeyRules::make_text() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kKeyRules; ++i) {
    if (has(static_cast<KeyRule>(i))) names.emplace_back(kNames[i]);
  }
  text_ = "rules = " + toml_list(names) + "\n";
  if (strip_params_.empty()) return;
  text_ += "strip_params = [";
  for (const HostParams& entry : strip_params_) {
    text_ += text_.ends_with('[') ? "{ " : ", { ";
    if (!entry.host.empty())
      text_ += "host = \"" + std::string(entry.host.starts_with('.') ? "*" : "") + entry.host + "\", ";
    text_ += "params = " + toml_list(entry.names.patterns()) + " }";
  }
  text_ += "]\n";
}

bool KeyRules::HostParams::concerns(std::string_view host_name) const {
  return host.empty() || host == host_name || (host.starts_with('.') && host_name.ends_with(host));
}

// ---- one key -----------------------------------------------------------------------------------------------

// Takes the always-on key apart, changes the parts, and writes them.
class KeyRules::Writer {
 public:
  Writer(const KeyRules& rules, const Url& url, std::string_view key) : rules_(rules), url_(url) {
    scheme_ = url.scheme();
    host_ = url.hostname();
    port_ = url.host().substr(host_.size());
    std::string_view rest = key.substr(scheme_.size() + 3 + host_.size() + port_.size());
    const std::size_t mark = rest.find('?');
    path_.text = rest.substr(0, mark);
    if (mark != std::string_view::npos) query_.text = rest.substr(mark + 1);
  }

  unsigned change() {
    change_host();
    change_query();
    change_path();
    return applied_;
  }

  void write(std::string& out) const {
    out.append(scheme_).append("://").append(host_).append(port_).append(path_.text);
    if (query_.text) out.append("?").append(*query_.text);
  }

  // Behind the rest. True: there was one.
  bool write_hashbang(std::string& out) const {
    if (!rules_.has(KeyRule::kHashbang) || !url_.fragment().starts_with('!')) return false;
    out += '#';
    append_key_spelling(out, url_.fragment());
    return true;
  }

 private:
  void note(bool changed, unsigned rule_bit) {
    if (changed) applied_ |= rule_bit;
  }

  void change_host() {
    if (rules_.has(KeyRule::kIgnoreScheme) && port_.empty() && scheme_ == "https") {
      scheme_ = "http";
      note(true, bit(KeyRule::kIgnoreScheme));
    }
    if (!rules_.has(KeyRule::kStripWww) || url_.host_kind() != HostKind::kDomain) return;
    const std::string_view host = without_www(host_);
    note(host.size() != host_.size(), bit(KeyRule::kStripWww));
    host_ = host;
  }

  void change_query() {
    if (!query_.text) return;
    if (rules_.has(KeyRule::kStripSessionIds))
      note(strip_query(query_, is_session_param), bit(KeyRule::kStripSessionIds));
    if (rules_.has(KeyRule::kStripTracking))
      note(strip_query(query_, is_tracking_param), bit(KeyRule::kStripTracking));
    for (const HostParams& entry : rules_.strip_params_) {
      if (!entry.concerns(host_)) continue;
      const auto listed = [&](std::string_view name) { return entry.names.has(name); };
      note(strip_query(query_, listed), kStripParamsBit);
    }
    if (rules_.has(KeyRule::kSortQuery)) note(sort_query(query_), bit(KeyRule::kSortQuery));
  }

  void change_path() {
    if (rules_.has(KeyRule::kStripSessionIds)) note(strip_session_ids(path_), bit(KeyRule::kStripSessionIds));
    if (rules_.has(KeyRule::kLowercasePath)) note(lowercase(path_), bit(KeyRule::kLowercasePath));
    // Each may uncover work for the other: /x/index.html/ is /x/index.html is /x/ is /x.
    bool again = true;
    while (again) {
      again = rules_.has(KeyRule::kStripIndex) && !query_.text && strip_index(path_);
      note(again, bit(KeyRule::kStripIndex));
      const bool cut = rules_.has(KeyRule::kStripTrailingSlash) && strip_trailing_slash(path_);
      note(cut, bit(KeyRule::kStripTrailingSlash));
      again = again || cut;
    }
  }

  const KeyRules& rules_;
  const Url& url_;
  std::string_view scheme_;
  std::string_view host_;
  std::string_view port_;  // ":8080" or empty
  KeyPath path_;
  KeyQuery query_;
  unsigned applied_ = 0;
};

unsigned KeyRules::write_key(std::string& out, const Url& url) const {
  if (!url.is_http()) {
    frontier::append_key(out, url);
    return 0;
  }
  std::string key;
  frontier::append_key(key, url);
  Writer writer(*this, url, key);
  unsigned applied = writer.change();
  writer.write(out);
  if (writer.write_hashbang(out)) applied |= bit(KeyRule::kHashbang);
  return applied;
}

void KeyRules::append_lossy_key(std::string& out, const Url& url) const { write_key(out, url); }

UrlKey KeyRules::key(const Url& url) const {
  std::string text;
  append_key(text, url);
  return UrlKey(std::move(text));
}

std::vector<std::string_view> KeyRules::applied(const Url& url) const {
  std::vector<std::string_view> names = key_rules_applied(url);
  if (!lossy()) return names;
  std::string text;
  const unsigned changed = write_key(text, url);
  for (std::size_t i = 0; i < kKeyRules; ++i) {
    if (changed & bit(static_cast<KeyRule>(i))) names.push_back(kNames[i]);
  }
  if (changed & kStripParamsBit) names.push_back(kStripParamsName);
  return names;
}

Url KeyRules::queue_form(const Url& url, bool* credentials_dropped) const {
  const bool keeps = has(KeyRule::kHashbang) && url.fragment().starts_with('!');
  return keeps ? without_credentials(url, credentials_dropped) : wire_form(url, credentials_dropped);
}

}  // namespace weir::frontier
