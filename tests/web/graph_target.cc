// How nodes are spelled in a request, both ways. Parsing guesses the node from the numbers it finds and accepts
// it only if spelling it again gives the same text: so no URL outside the grammar is taken for one inside.
#include <fmt/core.h>

#include <charconv>

#include "tests/web/dice.h"
#include "tests/web/graph.h"

namespace weir::testweb {
namespace {

constexpr std::uint64_t kFormSalt = 100;
constexpr std::uint64_t kSections = 13;
constexpr std::uint64_t kSubsections = 5;
constexpr std::string_view kHostPrefix = "h";
constexpr std::string_view kHostSuffix = ".test";

struct Spelling {
  Kind kind;
  std::string_view before;
  std::string_view after;
};

// `before` NUMBER `after`. Longer beginnings stand first.
constexpr Spelling kSpellings[] = {
    {Kind::kExit, "/out/", ""},
    {Kind::kMissing, "/gone/", ".html"},
    {Kind::kBroken, "/broken/", ""},
    {Kind::kOpen, "/private/open-", ".html"},
    {Kind::kPrivate, "/private/", ".html"},
    {Kind::kSecretPage, "/docs/", ".secret.html"},
    {Kind::kSecret, "/docs/", ".secret"},
};

// Reads a number at the beginning of `text` and drops it from there.
std::optional<std::uint64_t> take_number(std::string_view& text, int base = 10) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::optional<std::uint64_t> number_after(std::string_view text, std::string_view mark) {
  const auto found = text.rfind(mark);
  if (found == std::string_view::npos) return std::nullopt;
  text.remove_prefix(found + mark.size());
  return take_number(text);
}

bool unreserved(unsigned char byte) {
  const unsigned char lower = byte | 0x20U;
  return (lower >= 'a' && lower <= 'z') || (byte >= '0' && byte <= '9') || byte == '-' || byte == '.' ||
         byte == '_' || byte == '~';
}

// RFC 3986 6.2.2.2: an escape of an unreserved character means the character.
std::string decode_unreserved(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    if (text[i] == '%' && i + 3 <= text.size()) {
      const char* digits = text.data() + i + 1;
      if (std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2 &&
          unreserved(static_cast<unsigned char>(byte))) {
        out.push_back(static_cast<char>(byte));
        i += 2;
        continue;
      }
    }
    out.push_back(text[i]);
  }
  return out;
}

std::optional<Node> guess_special(std::uint32_t host, std::string_view text) {
  for (const Spelling& spelling : kSpellings) {
    if (!text.starts_with(spelling.before) || !text.ends_with(spelling.after)) continue;
    std::string_view rest = text.substr(spelling.before.size());
    if (const auto index = take_number(rest)) return Node{spelling.kind, 0, host, *index};
  }
  return std::nullopt;
}

std::optional<Node> guess_hop(std::uint32_t host, std::string_view text) {
  text.remove_prefix(std::string_view("/go/").size());
  const auto hops = take_number(text);
  if (!hops || *hops > 255 || !text.starts_with('/')) return std::nullopt;
  text.remove_prefix(1);
  const auto index = take_number(text);
  if (!index) return std::nullopt;
  return Node{Kind::kHop, static_cast<std::uint8_t>(*hops), host, *index};
}

std::optional<Node> guess_trap(std::uint32_t host, std::string_view text) {
  const bool query = text.find('?') != std::string_view::npos;
  const auto mark = text.find("sid=");
  if (mark == std::string_view::npos) return std::nullopt;
  text.remove_prefix(mark + 4);
  const auto session = take_number(text, 16);
  if (!session) return std::nullopt;
  return Node{Kind::kSession, static_cast<std::uint8_t>(query ? 1 : 0), host, *session};
}

std::optional<Node> guess_month(std::uint32_t host, std::string_view text) {
  text.remove_prefix(std::string_view("/calendar/").size());
  const auto year = take_number(text);
  if (!year || *year > 9999 || !text.starts_with('/')) return std::nullopt;
  text.remove_prefix(1);
  const auto month = take_number(text);
  if (!month || *month < 1 || *month > 12) return std::nullopt;
  return Node{Kind::kCalendar, 0, host, *year * 12 + *month - 1};
}

std::optional<Node> guess(std::uint32_t host, std::string_view text) {
  if (text == "/") return Node{.host = host};
  if (text.starts_with("/go/")) return guess_hop(host, text);
  if (text.starts_with("/loop/")) return Node{Kind::kLoop, 0, host, text.ends_with('b') ? 1U : 0U};
  if (text.starts_with("/trap/")) return guess_trap(host, text);
  if (text.starts_with("/calendar/")) return guess_month(host, text);
  if (const auto special = guess_special(host, text)) return special;
  auto index = number_after(text, "?id=");
  if (!index) index = number_after(text, "/p");
  if (!index) return std::nullopt;
  return Node{.host = host, .index = *index};
}

}  // namespace

