// Answers come in the order of the questions, one line each, so that they can be pasted beside them.
#include "crawler/cli/url_verb.h"

#include <fmt/core.h>

#include <functional>
#include <optional>

#include "crawler/output/json.h"
#include "crawler/seeds/line_source.h"
#include "frontier/url/url.h"
#include "frontier/url/url_key.h"

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
    auto lines = LineSource::open("-");
    while (lines) {
      const auto event = lines->next();
      if (!event) lines = std::unexpected(event.error());
      if (!event || *event == LineEvent::kEnd) break;
      all_valid = answer(lines->text()) && all_valid;
    }
    if (!lines) {
      streams.problem(lines.error().message());
      return exit_code(lines.error().code());
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

}  // namespace

ExitCode run_url_key(const Arguments& arguments, Streams& streams) {
  return answer_each(arguments, streams, [&](std::string_view text) {
    const auto url = frontier::parse_url(text);
    if (!url) return say_invalid(text, url.error(), arguments.json, streams);
    const frontier::UrlKey key = canonical_key(*url);
    if (!arguments.json) {
      streams.out_line(key.text());
      return true;
    }
    std::string line;
    JsonObject object(line);
    object.text("input", text).text("key", key.text()).raw("rules", names(key_rules_applied(*url))).close();
    streams.out_line(line);
    return true;
  });
}

ExitCode run_url_parse(const Arguments& arguments, Streams& streams) {
  std::optional<Url> base;
  if (!arguments.base.empty()) {
    const auto parsed = frontier::parse_url(arguments.base);
    if (!parsed) {
      streams.problem(fmt::format("--base '{}' is no URL: {}", arguments.base, describe(parsed.error())));
      return ExitCode::kUsage;
    }
    base = *parsed;
  }
  return answer_each(arguments, streams, [&](std::string_view text) {
    const auto url = frontier::parse_url(text, base ? &*base : nullptr);
    if (!url) return say_invalid(text, url.error(), arguments.json, streams);
    streams.out_line(components(text, *url));
    return true;
  });
}

ExitCode run_url_same(const Arguments& arguments, Streams& streams) {
  std::vector<Url> urls;
  for (const std::string& text : arguments.urls) {
    const auto url = frontier::parse_url(text);
    if (!url) {
      streams.problem(fmt::format("'{}' is no URL: {}", text, describe(url.error())));
      return ExitCode::kUsage;
    }
    urls.push_back(*url);
  }
  const frontier::UrlKey first = canonical_key(urls[0]);
  const frontier::UrlKey second = canonical_key(urls[1]);
  const bool same = first == second;
  if (arguments.json) {
    std::string line;
    JsonObject object(line);
    object.boolean("same", same).text("key_a", first.text()).text("key_b", second.text());
    object.raw("rules_a", names(key_rules_applied(urls[0]))).raw("rules_b", names(key_rules_applied(urls[1])));
    object.close();
    streams.out_line(line);
  } else {
    streams.out_line(same ? "same" : "different");
    for (const Url& url : urls) {
      if (!arguments.why) break;
      streams.out_line(fmt::format("{}  {}", canonical_key(url).text(), names(key_rules_applied(url))));
    }
  }
  return same ? ExitCode::kDone : ExitCode::kRuntime;
}

}  // namespace weir::crawler
