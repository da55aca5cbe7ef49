// weir: arguments in, one verb, exit code out. Everything is made here and handed down; nothing is global.
#include <functional>
#include <memory>
#include <utility>
#include <variant>

#include "base/clock.h"
#include "base/log.h"
#include "crawler/cli/arguments.h"
#include "crawler/cli/config_verb.h"
#include "crawler/cli/crawl_verb.h"
#include "crawler/cli/explain_verb.h"
#include "crawler/cli/links_verb.h"
#include "crawler/cli/params_verb.h"
#include "crawler/cli/rekey_verb.h"
#include "crawler/cli/robots_verb.h"
#include "crawler/cli/scope_verb.h"
#include "crawler/cli/sitemap_verb.h"
#include "crawler/cli/standard_streams.h"
#include "crawler/cli/url_verb.h"
#include "crawler/config/environment.h"
#include "crawler/config/loader.h"
#include "crawler/config/options.h"

namespace weir::crawler {
namespace {

Result<LoadedConfig> load(const Arguments& arguments) {
  ConfigSources sources;
  const bool named_by_position = arguments.verb == Verb::kConfigCheck && !arguments.file.empty();
  sources.file = named_by_position ? arguments.file : arguments.config_file;
  sources.environment = weir_environment();
  sources.sets = arguments.sets;
  sources.flags = arguments.flags;
  return load_config(sources);
}

ExitCode with_log(const Config& config, Streams& streams, const std::function<ExitCode(Log&)>& run_verb) {
  auto log = Log::open(log_options(config));
  if (!log) {
    streams.problem(log.error().message());
    return exit_code(log.error().code());
  }
  return run_verb(**log);
}

ExitCode run_configured(const Arguments& arguments, Streams& streams) {
  const auto loaded = load(arguments);
  if (arguments.verb == Verb::kConfigCheck) return run_config_check(arguments, loaded, streams);
  if (arguments.verb == Verb::kConfigPrint) return run_config_print(arguments, loaded, streams);
  if (!loaded) {
    say_config_problems(loaded.error(), streams);
    return ExitCode::kUsage;
  }
  if (arguments.verb == Verb::kUrlKey) return run_url_key(arguments, loaded->config, streams);
  if (arguments.verb == Verb::kUrlSame) return run_url_same(arguments, loaded->config, streams);
  const SystemClock clock;
  if (arguments.verb == Verb::kLinks) return run_links(arguments, loaded->config, clock, streams);
  if (arguments.verb == Verb::kScopeCheck) return run_scope_check(arguments, loaded->config, streams);
  if (arguments.verb == Verb::kExplain) return run_explain(arguments, loaded->config, streams);
  if (arguments.verb == Verb::kRekey)
    return with_log(loaded->config, streams,
                    [&](Log& log) { return run_rekey(arguments, loaded->config, log, streams); });
  if (arguments.verb == Verb::kParams)
    return with_log(loaded->config, streams,
                    [&](Log& log) { return run_params(arguments, loaded->config, log, streams); });
  return with_log(loaded->config, streams, [&](Log& log) {
    return run_crawl_verb(loaded->config, error_terminal(), clock, log, streams);
  });
}

ExitCode run(const Arguments& arguments, Streams& streams) {
  switch (arguments.verb) {
    case Verb::kUrlParse: return run_url_parse(arguments, streams);
    case Verb::kSitemap: return run_sitemap(arguments, streams);
    case Verb::kRobotsCheck: return run_robots_check(arguments, streams);
    case Verb::kScopeDiff: return run_scope_diff(arguments, weir_environment(), streams);
    case Verb::kUrlKey:
    case Verb::kUrlSame:
    case Verb::kCrawl:
    case Verb::kExplain:
    case Verb::kRekey:
    case Verb::kParams:
    case Verb::kLinks:
    case Verb::kScopeCheck:
    case Verb::kConfigCheck:
    case Verb::kConfigPrint: return run_configured(arguments, streams);
  }
  return ExitCode::kUsage;
}

ExitCode run_program(int argc, const char* const* argv) {
  StandardStreams streams;
  auto parsed = parse_arguments(argc, argv);
  ExitCode code = ExitCode::kDone;
  if (const auto* farewell = std::get_if<Farewell>(&parsed)) {
    code = farewell->code;
    code == ExitCode::kDone ? streams.out(farewell->text) : streams.error(farewell->text);
  } else {
    code = run(std::get<Arguments>(parsed), streams);
  }
  // Lost output is a failure, also when the work was done.
  if (!streams.flush() && code == ExitCode::kDone) code = ExitCode::kRuntime;
  return code;
}

}  // namespace
}  // namespace weir::crawler

int main(int argc, char** argv) { return static_cast<int>(weir::crawler::run_program(argc, argv)); }