std::string Graph::page_target(const Node& page) const {
  const std::uint64_t index = page.index;
  if (index == 0) return "/";
  const std::uint64_t section = index % kSections;
  switch (chance(page.host, index, kFormSalt) % 8) {
    case 0: return fmt::format("/~u{}/p{}.html", section, index);
    case 1: return fmt::format("/s{}/p{}/", section, index);
    case 2: return fmt::format("/s{}/list?id={}&view=full", section, index);
    case 3:
    case 4: return fmt::format("/s{}/d{}/p{}.html", section, index % kSubsections, index);
    default: return fmt::format("/s{}/p{}.html", section, index);
  }
}

std::string Graph::target(const Node& node) const {
  switch (node.kind) {
    case Kind::kPage: return page_target(node);
    case Kind::kHop: return fmt::format("/go/{}/{}", node.hops, node.index);
    case Kind::kLoop: return node.index == 0 ? "/loop/a" : "/loop/b";
    case Kind::kSession: return fmt::format("/trap/s{}sid={:016x}", node.hops == 0 ? ';' : '?', node.index);
    case Kind::kCalendar: return fmt::format("/calendar/{}/{}", node.index / 12, node.index % 12 + 1);
    case Kind::kExit:
    case Kind::kMissing:
    case Kind::kBroken:
    case Kind::kPrivate:
    case Kind::kOpen:
    case Kind::kSecret:
    case Kind::kSecretPage: break;
  }
  for (const Spelling& spelling : kSpellings) {
    if (spelling.kind == node.kind) return fmt::format("{}{}{}", spelling.before, node.index, spelling.after);
  }
  return {};
}

std::optional<Node> Graph::parse(std::uint32_t host, std::string_view text) const {
  const std::string plain = decode_unreserved(text);
  const auto node = guess(host, plain);
  if (!node || !exists(*node) || target(*node) != plain) return std::nullopt;
  return node;
}

std::string Graph::robots_text(std::uint32_t host) const {
  std::string text =
      fmt::format("# the rules of {}\nUser-agent: somebody-else\nDisallow: /\n\n", host_name(host));
  text += "User-agent: *\nDisallow: /private/\nAllow: /private/open-\nDisallow: /*.secret$\n";
  if (!features_.open_traps) text += "Disallow: /trap/\nDisallow: /calendar/\n";
  return text;
}

std::string host_name(std::uint32_t host) { return fmt::format("{}{}{}", kHostPrefix, host, kHostSuffix); }

std::optional<std::uint32_t> parse_host_name(std::string_view name, std::uint32_t hosts) {
  if (!name.starts_with(kHostPrefix) || !name.ends_with(kHostSuffix)) return std::nullopt;
  std::string_view digits = name.substr(kHostPrefix.size());
  const auto host = take_number(digits);
  if (!host || *host >= hosts || host_name(static_cast<std::uint32_t>(*host)) != name) return std::nullopt;
  return static_cast<std::uint32_t>(*host);
}

}  // namespace weir::testweb
