// The command line as plain values. CLI11 stands behind parse_arguments() (in arguments.cc alone); nothing is
// read or opened here. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "crawler/cli/exit_code.h"
#include "crawler/config/loader.h"

namespace weir::crawler {

enum class Verb : std::uint8_t {
  kCrawl,
  kExplain,
  kRekey,
  kParams,
  kUrlKey,
  kUrlParse,
  kUrlSame,
  kLinks,
  kSitemap,
  kRobotsCheck,
  kConfigCheck,
  kConfigPrint,
  kScopeCheck,
  kScopeDiff
};

struct Arguments {
  Verb verb = Verb::kCrawl;
  bool json = false;

  // What the configuration is made of.
  std::string config_file;
  std::vector<std::string> sets;
  std::vector<FlagSetting> flags;  // of crawl and explain: --depth is crawl.depth, and so on

  std::vector<std::string> urls;   // crawl's are in flags
  std::string file;                // links, sitemap, robots check, config check; scope diff: the URLs
  std::string base;                // url parse, links, sitemap
  std::string content_type;        // links
  std::string agent;               // robots check
  bool reference = false;          // config print
  bool why = false;                // url same
  std::vector<std::string> files;  // scope diff: the old and the new config
  std::uint32_t depth = 0;         // scope check
  std::uint32_t examples = 3;      // scope diff, of each kind
  std::uint64_t pairs_min = 5;     // params
};

// The program has nothing to do but to say this: help or version (kDone), or what is wrong (kUsage).
struct Farewell {
  ExitCode code = ExitCode::kDone;
  std::string text;
};

std::variant<Arguments, Farewell> parse_arguments(int argc, const char* const* argv);

}  // namespace weir::crawler
