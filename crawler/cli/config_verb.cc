// Loading happened before; this says how it went.
#include "crawler/cli/config_verb.h"

#include <fmt/core.h>

#include <algorithm>

#include "crawler/config/assign.h"
#include "crawler/config/key_table.h"
#include "crawler/config/reference.h"
#include "crawler/output/json.h"

namespace weir::crawler {
namespace {

TextList lines_of(const std::string& text) {
  TextList lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string check_as_json(const Result<LoadedConfig>& loaded) {
  std::string problems = "[";
  if (!loaded) {
    for (const std::string& line : lines_of(loaded.error().message())) {
      if (problems.size() > 1) problems += ',';
      append_json_string(problems, line);
    }
  }
  std::string text;
  JsonObject object(text);
  object.boolean("ok", loaded.has_value()).raw("problems", problems + "]").close();
  return text;
}

}  // namespace

void say_config_problems(const Error& error, Streams& streams) {
  for (const std::string& line : lines_of(error.message())) streams.problem(line);
}

ExitCode run_config_check(const Arguments& arguments, const Result<LoadedConfig>& loaded, Streams& streams) {
  if (arguments.json) {
    streams.out_line(check_as_json(loaded));
  } else if (loaded) {
    streams.out_line("ok");
  } else {
    say_config_problems(loaded.error(), streams);
  }
  return loaded ? ExitCode::kDone : ExitCode::kUsage;
}

ExitCode run_config_print(const Arguments& arguments, const Result<LoadedConfig>& loaded, Streams& streams) {
  if (arguments.reference) {
    streams.out(format_reference());
    return ExitCode::kDone;
  }
  if (!loaded) {
    say_config_problems(loaded.error(), streams);
    return ExitCode::kUsage;
  }
  if (!arguments.json) {
    streams.out(format_config(*loaded));
    return ExitCode::kDone;
  }
  for (std::size_t i = 0; i < key_table().size(); ++i) {
    const KeyRow& row = key_table()[i];
    std::string line;
    JsonObject object(line);
    object.text("key", full_name(row)).text("value", format_value(row, loaded->config));
    object.text("origin", loaded->origins[i]).close();
    streams.out_line(line);
  }
  return ExitCode::kDone;
}

}  // namespace weir::crawler
