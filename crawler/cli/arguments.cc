// The one home of CLI11. One function per verb family adds its words; the verb is set by the callback of the
// subcommand that was named.
#include "crawler/cli/arguments.h"

#include <CLI/CLI.hpp>
#include <optional>
#include <sstream>

#include "base/nearest.h"

namespace weir::crawler {
namespace {

constexpr const char* kVersion = "weir " WEIR_VERSION;
constexpr const char* kExitCodes =
    "Exit codes: 0 done; 1 failed; 2 usage or configuration; 3 state directory; 4 backend unreachable;\n"
    "10 stopped cleanly with work left. '-' is standard input.";

// What CLI11 writes into, before it is turned into FlagSettings.
struct CrawlFlags {
  std::vector<std::string> seed_files;
  std::string state;
  std::string depth;
  std::string limit_pages;
  std::string out;
};

class CommandLine {
 public:
  CommandLine() : app_("weir crawls the web and remembers where it was.", "weir") {
    app_.require_subcommand(1);
    app_.set_version_flag("--version", kVersion);
    app_.footer(kExitCodes);
    app_.get_formatter()->column_width(34);
    add_crawl();
    add_explain();
    add_rekey();
    add_params();
    add_url();
    add_links();
    add_sitemap();
    add_robots();
    add_config();
    add_scope();
  }

  std::variant<Arguments, Farewell> parse(int argc, const char* const* argv) {
    if (auto unknown = unknown_verb(argc, argv)) return *std::move(unknown);
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      return farewell(error);
    }
    collect_flags();
    return std::move(arguments_);
  }

 private:
  Farewell farewell(const CLI::ParseError& error) const {
    std::ostringstream out;
    std::ostringstream problem;
    const int code = app_.exit(error, out, problem);
    if (code == 0) return {ExitCode::kDone, out.str()};
    return {ExitCode::kUsage, "weir: " + problem.str()};
  }

  // The library says of a mistyped verb only that one is required.
  std::optional<Farewell> unknown_verb(int argc, const char* const* argv) const {
    const CLI::App* family = &app_;
    for (int i = 1; i < argc && argv[i][0] != '-'; ++i) {
      const auto verbs = family->get_subcommands([](const CLI::App*) { return true; });
      if (verbs.empty()) break;
      std::vector<std::string> names;
      const CLI::App* named = nullptr;
      for (const CLI::App* verb : verbs) {
        names.push_back(verb->get_name());
        if (names.back() == argv[i]) named = verb;
      }
      if (named == nullptr) return Farewell{ExitCode::kUsage, unknown_verb_message(argv[i], names)};
      family = named;
    }
    return std::nullopt;
  }

  static std::string unknown_verb_message(const std::string& word, const std::vector<std::string>& names) {
    const std::vector<std::string_view> known(names.begin(), names.end());
    const std::string_view meant = nearest(word, known);
    std::string text = "weir: there is no verb '" + word + "'";
    if (!meant.empty()) return text + "; did you mean '" + std::string(meant) + "'?\n";
    text += "; there are:";
    for (const std::string& name : names) text += " " + name;
    return text + "\n";
  }

  CLI::App* add_verb(CLI::App* parent, const std::string& name, const std::string& about, Verb verb) {
    CLI::App* sub = parent->add_subcommand(name, about);
    sub->set_version_flag("--version", kVersion);
    sub->callback([this, verb] { arguments_.verb = verb; });
    sub->footer(kExitCodes);
    return sub;
  }

  CLI::App* add_family(const std::string& name, const std::string& about) {
    CLI::App* family = app_.add_subcommand(name, about);
    family->set_version_flag("--version", kVersion);
    family->require_subcommand(1);
    return family;
  }

  void add_json(CLI::App* sub) { sub->add_flag("--json", arguments_.json, "one JSON object a line"); }

  void add_config_options(CLI::App* sub) {
    sub->add_option("--config", arguments_.config_file, "configuration file, over /etc/weir/weir.toml")
        ->type_name("FILE");
    sub->add_option("--set", arguments_.sets, "one key, over files and environment; repeatable")
        ->type_name("SECTION.KEY=VALUE")
        ->allow_extra_args(false);
  }

  void add_state(CLI::App* sub) {
    sub->add_option("--state", crawl_.state, "folder a crawl resumes from (crawl.state, weir-state)")
        ->type_name("DIR");
  }

