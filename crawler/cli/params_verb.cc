// Evidence is gathered in a scratch folder under the system's temporary one, removed at the end.
#include "crawler/cli/params_verb.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "crawler/config/values.h"
#include "crawler/output/json.h"
#include "frontier/local/param_evidence.h"
#include "frontier/local/state_reader.h"

namespace weir::crawler {
namespace {

using frontier::local::DoneRecord;
using frontier::local::kParamValuesMax;
using frontier::local::ParamCount;
using frontier::local::ParamEvidence;
using frontier::local::StateReader;

constexpr std::uint16_t kOk = 200;

// A folder under the system's temporary one; gone with the object.
class Scratch {
 public:
  static Result<Scratch> make() {
    std::error_code error;
    std::string path = std::filesystem::temp_directory_path(error).string() + "/weir-params-XXXXXX";
    if (!error && ::mkdtemp(path.data()) != nullptr) return Scratch(path);
    return fail(ErrorCode::kState, fmt::format("cannot make a scratch folder '{}': {} (TMPDIR moves it)", path,
                                               error ? error.message() : std::strerror(errno)));
  }
  Scratch(Scratch&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  explicit Scratch(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// Parameters of one host at a time; printed when the next host begins.
class Snippets {
 public:
  explicit Snippets(Streams& streams) : streams_(streams) {}

  void add(const ParamCount& count) {
    if (count.host != host_) finish();
    host_ = count.host;
    text_ += fmt::format(
        "# {}: '{}' made no difference: {} pairs agree, {} disagree, on {} pages, {} values\n#   {}\n#   {}\n",
        count.host, count.param, count.pairs_agreeing, count.pairs_disagreeing, count.pages,
        count.values < kParamValuesMax ? fmt::format("{}", count.values)
                                       : fmt::format("at least {}", count.values),
        count.examples[0], count.examples[1]);
    params_.push_back(count.param);
  }

  void finish() {
    if (params_.empty()) return;
    streams_.out(fmt::format("{}[[key.strip_params]]\nhost = {}\nparams = {}\n\n", text_, toml_string(host_),
                             toml_list(params_)));
    text_.clear();
    params_.clear();
  }

 private:
  Streams& streams_;
  std::string host_;
  std::string text_;
  TextList params_;
};

std::string as_json(const ParamCount& count) {
  std::string line;
  JsonObject object(line);
  object.text("host", count.host).text("param", count.param);
  object.number("pairs_agreeing", count.pairs_agreeing).number("pairs_disagreeing", count.pairs_disagreeing);
  object.number("pages", count.pages).number("values", count.values);
  std::string examples = "[";
  append_json_string(examples, count.examples[0]);
  examples += ',';
  append_json_string(examples, count.examples[1]);
  object.raw("examples", examples + "]").close();
  return line;
}

Result<void> collect_evidence(const StateReader& reader, ParamEvidence& evidence) {
  Result<void> added;
  auto walked = reader.for_each_done([&](const dedup::Fingerprint&, const DoneRecord& record) {
    if (record.failed || record.status != kOk || record.digest == 0) return true;
    if (const auto url = frontier::parse_url(record.url)) added = evidence.add(*url, record.digest);
    return added.has_value();
  });
  return walked ? added : walked;
}

Result<void> report(const Arguments& arguments, ParamEvidence& evidence, Streams& streams) {
  Snippets snippets(streams);
  auto walked = evidence.for_each([&](const ParamCount& count) {
    if (count.pairs_disagreeing > 0 || count.pairs_agreeing < arguments.pairs_min) return;
    if (arguments.json) {
      streams.out_line(as_json(count));
    } else {
      snippets.add(count);
    }
  });
  snippets.finish();
  return walked;
}

Result<void> run(const Arguments& arguments, const Config& config, Log& log, Streams& streams) {
  auto reader = StateReader::open(config.crawl.state, log);
  if (!reader) return std::unexpected(reader.error());
  auto scratch = Scratch::make();
  if (!scratch) return std::unexpected(scratch.error());
  auto evidence = ParamEvidence::open(scratch->path() + "/sort", log);
  if (!evidence) return std::unexpected(evidence.error());
  if (auto gathered = collect_evidence(**reader, **evidence); !gathered) return gathered;
  return report(arguments, **evidence, streams);
}

}  // namespace

ExitCode run_params(const Arguments& arguments, const Config& config, Log& log, Streams& streams) {
  const auto done = run(arguments, config, log, streams);
  if (done) return ExitCode::kDone;
  streams.problem(done.error().message());
  return exit_code(done.error().code());
}

}  // namespace weir::crawler
