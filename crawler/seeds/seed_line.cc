// From the end of the line to its start: comment, attributes, URL.
#include "crawler/seeds/seed_line.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace weir::crawler {
namespace {

using frontier::Priority;

constexpr std::string_view kSpace = " \t";
constexpr std::string_view kAttributes[] = {"depth=", "priority=", "tag="};

std::unexpected<std::string> wrong(std::string message) { return std::unexpected(std::move(message)); }

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\f\v"), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(" \t\r\f\v") + 1);
}

std::string_view without_comment(std::string_view line) {
  for (std::size_t at = line.find('#'); at != std::string_view::npos; at = line.find('#', at + 1)) {
    if (at == 0 || kSpace.find(line[at - 1]) != std::string_view::npos) return line.substr(0, at);
  }
  return line;
}

bool is_attribute(std::string_view word) {
  return std::ranges::any_of(kAttributes, [&](std::string_view name) { return word.starts_with(name); });
}

using Applied = std::expected<void, std::string>;

Applied apply_depth(std::string_view value, Seed& seed) {
  std::uint16_t depth = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), depth);
  if (error != std::errc() || end != value.data() + value.size() || value.empty() ||
      depth == frontier::kNoDepthLimit) {
    return wrong(fmt::format("depth must be 0 to 65534, not '{}'", value));
  }
  seed.depth_limit = depth;
  return {};
}

Applied apply_priority(std::string_view value, Seed& seed) {
  constexpr std::pair<std::string_view, Priority> kNames[] = {{"urgent", Priority::kUrgent},
                                                              {"high", Priority::kHigh},
                                                              {"normal", Priority::kNormal},
                                                              {"low", Priority::kLow}};
  for (const auto& [name, priority] : kNames) {
    if (name != value) continue;
    seed.priority = priority;
    return {};
  }
  return wrong(fmt::format("priority must be urgent, high, normal or low, not '{}'", value));
}

Applied apply_tag(std::string_view value, Seed& seed) {
  const bool printable =
      std::ranges::all_of(value, [](char c) { return static_cast<unsigned char>(c) >= 0x20; });
  if (!printable || value.empty() || value.size() > kTagBytesMax) {
    return wrong(fmt::format("tag must be 1 to {} bytes without control characters", kTagBytesMax));
  }
  seed.tag = value;
  return {};
}

Applied apply_attribute(std::string_view text, Seed& seed) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const std::string_view value = equals == std::string_view::npos ? "" : text.substr(equals + 1);
  if (name == "depth") return apply_depth(value, seed);
  if (name == "priority") return apply_priority(value, seed);
  if (name == "tag") return apply_tag(value, seed);
  return wrong(fmt::format("unknown attribute '{}'; there are depth=, priority= and tag=", text));
}

struct Parts {
  std::string_view url;
  std::string_view fields;  // after the first tab
};

// Takes known attributes, separated by spaces, off the end of `text`.
Applied peel_attributes(std::string_view& text, Seed& seed) {
  while (true) {
    const std::size_t space = text.find_last_of(kSpace);
    if (space == std::string_view::npos || !is_attribute(text.substr(space + 1))) return {};
    if (auto applied = apply_attribute(text.substr(space + 1), seed); !applied) return applied;
    text = trimmed(text.substr(0, space));
  }
}

Applied apply_fields(std::string_view fields, Seed& seed) {
  while (!fields.empty()) {
    const std::size_t end = std::min(fields.find('\t'), fields.size());
    std::string_view field = trimmed(fields.substr(0, end));
    fields.remove_prefix(std::min(end + 1, fields.size()));
    if (field.empty()) continue;
    if (!field.starts_with("tag=")) {  // a tag may contain spaces
      if (auto peeled = peel_attributes(field, seed); !peeled) return peeled;
    }
    if (auto applied = apply_attribute(field, seed); !applied) return applied;
  }
  return {};
}

bool is_scheme_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '-';
}

// "example.org:8080/x" begins like a scheme and is none: hosts have a dot, or a port follows.
std::expected<std::string, std::string> with_scheme(std::string_view text) {
  if (text.starts_with("//")) return "http:" + std::string(text);
  if (text.starts_with('/')) return wrong("is a path, not a URL: write the host before it");
  const std::size_t end = text.find_first_of(":/?#");
  if (end == std::string_view::npos || text[end] != ':') return "http://" + std::string(text);
  const std::string_view head = text.substr(0, end);
  const std::string_view rest = text.substr(end + 1);
  if (rest.starts_with("//")) return std::string(text);
  const bool scheme = !head.empty() && std::ranges::all_of(head, is_scheme_letter);
  const bool port = !rest.empty() && rest[0] >= '0' && rest[0] <= '9';
  return scheme && !port ? std::string(text) : "http://" + std::string(text);
}

}  // namespace

std::expected<std::optional<Seed>, std::string> parse_seed_line(std::string_view line) {
  line = trimmed(without_comment(line));
  if (line.empty()) return std::nullopt;
  if (line.find('\0') != std::string_view::npos) return wrong("has a NUL byte: is this a text file?");
  const std::size_t tab = std::min(line.find('\t'), line.size());
  std::string_view text = trimmed(line.substr(0, tab));

  const auto placeholder = frontier::parse_url("http://localhost/");
  Seed seed{*placeholder, frontier::kNoDepthLimit, Priority::kNormal, {}, false};
  if (auto peeled = peel_attributes(text, seed); !peeled) return wrong(peeled.error());
  if (auto applied = apply_fields(line.substr(tab), seed); !applied) return wrong(applied.error());
  const auto written = with_scheme(text);
  if (!written) return wrong(fmt::format("'{}' {}", text, written.error()));
  const auto url = frontier::parse_url(*written);
  if (!url) return wrong(fmt::format("'{}' is no URL: {}", text, describe(url.error())));
  if (!url->is_http()) return wrong(fmt::format("'{}': only http and https are crawled", text));
  // The only fragment that may matter (the key rule hashbang).
  seed.url = url->fragment().starts_with('!') ? frontier::without_credentials(*url, &seed.credentials_dropped)
                                              : frontier::wire_form(*url, &seed.credentials_dropped);
  return seed;
}

}  // namespace weir::crawler
