// Both verbs judge a URL as a link on a page of the crawl would be judged.
#include "crawler/cli/scope_verb.h"

#include <fmt/core.h>

#include <array>
#include <map>
#include <string>
#include <utility>

#include "crawler/cli/config_verb.h"
#include "crawler/cli/input.h"
#include "crawler/cli/seed_scope.h"
#include "crawler/output/json.h"
#include "crawler/seeds/seed_feed.h"
#include "frontier/scope/scope.h"
#include "frontier/url/url.h"

namespace weir::crawler {
namespace {

using frontier::Scope;
using frontier::ScopePlace;
using frontier::Url;

struct Judgement {
  bool in = false;
  std::string rule;
  std::string url;  // as it would be sent; as written when it is no URL
};

Judgement judge(const Scope& scope, std::string_view text, std::uint32_t depth) {
  const auto parsed = frontier::parse_url(text);
  if (!parsed) return {false, fmt::format("no URL: {}", describe(parsed.error())), std::string(text)};
  const Url url = frontier::wire_form(*parsed);
  const auto verdict = scope.judge(url, ScopePlace{.depth = depth, .hops = 1});
  return {verdict.in_scope(), scope.describe(verdict, url), std::string(url.href())};
}

// The scope as a crawl with this config would have it.
Result<Scope> scope_of(const Config& config, std::string_view name, Streams& streams) {
  SeedScope scope(config);
  if (scope.asks_seeds()) {
    SeedReport report;
    const SeedSources sources{config.crawl.seeds, config.crawl.seed_files, -1};
    auto read = for_each_seed(sources, report, [&](Seed& seed) -> Result<void> {
      scope.add(seed.url);
      return {};
    });
    if (!read) return std::unexpected(read.error());
    const std::string_view what = config.scope.same_domain ? "domains" : "hosts";
    if (report.good == 0) {
      return fail(
          ErrorCode::kUsage,
          fmt::format("{}: the scope is the seeds' {}, and there are no seeds: name them with --seed URL "
                      "or crawl.seeds, or set scope.hosts",
                      name, what));
    }
    streams.problem(fmt::format("{}: the scope is the seeds' {} (seeds: {})", name, what, report.good));
  }
  return Scope::compile(std::move(scope).finish());
}

ExitCode say(const Error& error, Streams& streams) {
  streams.problem(error.message());
  return exit_code(error.code());
}

std::string as_json(const Judgement& judgement) {
  std::string text;
  JsonObject object(text);
  object.text("url", judgement.url).boolean("in", judgement.in).text("rule", judgement.rule).close();
  return text;
}

enum class Change : std::uint8_t { kEnter, kLeave, kIn, kOut };
constexpr std::array<std::string_view, 4> kChangeNames = {"enter", "leave", "in", "out"};

Change change_of(bool before, bool after) {
  if (before == after) return before ? Change::kIn : Change::kOut;
  return before ? Change::kLeave : Change::kEnter;
}

// Bounded by the entries of the two configs, not by the URLs.
struct Group {
  std::uint64_t count = 0;
  std::vector<std::string> examples;
};
struct GroupName {
  Change change = Change::kIn;
  std::string before;
  std::string after;
  auto operator<=>(const GroupName&) const = default;
};
using Groups = std::map<GroupName, Group>;

std::string group_as_json(const GroupName& name, const Group& group) {
  std::string examples = "[";
  for (const std::string& url : group.examples) {
    if (examples.size() > 1) examples += ',';
    append_json_string(examples, url);
  }
  std::string text;
  JsonObject object(text);
  object.text("change", kChangeNames[static_cast<std::size_t>(name.change)]).number("count", group.count);
  object.text("old", name.before).text("new", name.after).raw("examples", examples + "]").close();
  return text;
}

void print_groups(const Groups& groups, bool json, Streams& streams) {
  for (const auto& [name, group] : groups) {
    if (json) {
      streams.out_line(group_as_json(name, group));
      continue;
    }
    const std::string_view change = kChangeNames[static_cast<std::size_t>(name.change)];
    const std::string rules =
        name.before == name.after ? name.before : fmt::format("{} -> {}", name.before, name.after);
    streams.out_line(fmt::format("{}\t{}\t{}", change, group.count, rules));
    for (const std::string& url : group.examples) streams.out_line("\t" + url);
  }
}

Result<Scope> scope_of_file(const std::string& path, const Arguments& arguments,
                            const std::vector<EnvironmentVariable>& environment, Streams& streams) {
  ConfigSources sources;
  sources.file = path;
  sources.environment = environment;
  sources.flags = arguments.flags;
  const auto loaded = load_config(sources);
  if (!loaded) return std::unexpected(loaded.error());
  return scope_of(loaded->config, path, streams);
}

}  // namespace

ExitCode run_scope_check(const Arguments& arguments, const Config& config, Streams& streams) {
  const auto scope = scope_of(config, "scope check", streams);
  if (!scope) return say(scope.error(), streams);
  bool all_in = true;
  const auto answer = [&](std::string_view text) {
    const Judgement judgement = judge(*scope, text, arguments.depth);
    all_in = all_in && judgement.in;
    streams.out_line(
        arguments.json ? as_json(judgement)
                       : fmt::format("{}\t{}\t{}", judgement.in ? "in" : "out", judgement.rule, judgement.url));
  };
  for (const std::string& url : arguments.urls) {
    if (url != "-") {
      answer(url);
    } else if (const auto read = for_each_line("-", answer); !read) {
      return say(read.error(), streams);
    }
  }
  return all_in ? ExitCode::kDone : ExitCode::kRuntime;
}

ExitCode run_scope_diff(const Arguments& arguments, const std::vector<EnvironmentVariable>& environment,
                        Streams& streams) {
  const auto before = scope_of_file(arguments.files[0], arguments, environment, streams);
  const auto after = before ? scope_of_file(arguments.files[1], arguments, environment, streams)
                            : Result<Scope>(std::unexpected(before.error()));
  if (!after) {
    say_config_problems(after.error(), streams);
    return exit_code(after.error().code());
  }
  Groups groups;
  const auto read = for_each_line(arguments.file, [&](std::string_view text) {
    if (text.empty()) return;
    Judgement was = judge(*before, text, arguments.depth);
    Judgement is = judge(*after, text, arguments.depth);
    Group& group = groups[{change_of(was.in, is.in), std::move(was.rule), std::move(is.rule)}];
    if (group.count++ < arguments.examples) group.examples.push_back(std::move(is.url));
  });
  if (!read) return say(read.error(), streams);
  print_groups(groups, arguments.json, streams);
  return ExitCode::kDone;
}

}  // namespace weir::crawler
