// Groups, agents, rules and matching of robots.txt; the line syntax is robots_line.cc. Contract: robots.h.
//
// Rules and crawl-delay see groups differently, on purpose. For rules, only allow and disallow end a run of
// user-agent lines (RFC 9309 2.2.1 as Google reads it: other records are as if absent). A crawl-delay however
// belongs to the user-agent lines right above it, or "User-agent: a / Crawl-delay: 9 / User-agent: b" would
// slow down b as well.
#include "crawler/robots/robots.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "crawler/html/ascii.h"
#include "crawler/html/charset.h"
#include "crawler/robots/robots_line.h"

namespace weir::crawler {
namespace {

// A larger delay is kept as this: no crawl waits a day between two pages (the politeness cap is far lower).
constexpr double kCrawlDelaySecondsMax = 86'400;
// RFC 9309 leaves sitemaps open; the largest real files name some hundreds.
constexpr std::size_t kSitemapsMax = 1'000;

constexpr char kHexDigits[] = "0123456789ABCDEF";

// Upper-case escapes and, in patterns, bytes above 0x7F escaped: what a URL on the wire looks like. Nothing is
// decoded: "%2F" and "/" are different, and the verdicts of Google's matcher depend on "%62" not being "b".
std::string normalise(std::string_view text, bool escape_high) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '%' && i + 2 < text.size() && is_hex_digit(text[i + 1]) && is_hex_digit(text[i + 2])) {
      out += '%';
      out += kHexDigits[hex_value(text[i + 1])];
      out += kHexDigits[hex_value(text[i + 2])];
      i += 2;
    } else if (escape_high && static_cast<unsigned char>(c) >= 0x80) {
      out += '%';
      out += kHexDigits[static_cast<unsigned char>(c) >> 4];
      out += kHexDigits[static_cast<unsigned char>(c) & 15];
    } else {
      out += c;
    }
  }
  return out;
}

bool needs_normalising(std::string_view target) {
  for (std::size_t at = target.find('%'); at != std::string_view::npos; at = target.find('%', at + 1)) {
    const std::string_view digits = target.substr(at + 1, 2);
    if (std::ranges::any_of(digits, [](char c) { return c >= 'a' && c <= 'f'; })) return true;
  }
  return false;
}

// '*' is any run of bytes, a final '$' is the end. Taking the leftmost place for each piece between stars is
// enough, because what follows a star may start anywhere later; so there is no backtracking.
bool matches(std::string_view pattern, std::string_view target) {
  const bool anchored = !pattern.empty() && pattern.back() == '$';
  if (anchored) pattern.remove_suffix(1);
  std::size_t star = pattern.find('*');
  if (!target.starts_with(pattern.substr(0, star))) return false;
  if (star == std::string_view::npos) return !anchored || target.size() == pattern.size();
  std::size_t at = star;
  while (true) {
    pattern.remove_prefix(star + 1);
    star = pattern.find('*');
    const std::string_view piece = pattern.substr(0, star);
    if (star == std::string_view::npos) {  // the last piece
      if (anchored) return target.size() - at >= piece.size() && target.ends_with(piece);
      return target.find(piece, at) != std::string_view::npos;
    }
    at = target.find(piece, at);
    if (at == std::string_view::npos) return false;
    at += piece.size();
  }
}

bool is_global(std::string_view agent_value) {
  if (!agent_value.starts_with('*')) return false;
  return agent_value.size() == 1 || is_ascii_space(agent_value[1]);
}

// A product token has letters, '-' and '_' only (RFC 9309 2.2.1); what follows is cut: "FooBot/1.2" is FooBot.
bool names_agent(std::string_view agent_value, std::string_view agent) {
  const auto end =
      std::ranges::find_if_not(agent_value, [](char c) { return is_ascii_alpha(c) || c == '-' || c == '_'; });
  const auto size = static_cast<std::size_t>(end - agent_value.begin());
  return size > 0 && ascii_equal_ignore_case(agent_value.substr(0, size), agent);
}

// Seconds, perhaps with a fraction. Something after the number is let pass only where it cannot be a unit:
// after white space, or the '<' of a file that was written as HTML.
std::optional<Duration> parse_delay(std::string_view value) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (error != std::errc() || !std::isfinite(seconds) || seconds < 0) return std::nullopt;
  const std::string_view rest(end, value.data() + value.size());
  if (!rest.empty() && rest.front() != '<' && !is_ascii_space(rest.front())) return std::nullopt;
  const double capped = std::min(seconds, kCrawlDelaySecondsMax);
  return Duration(static_cast<Duration::rep>(capped * 1e6));
}

// Which agents a run of user-agent lines names, of the two kinds that matter to us.
struct AgentRun {
  bool ours = false;
  bool global = false;
  bool closed = false;  // the next user-agent line starts a new run

