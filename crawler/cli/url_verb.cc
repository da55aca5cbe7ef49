// Answers come in the order of the questions, one line each, so that they can be pasted beside them.
#include "crawler/cli/url_verb.h"

#include <fmt/core.h>

#include <functional>
#include <optional>

#include "crawler/cli/input.h"
#include "crawler/cli/url_why.h"
#include "crawler/config/options.h"
#include "crawler/output/json.h"
#include "frontier/url/url.h"

namespace weir::crawler {
namespace {

using frontier::Url;

using Answer = std::function<bool(std::string_view text)>;  // false: the URL was invalid

// Every URL of the command line; "-" stands for the lines of standard input.
ExitCode answer_each(const Arguments& arguments, Streams& streams, const Answer& answer) {
  bool all_valid = true;
  for (const std::string& url : arguments.urls) {
    if (url != "-") {
      all_valid = answer(url) && all_valid;
      continue;
    }
    const auto read = for_each_line("-", [&](std::string_view line) { all_valid = answer(line) && all_valid; });
    if (!read) {
      streams.problem(read.error().message());
      return exit_code(read.error().code());
    }
  }
  return all_valid ? ExitCode::kDone : ExitCode::kRuntime;
}

bool say_invalid(std::string_view text, frontier::UrlError error, bool json, Streams& streams) {
  if (!json) {
    streams.out_line(fmt::format("invalid: {}", describe(error)));
    return false;
  }
  std::string line;
  JsonObject object(line);
  object.text("input", text).text("invalid", describe(error)).close();
  streams.out_line(line);
  return false;
}

std::string names(const std::vector<std::string_view>& rules) {
  std::string text = "[";
  for (const std::string_view rule : rules) {
    if (text.size() > 1) text += ',';
    append_json_string(text, rule);
  }
  return text + "]";
}

std::string components(std::string_view input, const Url& url) {
  std::string text;
  JsonObject object(text);
  object.text("input", input).text("href", url.href()).text("scheme", url.scheme());
  object.text("username", url.username()).text("password", url.password());
  object.text("hostname", url.hostname());
  if (url.port()) {
    object.number("port", *url.port());
  } else {
    object.null("port");
  }
  object.text("path", url.path());
  if (url.has_query()) {
    object.text("query", url.query());
  } else {
    object.null("query");
  }
  if (url.has_fragment()) {
    object.text("fragment", url.fragment());
  } else {
    object.null("fragment");
  }
  object.close();
  return text;
}

std::string as_json(const UrlComparison& comparison) {
  std::string line;
  JsonObject object(line);
  object.boolean("same", comparison.same).text("key_a", comparison.key_a).text("key_b", comparison.key_b);
  object.raw("rules_a", names(comparison.rules_a)).raw("rules_b", names(comparison.rules_b));
  if (!comparison.same) {
    object.text("differs", comparison.differs).boolean("split_by_hashbang", comparison.split_by_hashbang);
    object.raw("merged_by_each", names(comparison.alone)).raw("merged_by_all", names(comparison.together));
  }
  object.close();
  return line;
}

void say(const UrlComparison& comparison, bool why, Streams& streams) {
  streams.out_line(comparison.same ? "same" : "different");
  if (!why) return;
  streams.out_line(fmt::format("{}  {}", comparison.key_a, names(comparison.rules_a)));
  streams.out_line(fmt::format("{}  {}", comparison.key_b, names(comparison.rules_b)));
  for (const std::string& line : describe_comparison(comparison)) streams.out_line(line);
}

}  // namespace

ExitCode run_url_key(const Arguments& arguments, const Config& config, Streams& streams) {
  const frontier::KeyRules rules = key_rules(config);
  return answer_each(arguments, streams, [&](std::string_view text) {
    const auto url = frontier::parse_url(text);
    if (!url) return say_invalid(text, url.error(), arguments.json, streams);
    const frontier::UrlKey key = rules.key(*url);
    if (!arguments.json) {
      streams.out_line(key.text());
      return true;
    }
    std::string line;
    JsonObject object(line);
    object.text("input", text).text("key", key.text()).raw("rules", names(rules.applied(*url))).close();
    streams.out_line(line);
    return true;
  });
}

ExitCode run_url_parse(const Arguments& arguments, Streams& streams) {
  const auto given = read_base(arguments.base);
  if (!given) {
    streams.problem(given.error().message());
    return exit_code(given.error().code());
  }
  const std::optional<frontier::Url>& base = *given;
  return answer_each(arguments, streams, [&](std::string_view text) {
    const auto url = frontier::parse_url(text, base ? &*base : nullptr);
    if (!url) return say_invalid(text, url.error(), arguments.json, streams);
    streams.out_line(components(text, *url));
    return true;
  });
}

ExitCode run_url_same(const Arguments& arguments, const Config& config, Streams& streams) {
  std::vector<Url> urls;
  for (const std::string& text : arguments.urls) {
    const auto url = frontier::parse_url(text);
    if (!url) {
      streams.problem(fmt::format("'{}' is no URL: {}", text, describe(url.error())));
      return ExitCode::kUsage;
    }
    urls.push_back(*url);
  }
  const UrlComparison comparison = compare_urls(urls[0], urls[1], key_rules_options(config));
  if (arguments.json) {
    streams.out_line(as_json(comparison));
  } else {
    say(comparison, arguments.why, streams);
  }
  return comparison.same ? ExitCode::kDone : ExitCode::kRuntime;
}

}  // namespace weir::crawler