  void add_crawl() {
    CLI::App* sub =
        add_verb(&app_, "crawl",
                 "crawl until nothing is left or a limit is reached; the same command resumes.\n"
                 "Without scope rules the crawl stays on the seeds' hosts. Progress goes to standard\n"
                 "error, the last line on standard output is a JSON summary.",
                 Verb::kCrawl);
    sub->add_option("url", arguments_.urls, "seeds; http:// is added where no scheme is written")
        ->type_name("URL");
    sub->add_option("--seeds", crawl_.seed_files, "file of seeds, plain or gzip; repeatable")
        ->type_name("FILE")
        ->allow_extra_args(false);
    add_state(sub);
    sub->add_option("--depth", crawl_.depth, "links away from a seed; 0: the seeds only (crawl.depth)")
        ->type_name("N");
    sub->add_option("--limit-pages", crawl_.limit_pages, "stop after N fetched pages (crawl.limit_pages)")
        ->type_name("N");
    sub->add_option("--out", crawl_.out, "folder for fetch.jsonl (output.folder; the state folder)")
        ->type_name("DIR");
    add_config_options(sub);
    add_json(sub);
  }

  void add_explain() {
    CLI::App* sub = add_verb(&app_, "explain", "what became of a URL, and why; works beside a running crawl",
                             Verb::kExplain);
    sub->add_option("url", arguments_.urls, "the URL")->type_name("URL")->required()->expected(1);
    add_state(sub);
    add_config_options(sub);
    add_json(sub);
  }

  void add_rekey() {
    CLI::App* sub =
        add_verb(&app_, "rekey",
                 "make a state's keys anew under the configured key rules; all or nothing, not beside\n"
                 "a running crawl. What becomes one is merged; what the old rules had dropped as a\n"
                 "duplicate is not brought back.",
                 Verb::kRekey);
    add_state(sub);
    add_config_options(sub);
    add_json(sub);
  }

  void add_params() {
    CLI::App* sub =
        add_verb(&app_, "params",
                 "query parameters that never changed a page in this crawl, as [[key.strip_params]] with\n"
                 "the evidence; a suggestion to be looked at, applied by nobody",
                 Verb::kParams);
    add_state(sub);
    sub->add_option("--min", arguments_.pairs_min, "pairs of pages that must agree, while none disagrees (5)")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    add_config_options(sub);
    add_json(sub);
  }

  void add_url() {
    CLI::App* family = add_family("url", "what a URL is, and when two are the same");
    CLI::App* key =
        add_verb(family, "key", "the text that decides sameness, a line for each URL", Verb::kUrlKey);
    key->add_option("url", arguments_.urls, "URLs; '-' reads them from standard input, one a line")
        ->type_name("URL")
        ->required();
    add_config_options(key);
    add_json(key);
    CLI::App* parse =
        add_verb(family, "parse", "the parts of each URL as JSON (WHATWG URL Standard)", Verb::kUrlParse);
    parse->add_option("url", arguments_.urls, "URLs; '-' reads them from standard input, one a line")
        ->type_name("URL")
        ->required();
    parse->add_option("--base", arguments_.base, "resolve against this URL")->type_name("URL");
    add_json(parse);
    CLI::App* same = add_verb(family, "same", "'same' (exit 0) or 'different' (exit 1)", Verb::kUrlSame);
    same->add_option("url", arguments_.urls, "two URLs")->type_name("URL")->required()->expected(2);
    same->add_flag("--why", arguments_.why,
                   "show both keys, what changed them, and which rules would merge them");
    add_config_options(same);
    add_json(same);
  }

  void add_links() {
    CLI::App* sub = add_verb(&app_, "links", "the links that a crawl sees in a page, one absolute URL a line",
                             Verb::kLinks);
    sub->add_option("file", arguments_.file, "the page; '-' is standard input")->type_name("FILE")->required();
    sub->add_option("--base", arguments_.base, "address of the page")->type_name("URL");
    sub->add_option("--content-type", arguments_.content_type, "as the server sent it (text/html)")
        ->type_name("T");
    add_config_options(sub);
    add_json(sub);
  }

  void add_sitemap() {
    CLI::App* sub =
        add_verb(&app_, "sitemap", "what a sitemap or feed lists: URL, tab and date a line", Verb::kSitemap);
    sub->add_option("file", arguments_.file, "the document, plain or gzip; '-' is standard input")
        ->type_name("FILE")
        ->required();
    sub->add_option("--base", arguments_.base, "address of the document, for relative links")->type_name("URL");
    add_json(sub);
  }

