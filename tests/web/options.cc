// The command line of weir-testweb: one table of flags, each with the member it fills. No library, because the
// synthetic web must not lean on what it tests.
#include "tests/web/options.h"

#include <fmt/core.h>

#include <charconv>

namespace weir::testweb {
namespace {

using Setter = bool (*)(WebOptions&, std::string_view);

struct Flag {
  std::string_view name;
  Setter set;
};

struct FeatureName {
  std::string_view name;
  bool Features::* member;
};

constexpr FeatureName kFeatureNames[] = {
    {"redirects", &Features::redirects}, {"errors", &Features::errors},
    {"flaky", &Features::flaky},         {"slow", &Features::slow},
    {"robots", &Features::robots},       {"sessions", &Features::sessions},
    {"calendar", &Features::calendar},   {"open-traps", &Features::open_traps},
    {"aliases", &Features::aliases},     {"encodings", &Features::encodings},
    {"decoys", &Features::decoys},       {"robots-down", &Features::robots_down},
};

template <typename Number>
bool read_number(std::string_view text, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

bool read_milliseconds(std::string_view text, Duration& out) {
  std::uint32_t milliseconds = 0;
  if (!read_number(text, milliseconds)) return false;
  out = std::chrono::milliseconds(milliseconds);
  return true;
}

bool read_addresses(WebOptions& options, std::string_view text) {
  options.address_per_host = text == "many";
  return text == "many" || text == "one";
}

bool read_features(WebOptions& options, std::string_view text) {
  auto features = parse_features(text);
  if (!features) return false;
  options.features = *features;
  return true;
}

bool read_text(std::string& out, std::string_view text) {
  out = text;
  return !text.empty();
}

constexpr Flag kFlags[] = {
    {"--seed", [](WebOptions& o, std::string_view t) { return read_number(t, o.seed); }},
    {"--hosts", [](WebOptions& o, std::string_view t) { return read_number(t, o.hosts) && o.hosts > 0; }},
    {"--pages", [](WebOptions& o, std::string_view t) { return read_number(t, o.pages); }},
    {"--links", [](WebOptions& o, std::string_view t) { return read_number(t, o.links) && o.links >= 0; }},
    {"--body-bytes", [](WebOptions& o, std::string_view t) { return read_number(t, o.body_bytes); }},
    {"--features", read_features},
    {"--slow-ms", [](WebOptions& o, std::string_view t) { return read_milliseconds(t, o.slow_delay); }},
    {"--bind", [](WebOptions& o, std::string_view t) { return read_text(o.bind, t); }},
    {"--port", [](WebOptions& o, std::string_view t) { return read_number(t, o.port); }},
    {"--addresses", read_addresses},
    {"--names", [](WebOptions& o, std::string_view t) { return read_text(o.names_file, t); }},
    {"--report", [](WebOptions& o, std::string_view t) { return read_text(o.report_file, t); }},
    {"--log", [](WebOptions& o, std::string_view t) { return read_text(o.log_file, t); }},
    {"--polite-ms", [](WebOptions& o, std::string_view t) { return read_milliseconds(t, o.polite_gap); }},
    {"--measure", [](WebOptions& o, std::string_view t) { return read_number(t, o.measure_seconds); }},
};

const Flag* find_flag(std::string_view name) {
  for (const Flag& flag : kFlags) {
    if (flag.name == name) return &flag;
  }
  return nullptr;
}

Result<void> set_feature(Features& features, std::string_view word) {
  for (const FeatureName& feature : kFeatureNames) {
    if (feature.name != word) continue;
    features.*feature.member = true;
    return {};
  }
  std::string known;
  for (const FeatureName& feature : kFeatureNames) known.append(" ").append(feature.name);
  return fail(ErrorCode::kUsage, fmt::format("feature '{}' is not known; there are:{}", word, known));
}

}  // namespace

Result<Features> parse_features(std::string_view list) {
  Features features;
  if (list == "none") return features;
  while (!list.empty()) {
    const auto comma = list.find(',');
    const std::string_view word = list.substr(0, comma);
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
    if (auto set = set_feature(features, word); !set) return std::unexpected(set.error());
  }
  return features;
}

Result<WebOptions> parse_options(std::span<const std::string_view> arguments) {
  WebOptions options;
  options.features = *parse_features(kDefaultFeatures);
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    const Flag* flag = find_flag(arguments[i]);
    if (flag == nullptr) return fail(ErrorCode::kUsage, fmt::format("flag '{}' is not known", arguments[i]));
    if (i + 1 == arguments.size())
      return fail(ErrorCode::kUsage, fmt::format("{} wants a value", arguments[i]));
    if (!flag->set(options, arguments[i + 1])) {
      return fail(ErrorCode::kUsage, fmt::format("{} does not take '{}'", arguments[i], arguments[i + 1]));
    }
  }
  // A late first byte would measure itself, not the server.
  if (options.measure_seconds > 0) options.features.slow = false;
  if (options.pages < options.hosts) {
    return fail(ErrorCode::kUsage,
                fmt::format("--pages {} is less than --hosts {}: every host has a first page", options.pages,
                            options.hosts));
  }
  return options;
}

std::string_view usage() {
  return "usage: weir-testweb [flag value]...\n"
         "  --seed N          the web is a pure function of it (1)\n"
         "  --hosts N         h0.test, h1.test, ... (50)\n"
         "  --pages N         in all; hosts have Zipf-distributed shares (2000)\n"
         "  --links X         mean number of chance links a page (20)\n"
         "  --body-bytes N    mean filler text of a page (2000)\n"
         "  --features LIST   comma-separated: redirects errors flaky slow robots sessions calendar aliases\n"
         "                    encodings decoys open-traps robots-down; or none (all but the last two)\n"
         "  --slow-ms N       first byte of slow hosts (200)\n"
         "  --bind ADDRESS    (127.0.0.1; 0.0.0.0 with --addresses many; only loopback peers are answered)\n"
         "  --port P          0: a free one, printed (0)\n"
         "  --addresses X     one: all names on the bound address; many: each host its own 127.x.y.z (one)\n"
         "  --names FILE      write the names as weir's [dns] section\n"
         "  --report FILE     write what was missed, doubled, impolite... at the end as JSON; - is stdout\n"
         "  --log FILE        a line per request: microseconds, host, target, status, connection\n"
         "  --polite-ms N     gaps of a host shorter than this are counted as impolite (0)\n"
         "  --measure S       load ourselves for S seconds, print pages per second, end\n"
         "control, on Host 127.0.0.1 or localhost: GET /__report, /__reset, /__wait?requests=N\n";
}

}  // namespace weir::testweb
