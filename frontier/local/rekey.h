// Rekey: the state of a crawl under other key rules. Everything that is known (waiting and done URLs) gets the
// key of the new rules; what becomes one is merged. Nothing is fetched, and what the old rules had dropped as a
// duplicate is not brought back: it was never stored.
//
// All or nothing, in a folder beside (docs/formats-state.md): the old state stays whole until the new one is
// complete on the disk, then one rename decides, and whoever opens the state next finishes what is left to do.
// Costs: one pass over the state; twice its disk space for a while; memory does not grow with it, but for the
// set and 16 bytes for each URL that is removed from the queue of one host. One thread; takes the state's lock.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/log.h"
#include "dedup/url_set.h"
#include "frontier/local/rekey_folder.h"
#include "frontier/url/key_rules.h"

namespace weir::frontier::local {

struct RekeyOptions {
  std::string path;      // the state folder
  AfterRekeyStep after;  // for tests: stops the work there, as a crash would
};

struct RekeyReport {
  bool changed = false;                   // false: the state has these rules already, nothing was done
  std::string rules_before;               // KeyRules::text()
  std::uint64_t queued = 0;               // that wait now
  std::uint64_t queued_merged = 0;        // removed: another that waits has the key, of a better class or older
  std::uint64_t queued_already_done = 0;  // removed: what is done has the key
  std::uint64_t done = 0;                 // records now
  std::uint64_t done_merged = 0;          // removed: another record has the key
};

// `set` must be empty and of the crawl's backend; it becomes the new filter. kState: no state, locked, damaged.
Result<RekeyReport> rekey(const RekeyOptions& options, const KeyRules& rules,
                          std::unique_ptr<dedup::UrlSet> set, Log& log);

}  // namespace weir::frontier::local
