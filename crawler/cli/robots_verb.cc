// The verdicts are those of the crawler's own matcher.
#include "crawler/cli/robots_verb.h"

#include <fmt/core.h>

#include <optional>

#include "base/limits.h"
#include "crawler/cli/input.h"
#include "crawler/output/json.h"
#include "crawler/robots/robots.h"
#include "frontier/url/url.h"

namespace weir::crawler {
namespace {

// Path and query as on the wire.
std::optional<std::string> target_of(std::string_view text, Streams& streams) {
  const auto origin = frontier::parse_url("http://localhost/");
  const auto url =
      frontier::parse_url(text, text.starts_with('/') && !text.starts_with("//") ? &*origin : nullptr);
  if (!url) {
    streams.problem(fmt::format("'{}' is no URL: {}", text, describe(url.error())));
    return std::nullopt;
  }
  std::string target(url->path());
  if (url->has_query()) target.append("?").append(url->query());
  return target;
}

std::string verdict_as_json(std::string_view url, const RobotsVerdict& verdict) {
  std::string text;
  JsonObject object(text);
  object.text("url", url).boolean("allowed", verdict.allowed);
  if (verdict.line == 0) {
    object.null("line").null("rule");
  } else {
    object.number("line", verdict.line).text("rule", verdict.text);
  }
  object.close();
  return text;
}

// Control characters of the file must not steer the terminal.
std::string printable(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return text.find('"') == std::string_view::npos && text.find('\\') == std::string_view::npos
             ? out.substr(1, out.size() - 2)
             : out;
}

}  // namespace

ExitCode run_robots_check(const Arguments& arguments, Streams& streams) {
  const auto body = read_input(arguments.file, limits::kRobotsBytesMax);
  if (!body) {
    streams.problem(body.error().message());
    return exit_code(body.error().code());
  }
  const RobotsRules rules = RobotsRules::parse(*body, arguments.agent);
  ExitCode code = ExitCode::kDone;
  for (const std::string& url : arguments.urls) {
    const auto target = target_of(url, streams);
    if (!target) {
      code = ExitCode::kUsage;
      continue;
    }
    const RobotsVerdict verdict = rules.judge(*target);
    if (arguments.json) {
      streams.out_line(verdict_as_json(url, verdict));
      continue;
    }
    streams.out_line(
        fmt::format("{} {}\t{}", verdict.allowed ? "allow" : "disallow", url, printable(verdict.text)));
  }
  return code;
}

}  // namespace weir::crawler
