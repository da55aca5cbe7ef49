// KeyRules: the lossy rules of URL identity. Each is named, off by default and switched on by the operator,
// because each may merge two pages that are not one (docs/url-identity.md). They concern http and https only.
// Compiled once, then immutable: any number of threads may use one object.
// For every set of rules the key of a key is the key: key(parse(key(u))) == key(u).
//
// Cost: without a rule that of the always-on key (url_key.h), some 20 ns; with all of them some hundred.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "frontier/url/key_params.h"
#include "frontier/url/url.h"
#include "frontier/url/url_key.h"

namespace weir::frontier {

enum class KeyRule : std::uint8_t {
  kIgnoreScheme,        // https is http, where no port is named
  kStripWww,            // www.a.test is a.test, while two labels remain
  kStripSessionIds,     // ;jsessionid=... in the path, PHPSESSID and its like in the query
  kStripTracking,       // utm_*, gclid, ...
  kSortQuery,           // by name, stable: ?u=1&u=2 and ?u=2&u=1 stay two
  kLowercasePath,       // ASCII letters; escapes keep their upper case
  kStripIndex,          // /x/index.html is /x/, where no query follows
  kStripTrailingSlash,  // /x/ is /x; "/" and "/x//" stay
  kHashbang             // the only one that splits: "#!..." belongs to the key
};
inline constexpr std::size_t kKeyRules = 9;

// "ignore-scheme" and so on, in the order of KeyRule.
std::string_view key_rule_name(KeyRule rule);
std::array<std::string_view, kKeyRules> key_rule_names();

// Parameters that do not matter on some hosts.
struct StripParams {
  std::string host;                 // "a.test"; "*.a.test": every host below it; empty: every host
  std::vector<std::string> params;  // names, exact in case; a '*' at the end stands for any rest
};

struct KeyRulesOptions {
  std::vector<std::string> rules;  // names of KeyRule, in any order
  std::vector<StripParams> strip_params;
};

// KeyRules::text() without any rule, and what a state that names none was made with.
inline constexpr std::string_view kNoKeyRules = "rules = []\n";

class KeyRules {
 public:
  KeyRules() = default;  // the always-on rules only

  // kUsage: an unknown rule (with the nearest name), a host or a parameter name that cannot be one.
  static Result<KeyRules> compile(const KeyRulesOptions& options);

  // False: every key is the always-on one.
  bool lossy() const { return rules_ != 0 || !strip_params_.empty(); }
  bool has(KeyRule rule) const { return (rules_ & bit(rule)) != 0; }

  // `url` may be as parsed: its fragment is read by hashbang, its userinfo by nobody.
  void append_key(std::string& out, const Url& url) const {
    if (!lossy()) return frontier::append_key(out, url);
    append_lossy_key(out, url);
  }
  UrlKey key(const Url& url) const;

  // Names of all rules, always-on ones first, that changed this URL's key; "strip-params" for the lists.
  std::vector<std::string_view> applied(const Url& url) const;

  // What a frontier queues for `url`: the wire form and, where hashbang keeps it, the fragment, so that the key
  // can be made again from it. Sets *credentials_dropped (when not null) if there was userinfo.
  Url queue_form(const Url& url, bool* credentials_dropped = nullptr) const;

  // The rules as TOML, one key a line, in one spelling: equal texts make equal keys. What a state remembers.
  const std::string& text() const { return text_; }

 private:
  struct HostParams {
    std::string host;  // "a.test", ".a.test" (every host below), "" (every host)
    ParamNames names;
    bool concerns(std::string_view host_name) const;
  };
  static constexpr unsigned kStripParamsBit = 1U << kKeyRules;
  static constexpr unsigned bit(KeyRule rule) { return 1U << static_cast<unsigned>(rule); }

  Result<void> add_rule(const std::string& name);
  Result<void> add_params(const StripParams& entry);
  void make_text();
  void append_lossy_key(std::string& out, const Url& url) const;
  unsigned write_key(std::string& out, const Url& url) const;  // the bits of the rules that changed it

  class Writer;
  unsigned rules_ = 0;
  std::vector<HostParams> strip_params_;  // sorted by host, each host once
  std::string text_{kNoKeyRules};
};

}  // namespace weir::frontier
