// Batches are open per tag and depth limit; all are sent when together they have grown to one batch's size.
#include "crawler/seeds/seed_feed.h"

#include <fmt/core.h>
#include <unistd.h>

#include <map>
#include <unordered_set>
#include <utility>

#include "crawler/seeds/line_source.h"

namespace weir::crawler {
namespace {

constexpr std::size_t kBatchSeedsMax = 4096;
constexpr std::size_t kBatchBytesMax = 1 << 20;

class SeedBatches {
 public:
  SeedBatches(const frontier::KeyRules& rules, const dedup::Secret& secret, const SeedSink& sink)
      : rules_(rules), secret_(secret), sink_(sink) {}

  Result<void> add(const Seed& seed) {
    key_.clear();
    rules_.append_key(key_, seed.url);
    const dedup::Fingerprint fingerprint = dedup::fingerprint(key_, secret_);
    // Batches go out in another order than seeds came in; the first mention of a URL must win all the same.
    if (!seen_.insert(fingerprint).second) return {};
    frontier::CandidateBatch& batch = open_[{seed.tag, seed.depth_limit}];
    batch.tag = seed.tag;
    batch.depth_limit = seed.depth_limit;
    frontier::Candidate candidate;
    candidate.fingerprint = fingerprint;
    const frontier::Url url = rules_.queue_form(seed.url);
    candidate.origin_length = static_cast<std::uint32_t>(frontier::origin(url).size());
    candidate.priority = seed.priority;
    batch.add(url.href(), candidate);
    ++seeds_;
    bytes_ += url.href().size() + seed.tag.size();
    return seeds_ >= kBatchSeedsMax || bytes_ >= kBatchBytesMax ? send() : Result<void>();
  }

  Result<void> send() {
    for (const auto& [name, batch] : open_) {
      if (auto sent = sink_(batch); !sent) return sent;
    }
    open_.clear();
    seen_.clear();
    seeds_ = 0;
    bytes_ = 0;
    return {};
  }

 private:
  struct Hash {
    std::size_t operator()(const dedup::Fingerprint& fingerprint) const { return fingerprint.lo; }
  };

  const frontier::KeyRules& rules_;
  const dedup::Secret& secret_;
  const SeedSink& sink_;
  std::unordered_set<dedup::Fingerprint, Hash> seen_;  // in open_
  std::map<std::pair<std::string, std::uint16_t>, frontier::CandidateBatch> open_;
  std::size_t seeds_ = 0;
  std::size_t bytes_ = 0;
  std::string key_;
};

class SeedWalk {
 public:
  SeedWalk(SeedReport& report, const std::function<Result<void>(Seed&)>& visit)
      : report_(report), visit_(visit) {}

  Result<void> line(std::string_view text, const std::string& source, std::uint64_t number) {
    auto seed = parse_seed_line(text);
    if (!seed) {
      bad(source, number, seed.error());
      return {};
    }
    if (!seed->has_value()) return {};
    ++report_.good;
    if ((*seed)->credentials_dropped) ++report_.credentials_dropped;
    return visit_(**seed);
  }

  Result<void> file(LineSource& source) {
    while (true) {
      auto event = source.next();
      if (!event) return std::unexpected(event.error());
      switch (*event) {
        case LineEvent::kEnd: return {};
        case LineEvent::kTooLong: bad(source.name(), source.number(), "is too long"); break;
        case LineEvent::kLine: {
          if (auto visited = line(source.text(), source.name(), source.number()); !visited) return visited;
          break;
        }
      }
    }
  }

 private:
  void bad(const std::string& source, std::uint64_t number, std::string reason) {
    ++report_.bad;
    if (report_.first_bad.size() < kBadSeedsNamed)
      report_.first_bad.push_back({source, number, std::move(reason)});
  }

  SeedReport& report_;
  const std::function<Result<void>(Seed&)>& visit_;
};

Result<LineSource> open_source(const std::string& path, int spool) {
  if (path != "-" || spool < 0) return LineSource::open(path);
  ::lseek(spool, 0, SEEK_SET);
  return LineSource::adopt(::dup(spool), "standard input");
}

}  // namespace

std::string format_bad_seeds(const SeedReport& report) {
  std::string text;
  for (const BadSeed& seed : report.first_bad) {
    text += fmt::format("{}{}:{}: {}", text.empty() ? "" : "\n", seed.source, seed.line, seed.reason);
  }
  const std::uint64_t more = report.bad - report.first_bad.size();
  if (more > 0) text += fmt::format("\nand {} more bad lines", more);
  return text;
}

Result<void> for_each_seed(const SeedSources& sources, SeedReport& report,
                           const std::function<Result<void>(Seed&)>& visit) {
  SeedWalk walk(report, visit);
  std::uint64_t number = 0;
  for (const std::string& url : sources.urls) {
    if (auto walked = walk.line(url, "seed", ++number); !walked) return walked;
  }
  for (const std::string& path : sources.files) {
    auto source = open_source(path, sources.spool);
    if (!source) return std::unexpected(source.error());
    if (auto walked = walk.file(*source); !walked) return walked;
  }
  return {};
}

Result<SeedReport> feed_seeds(const SeedSources& sources, const frontier::Scope& scope,
                              const frontier::KeyRules& rules, const dedup::Secret& secret,
                              const SeedSink& sink, const SeedRefusal& refused) {
  SeedReport report;
  SeedBatches batches(rules, secret, sink);
  auto fed = for_each_seed(sources, report, [&](Seed& seed) -> Result<void> {
    const frontier::ScopeVerdict verdict = scope.judge(seed.url, {.depth = 0, .depth_limit = seed.depth_limit});
    if (!verdict.in_scope()) {
      ++report.out_of_scope;
      if (refused) refused(seed, verdict);
      return {};
    }
    return batches.add(seed);
  });
  if (fed) fed = batches.send();
  if (!fed) return std::unexpected(fed.error());
  return report;
}

}  // namespace weir::crawler