  void add(bool names_us, bool names_all) {
    if (closed) *this = {};
    ours = ours || names_us;
    global = global || names_all;
  }
};

}  // namespace

// Collects both candidates, our group and the global one, and chooses at the end: ours may come last, and may
// be empty, which allows everything.
class RobotsRules::Builder {
 public:
  explicit Builder(std::string_view agent) : agent_(agent) {}

  void add(const RobotsLine& line) {
    switch (line.directive) {
      case RobotsDirective::kUserAgent: return add_agent(line.value);
      case RobotsDirective::kAllow:
      case RobotsDirective::kDisallow: return add_rule(line);
      case RobotsDirective::kCrawlDelay: return add_delay(line.value);
      case RobotsDirective::kSitemap: return add_sitemap(line.value);
      case RobotsDirective::kUnknown: return;
    }
  }

  RobotsRules build() && {
    RobotsRules out;
    out.rules_ = std::move(ours_seen_ ? ours_.rules : global_.rules);
    out.crawl_delay_ = (ours_seen_ ? ours_.delay : global_.delay).value_or(Duration{0});
    out.sitemaps_ = std::move(sitemaps_);
    return out;
  }

 private:
  struct Group {
    std::vector<Rule> rules;
    std::optional<Duration> delay;
  };

  void add_agent(std::string_view value) {
    const bool ours = names_agent(value, agent_);
    ours_seen_ = ours_seen_ || ours;
    for (AgentRun* run : {&rule_run_, &delay_run_}) run->add(ours, is_global(value));
  }

  void add_rule(const RobotsLine& line) {
    delay_run_.closed = true;
    if (!rule_run_.ours && !rule_run_.global) return;
    rule_run_.closed = true;
    if (line.value.empty()) return;  // says nothing (RFC 9309 2.2.2)
    std::vector<Rule>& rules = (rule_run_.ours ? ours_ : global_).rules;
    const bool allow = line.directive == RobotsDirective::kAllow;
    std::string pattern = normalise(line.value, true);
    if (allow) add_directory_of_index(rules, pattern, line);
    rules.push_back({std::move(pattern), line.number, allow, std::string(line.text)});
  }

  // "Allow: /a/index.html" opens "/a/" too: one page under two names.
  static void add_directory_of_index(std::vector<Rule>& rules, std::string_view pattern,
                                     const RobotsLine& line) {
    const std::size_t slash = pattern.rfind('/');
    if (slash == std::string_view::npos || !pattern.substr(slash).starts_with("/index.htm")) return;
    rules.push_back(
        {std::string(pattern.substr(0, slash + 1)) + '$', line.number, true, std::string(line.text)});
  }

  void add_delay(std::string_view value) {
    delay_run_.closed = true;
    const std::optional<Duration> delay = parse_delay(value);
    if (!delay) return;
    if (delay_run_.ours && !ours_.delay) ours_.delay = delay;
    if (delay_run_.global && !global_.delay) global_.delay = delay;
  }

  void add_sitemap(std::string_view value) {
    if (value.empty() || sitemaps_.size() >= kSitemapsMax) return;
    if (std::ranges::find(sitemaps_, value) == sitemaps_.end()) sitemaps_.emplace_back(value);
  }

  std::string_view agent_;
  AgentRun rule_run_;
  AgentRun delay_run_;
  bool ours_seen_ = false;
  Group ours_;
  Group global_;
  std::vector<std::string> sitemaps_;
};

RobotsRules RobotsRules::parse(std::string_view body, std::string_view agent) {
  // A UTF-16 file can only be read as one; taking it for bytes would find no rule and allow everything.
  std::string transcoded;
  if (body.starts_with("\xFF\xFE") || body.starts_with("\xFE\xFF")) {
    transcoded = decode_text(body, {}).utf8;
    body = transcoded;
  }
  Builder builder(agent);
  RobotsLines lines(body);
  for (RobotsLine line; lines.next(line);) builder.add(line);
  return std::move(builder).build();
}

RobotsVerdict RobotsRules::judge(std::string_view target) const {
  if (target.empty()) target = "/";
  std::string normalised;
  if (needs_normalising(target)) {
    normalised = normalise(target, false);
    target = normalised;
  }
  const Rule* best = nullptr;
  for (const Rule& rule : rules_) {
    // The longest pattern decides; of two equally long ones, allow (RFC 9309 2.2.2).
    if (best != nullptr) {
      if (rule.pattern.size() < best->pattern.size()) continue;
      if (rule.pattern.size() == best->pattern.size() && (best->allow || !rule.allow)) continue;
    }
    if (matches(rule.pattern, target)) best = &rule;
  }
  if (best == nullptr) return {};
  return {best->allow, best->line, best->text};
}

}  // namespace weir::crawler
