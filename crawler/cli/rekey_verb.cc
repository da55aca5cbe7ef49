// The set is the one that a crawl under this configuration would open.
#include "crawler/cli/rekey_verb.h"

#include <fmt/core.h>

#include <utility>

#include "crawler/config/options.h"
#include "crawler/output/json.h"
#include "dedup/registry.h"
#include "frontier/local/rekey.h"

namespace weir::crawler {
namespace {

using frontier::local::RekeyReport;

std::string as_json(const RekeyReport& report, const std::string& rules) {
  std::string line;
  JsonObject object(line);
  object.boolean("changed", report.changed).text("rules_before", report.rules_before).text("rules", rules);
  object.number("queued", report.queued).number("queued_merged", report.queued_merged);
  object.number("queued_already_done", report.queued_already_done);
  object.number("done", report.done).number("done_merged", report.done_merged);
  object.close();
  return line;
}

void say(const RekeyReport& report, const std::string& rules, Streams& streams) {
  streams.out(rules);
  if (!report.changed) return streams.out_line("nothing to do: the state has these rules");
  streams.out_line(fmt::format("queued: {}", report.queued));
  streams.out_line(fmt::format("queued, merged with another that waits: {}", report.queued_merged));
  streams.out_line(fmt::format("queued, removed because done: {}", report.queued_already_done));
  streams.out_line(fmt::format("done: {}", report.done));
  streams.out_line(fmt::format("done, merged: {}", report.done_merged));
}

}  // namespace

ExitCode run_rekey(const Arguments& arguments, const Config& config, Log& log, Streams& streams) {
  const frontier::KeyRules rules = key_rules(config);
  frontier::local::RekeyOptions options;
  options.path = config.crawl.state;
  auto set = dedup::make_set(set_options(config));
  auto report = set ? frontier::local::rekey(options, rules, *std::move(set), log)
                    : Result<RekeyReport>(std::unexpected(set.error()));
  if (!report) {
    streams.problem(report.error().message());
    return exit_code(report.error().code());
  }
  if (arguments.json) {
    streams.out_line(as_json(*report, rules.text()));
  } else {
    say(*report, rules.text(), streams);
  }
  return ExitCode::kDone;
}

}  // namespace weir::crawler
