// Seeds on their way into the frontier: files, standard input and single URLs as candidate batches, a bounded
// number at a time, so that a file of any size costs little memory. Bad lines are counted and named by number;
// they never stop the others. One thread; blocking I/O.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "crawler/seeds/seed_line.h"
#include "dedup/fingerprint.h"
#include "frontier/candidates.h"
#include "frontier/scope/scope.h"
#include "frontier/url/key_rules.h"

namespace weir::crawler {

struct SeedSources {
  std::vector<std::string> urls;   // each read like a line of a file
  std::vector<std::string> files;  // "-" is standard input
  int spool = -1;                  // copy of standard input (spool_standard_input); -1: none was asked for
};

struct BadSeed {
  std::string source;
  std::uint64_t line = 0;
  std::string reason;
};

struct SeedReport {
  std::uint64_t good = 0;
  std::uint64_t bad = 0;
  std::uint64_t out_of_scope = 0;
  std::uint64_t credentials_dropped = 0;
  std::vector<BadSeed> first_bad;  // at most kBadSeedsNamed
};
inline constexpr std::size_t kBadSeedsNamed = 10;

// "seeds.txt:4: 'http://' is no URL: empty host" a line, and how many more there are; empty: none was bad.
std::string format_bad_seeds(const SeedReport& report);

// Every seed in order; bad lines go into the report. kUsage when a source cannot be read to its end.
Result<void> for_each_seed(const SeedSources& sources, SeedReport& report,
                           const std::function<Result<void>(Seed&)>& visit);

// Admits each batch durably before it returns.
using SeedSink = std::function<Result<void>(const frontier::CandidateBatch&)>;

// Seeds with one tag and depth limit share batches, so that alternating tags do not cost a commit each; of two
// equal seeds the first wins, with its tag and depth limit.
// `refused` hears of each seed that is out of scope.
using SeedRefusal = std::function<void(const Seed& seed, const frontier::ScopeVerdict& verdict)>;
Result<SeedReport> feed_seeds(const SeedSources& sources, const frontier::Scope& scope,
                              const frontier::KeyRules& rules, const dedup::Secret& secret,
                              const SeedSink& sink, const SeedRefusal& refused = {});

}  // namespace weir::crawler