  void add_robots() {
    CLI::App* family = add_family("robots", "robots.txt (RFC 9309)");
    CLI::App* check =
        add_verb(family, "check", "'allow URL' or 'disallow URL', a tab, and the line of the file that decided",
                 Verb::kRobotsCheck);
    check->add_option("--agent", arguments_.agent, "product token that groups are matched with")
        ->type_name("NAME")
        ->required();
    check->add_option("file", arguments_.file, "the robots.txt; '-' is standard input")
        ->type_name("FILE")
        ->required();
    check->add_option("url", arguments_.urls, "URLs, or paths that begin with '/'")
        ->type_name("URL")
        ->required();
    add_json(check);
  }

  void add_config() {
    CLI::App* family = add_family("config",
                                  "the configuration: built-in < /etc/weir/weir.toml < --config <\n"
                                  "environment WEIR_SECTION__KEY < --set and flags");
    CLI::App* check =
        add_verb(family, "check", "say every problem with its place (exit 2), or 'ok'", Verb::kConfigCheck);
    check->add_option("file", arguments_.file, "as --config")->type_name("FILE");
    add_config_options(check);
    add_json(check);
    CLI::App* print = add_verb(family, "print", "every key with its value in effect and where it comes from",
                               Verb::kConfigPrint);
    print->add_flag("--reference", arguments_.reference,
                    "every key with meaning, range, cost and built-in value");
    add_config_options(print);
    add_json(print);
  }

  void add_scope() {
    CLI::App* family = add_family("scope", "which URLs belong to a crawl, and which rule says so");
    CLI::App* check =
        add_verb(family, "check",
                 "'in' or 'out', a tab, the deciding rule, a tab, the URL; exit 1 when one is out.\n"
                 "Without scope rules the scope is the hosts of the seeds.",
                 Verb::kScopeCheck);
    check->add_option("url", arguments_.urls, "URLs; '-' reads them from standard input, one a line")
        ->type_name("URL")
        ->required();
    check->add_option("--depth", arguments_.depth, "as if so many links away from a seed (0)")->type_name("N");
    CLI::App* diff = add_verb(family, "diff",
                              "what another configuration would let in and leave out of a list of URLs,\n"
                              "counted by the pair of deciding rules",
                              Verb::kScopeDiff);
    diff->add_option("config", arguments_.files, "the old and the new configuration")
        ->type_name("OLD NEW")
        ->required()
        ->expected(2);
    diff->add_option("--urls", arguments_.file, "one URL a line, plain or gzip; '-' is standard input")
        ->type_name("FILE")
        ->required();
    diff->add_option("--examples", arguments_.examples, "URLs shown of each kind (3)")->type_name("N");
    for (CLI::App* sub : {check, diff}) {
      sub->add_option("--seed", scope_seeds_, "as if among crawl.seeds; repeatable")
          ->type_name("URL")
          ->allow_extra_args(false);
      add_json(sub);
    }
    add_config_options(check);
  }

  void add_flag(const std::string& key, const std::string& value, const std::string& flag) {
    if (!value.empty()) arguments_.flags.push_back({key, value, flag, false});
  }

  void collect_flags() {
    add_flag("crawl.state", crawl_.state, "--state");
    add_flag("crawl.depth", crawl_.depth, "--depth");
    add_flag("crawl.limit_pages", crawl_.limit_pages, "--limit-pages");
    add_flag("output.folder", crawl_.out, "--out");
    for (std::string& file : crawl_.seed_files) {
      arguments_.flags.push_back({"crawl.seed_files", std::move(file), "--seeds", true});
    }
    for (std::string& url : scope_seeds_) {
      arguments_.flags.push_back({"crawl.seeds", std::move(url), "--seed", true});
    }
    if (arguments_.verb != Verb::kCrawl) return;
    for (std::string& url : arguments_.urls) {
      arguments_.flags.push_back({"crawl.seeds", std::move(url), "command line", true});
    }
    arguments_.urls.clear();
  }

  CLI::App app_;
  Arguments arguments_;
  CrawlFlags crawl_;
  std::vector<std::string> scope_seeds_;
};

}  // namespace

std::variant<Arguments, Farewell> parse_arguments(int argc, const char* const* argv) {
  return CommandLine().parse(argc, argv);
}

}  // namespace weir::crawler
