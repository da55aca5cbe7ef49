// The frontier's benchmarks, as ratios in one run: each against the raw store or against itself. Prints one
// line per measure and its bar; exit 1 when a bar is missed. `quick` shrinks the sizes; an argument after it
// picks one measure. Needs a scratch folder (the third argument, else the current one).
//
//   frontier_bench [full|quick] [add|drain|idle|reopen|memory|all] [FOLDER]
#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/check.h"
#include "base/clock.h"
#include "base/coding.h"
#include "dedup/registry.h"
#include "frontier/local/engine.h"
#include "frontier/local/layout.h"

namespace {

using namespace weir;            // NOLINT: a program of one file
using namespace weir::frontier;  // NOLINT
using local::LocalFrontier;
using local::LocalOptions;

struct Sizes {
  std::uint64_t add_urls = 1'000'000;
  std::uint64_t add_hosts = 100'000;
  int add_rounds = 5;
  std::uint64_t drain_urls = 200'000;
  std::uint64_t control_pops = 30'000;
  std::uint64_t idle_hosts = 1'000'000;
  std::uint64_t reopen_urls = 5'000'000;
  std::uint64_t memory_urls = 2'000'000;
  std::uint64_t memory_hosts = 50'000;
};

constexpr Sizes kQuick{200'000, 20'000, 5, 50'000, 8'000, 100'000, 500'000, 300'000, 10'000};
constexpr std::size_t kBatch = 64;
constexpr double kMiB = 1024.0 * 1024.0;

struct Bench {
  Sizes sizes;
  std::string folder;
  std::unique_ptr<Log> log = Log::discard();
  bool missed = false;

  static void say(const std::string& line) {
    std::puts(line.c_str());
    std::fflush(stdout);
  }
  void report(const char* name, double value, double bar, const std::string& detail) {
    const bool good = value <= bar;
    missed = missed || !good;
    Bench::say(
        fmt::format("{:<28} {:>8.2f}  bar {:>6.2f}  {}  {}", name, value, bar, good ? "ok" : "MISSED", detail));
    std::fflush(stdout);
  }
  std::string fresh(const char* name) const {
    const std::string path = folder + "/" + name;
    std::filesystem::remove_all(path);
    return path;
  }
};

// Of the whole process, or of this thread alone: without what RocksDB still compacts of an earlier load.
double cpu_seconds(int who = RUSAGE_SELF) {
  rusage usage{};
  ::getrusage(who, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double wall_seconds() {
  return std::chrono::duration<double>(SystemClock().now().mono.time_since_epoch()).count();
}

double resident_mib() {
  std::ifstream statm("/proc/self/statm");
  double total = 0;
  double resident = 0;
  statm >> total >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE)) / kMiB;
}

// Zipf-like over `hosts`: the popular ones get most, as on the web.
std::uint64_t pick_host(std::mt19937_64& random, std::uint64_t hosts) {
  const double uniform = static_cast<double>(random() >> 11) * 0x1.0p-53;
  return static_cast<std::uint64_t>(std::pow(static_cast<double>(hosts), uniform)) - 1;
}

std::string path_of(std::uint64_t number) {
  return fmt::format("/section-{}/articles/{:x}/page-{}.html", number % 97, number * 0x9e3779b97f4a7c15U,
                     number);
}

// Batches of links as pages give them. Fingerprints are random: hashing is the fetcher's work.
std::vector<CandidateBatch> make_batches(std::uint64_t urls, std::uint64_t hosts, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<CandidateBatch> batches;
  for (std::uint64_t number = 0; number < urls;) {
    CandidateBatch& batch = batches.emplace_back();
    batch.parent = fmt::format("http://host-{}.test{}", pick_host(random, hosts), path_of(random() % urls));
    for (std::size_t i = 0; i < kBatch && number < urls; ++i, ++number) {
      const std::string origin = fmt::format("http://host-{}.test", pick_host(random, hosts));
      Candidate candidate;
      candidate.fingerprint = {random(), random()};
      candidate.origin_length = static_cast<std::uint32_t>(origin.size());
      batch.add(origin + path_of(number), candidate);
    }
  }
  return batches;
}

LocalOptions plain_options(const std::string& path) {
  LocalOptions options;
  options.path = path;
  options.politeness.obey_robots = false;
  options.politeness.delay = Duration(0);
  options.politeness.per_ip_delay = Duration(0);
  return options;
}

std::unique_ptr<dedup::UrlSet> bloom(std::uint64_t capacity) {
  auto set = dedup::make_set({"bloom", capacity, 1e-6});
  WEIR_CHECK(set.has_value());
  return std::move(*set);
}

std::unique_ptr<LocalFrontier> open(Bench& bench, const LocalOptions& options, std::uint64_t capacity) {
  auto opened = LocalFrontier::open(options, bloom(capacity), *bench.log, SystemClock().now());
  if (!opened) std::puts(opened.error().message().c_str());
  WEIR_CHECK(opened.has_value());
  return std::move(*opened);
}

void add(LocalFrontier& engine, const CandidateBatch& batch) {
  WEIR_CHECK(engine.turn({}, {&batch, 1}, SystemClock().now()).has_value());
}

std::unique_ptr<Store> open_raw(Bench& bench, const std::string& path) {
  StoreOptions options;
  options.path = path;
  options.families = local::families();
  auto store = Store::open(options, StoreAccess::kReadWrite, *bench.log);
  WEIR_CHECK(store.has_value());
  return std::move(*store);
}

// ---- add: against raw puts of the same bytes ----

struct Copy {
  std::size_t family;
  std::string key;
  std::string value;
};

// Every record the engine wrote for `batches`, in the order of its commits: the same keys, the same bytes.
std::vector<std::vector<Copy>> copies_of(Bench& bench, const std::string& path,
                                         const std::vector<CandidateBatch>& batches) {
  auto store = open_raw(bench, path + "/store");
  std::unordered_map<std::string, std::string> queue;
  for (auto cursor = store->scan(local::kQueue, {}, {}); cursor.valid(); cursor.next()) {
    queue.emplace(cursor.key(), cursor.value());
  }
  auto journal = store->scan(local::kJournal, {}, {});
  std::unordered_map<std::string_view, std::pair<HostId, std::uint64_t>> hosts;  // id, next seq
  std::vector<std::vector<Copy>> copies;
  for (const auto& batch : batches) {
    auto& records = copies.emplace_back();
    for (const auto& candidate : batch.items) {
      const auto [host, added] =
          hosts.try_emplace(batch.origin(candidate), static_cast<HostId>(hosts.size()), std::uint64_t{1});
      if (added) {
        records.push_back({local::kHostNames, std::string(host->first), local::host_key(host->second.first)});
      }
      std::string key;
      local::append_queue_key(
          key, {host->second.first, static_cast<std::uint8_t>(candidate.priority), host->second.second++});
      records.push_back({local::kQueue, key, queue.at(key)});
    }
    records.push_back({local::kJournal, std::string(journal.key()), std::string(journal.value())});
    journal.next();
  }
  return copies;
}

void bench_add(Bench& bench) {
  const Sizes& sizes = bench.sizes;
  std::vector<double> ours;
  std::vector<double> raw;
  for (int round = 0; round < sizes.add_rounds; ++round) {
    const auto batches = make_batches(sizes.add_urls, sizes.add_hosts, 7);
    const std::string path = bench.fresh("add");
    auto options = plain_options(path);
    options.durability = Durability::kOs;
    options.checkpoint.fingerprints_min = sizes.add_urls * 2;  // the journal stays, for the copy
    {
      auto engine = open(bench, options, sizes.add_urls * 2);
      const double before = cpu_seconds();
      for (const auto& batch : batches) add(*engine, batch);
      ours.push_back(cpu_seconds() - before);
    }
    const auto copies = copies_of(bench, path, batches);
    auto store = open_raw(bench, bench.fresh("raw"));
    const double before = cpu_seconds();
    for (const auto& records : copies) {
      StoreBatch batch = store->batch();
      for (const auto& record : records) batch.put(record.family, record.key, record.value);
      WEIR_CHECK(store->write(batch, false).has_value());
    }
    raw.push_back(cpu_seconds() - before);
  }
  // The least of each: on a shared machine other programs only ever add.
  const double scale = 1e6 / static_cast<double>(sizes.add_urls);
  const double a = std::ranges::min(ours) * scale;
  const double b = std::ranges::min(raw) * scale;
  bench.report("add / raw puts (CPU)", a / b, 1.25, fmt::format("{:.2f} against {:.2f} us per URL", a, b));
}

// ---- drain: one host, 200,000 pops ----

Settlement done(const Lease& lease, std::uint64_t number) {
  Settlement settlement;
  settlement.lease = lease.id;
  settlement.outcome = Outcome::kDone;
  settlement.page.fingerprint = {number, number};
  settlement.page.status = 200;
  settlement.host.contacted = true;
  return settlement;
}

double pop(LocalFrontier& engine, std::uint64_t count, std::uint64_t& number) {
  const double before = cpu_seconds(RUSAGE_THREAD);
  std::vector<Lease> leases;
  for (std::uint64_t i = 0; i < count; ++i) {
    leases.clear();
    WEIR_CHECK(engine.lease(1, SystemClock().now(), leases).has_value() && leases.size() == 1);
    const Settlement settlement = done(leases.front(), ++number);
    WEIR_CHECK(engine.turn({&settlement, 1}, {}, SystemClock().now()).has_value());
  }
  return (cpu_seconds(RUSAGE_THREAD) - before) / static_cast<double>(count) * 1e6;
}

// The control: the same queue popped by seeking the host's first key, as naive frontiers do.
void control_drain(Bench& bench, std::uint64_t urls, std::uint64_t pops) {
  auto store = open_raw(bench, bench.fresh("control"));
  for (std::uint64_t seq = 0; seq < urls;) {
    StoreBatch batch = store->batch();
    for (std::size_t i = 0; i < kBatch && seq < urls; ++i, ++seq) {
      std::string key;
      local::append_queue_key(key, {1, 4, seq});
      batch.put(local::kQueue, key, path_of(seq));
    }
    WEIR_CHECK(store->write(batch, false).has_value());
  }
  const auto measure = [&](std::uint64_t count) {
    const double before = cpu_seconds(RUSAGE_THREAD);
    for (std::uint64_t i = 0; i < count; ++i) {
      auto cursor = store->scan(local::kQueue, local::host_key(1), local::host_key(2));
      WEIR_CHECK(cursor.valid());
      StoreBatch batch = store->batch();
      batch.remove_single(local::kQueue, cursor.key());
      WEIR_CHECK(store->write(batch, false).has_value());
    }
    return (cpu_seconds(RUSAGE_THREAD) - before) / static_cast<double>(count) * 1e6;
  };
  const double first = measure(pops / 20);
  measure(pops - pops / 10);
  const double last = measure(pops / 20);
  Bench::say(
      fmt::format("  control, prefix seek: {:.1f} us per pop at the start, {:.1f} after {} pops ({:.0f}x)",
                  first, last, pops, last / first));
}

void bench_drain(Bench& bench) {
  const std::uint64_t urls = bench.sizes.drain_urls + bench.sizes.drain_urls / 4;
  auto options = plain_options(bench.fresh("drain"));
  options.durability = Durability::kOs;
  auto engine = open(bench, options, urls * 2);
  for (const auto& batch : make_batches(urls, 1, 7)) add(*engine, batch);
  std::uint64_t number = 0;
  const std::uint64_t sample = bench.sizes.drain_urls / 20;
  pop(*engine, sample / 4, number);
  const double first = pop(*engine, sample, number);
  while (number < bench.sizes.drain_urls) pop(*engine, sample, number);
  const double last = pop(*engine, sample, number);
  bench.report("take+finish, late / early", last / first, 1.2,
               fmt::format("{:.2f} us, then {:.2f} after {} pops of one host", first, last, number));
  control_drain(bench, urls, bench.sizes.control_pops);
}

// ---- idle: many hosts that wait ----

// Microseconds of CPU per lease and settlement of 500 busy hosts beside `idle` ones that are held for a day.
double take_beside(Bench& bench, std::uint64_t idle) {
  constexpr std::uint64_t kBusy = 500;
  constexpr std::uint64_t kPages = 40;
  auto options = plain_options(bench.fresh("idle"));
  options.durability = Durability::kOs;
  options.politeness.connections_per_host = 1;
  auto engine = open(bench, options, idle * 2 + 1'000'000);
  const auto now = SystemClock().now();
  const auto add_hosts = [&](const char* name, std::uint64_t hosts, std::uint64_t pages) {
    CandidateBatch batch;
    for (std::uint64_t i = 0; i < hosts * pages; ++i) {
      const std::string origin = fmt::format("http://{}-{}.test", name, i % hosts);
      Candidate candidate;
      candidate.fingerprint = keyed_hash128(origin + path_of(i), HashSecret{});
      candidate.origin_length = static_cast<std::uint32_t>(origin.size());
      batch.add(origin + path_of(i), candidate);
      if (batch.items.size() < 1000 && i + 1 < hosts * pages) continue;
      WEIR_CHECK(engine->turn({}, {&batch, 1}, now).has_value());
      batch = {};
    }
  };
  add_hosts("idle", idle, 2);
  std::uint64_t number = 0;
  std::vector<Lease> leases;
  std::vector<Settlement> settlements;
  while (engine->lease(1000, now, leases).value_or(0) > 0) {
    settlements.clear();
    for (const auto& lease : leases) {
      settlements.push_back(done(lease, ++number));
      settlements.back().host.hold = std::chrono::hours(20);
    }
    WEIR_CHECK(engine->turn(settlements, {}, now).has_value());
    leases.clear();
  }
  add_hosts("busy", kBusy, kPages);
  const double before = cpu_seconds(RUSAGE_THREAD);
  std::uint64_t taken = 0;
  while (taken < kBusy * kPages) {
    leases.clear();
    settlements.clear();
    taken += engine->lease(64, SystemClock().now(), leases).value_or(0);
    for (const auto& lease : leases) settlements.push_back(done(lease, ++number));
    WEIR_CHECK(!leases.empty() && engine->turn(settlements, {}, SystemClock().now()).has_value());
  }
  return (cpu_seconds(RUSAGE_THREAD) - before) / static_cast<double>(taken) * 1e6;
}

void bench_idle(Bench& bench) {
  const double few = take_beside(bench, 1000);
  const double many = take_beside(bench, bench.sizes.idle_hosts);
  bench.report("take beside idle hosts", many / few, 2.0,
               fmt::format("{:.2f} us beside 1000, {:.2f} beside {}", few, many, bench.sizes.idle_hosts));
}

// ---- reopen after kill -9 ----

void bench_reopen(Bench& bench) {
  const std::string path = bench.fresh("reopen");
  const std::uint64_t urls = bench.sizes.reopen_urls;
  const pid_t child = ::fork();
  if (child == 0) {
    auto engine = open(bench, plain_options(path), urls * 2);
    constexpr std::uint64_t kStep = 500'000;
    for (std::uint64_t from = 0; from < urls; from += kStep) {
      for (const auto& batch : make_batches(std::min(kStep, urls - from), 100'000, from + 1))
        add(*engine, batch);
    }
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  WEIR_CHECK(WIFSIGNALED(status));
  std::vector<double> raw;
  std::vector<double> ours;
  for (int round = 0; round < 3; ++round) {
    const std::string copy = bench.fresh("reopen-copy");
    std::filesystem::copy(path, copy, std::filesystem::copy_options::recursive);
    double before = wall_seconds();
    open_raw(bench, copy + "/store").reset();
    raw.push_back(wall_seconds() - before);
    std::filesystem::remove_all(copy);
    std::filesystem::copy(path, copy, std::filesystem::copy_options::recursive);
    before = wall_seconds();
    auto engine = open(bench, plain_options(copy), urls * 2);
    ours.push_back(wall_seconds() - before);
    WEIR_CHECK(engine->stats().queued == urls);
  }
  std::ranges::sort(raw);
  std::ranges::sort(ours);
  bench.report("reopen / raw reopen", ours[1] / raw[1], 1.5,
               fmt::format("{:.0f} ms against {:.0f} ms with {} pending", ours[1] * 1e3, raw[1] * 1e3, urls));
}

// ---- memory ----

void bench_memory(Bench& bench) {
  const Sizes& sizes = bench.sizes;
  auto engine = open(bench, plain_options(bench.fresh("memory")), sizes.memory_urls);
  constexpr std::uint64_t kSteps = 20;
  const std::uint64_t step = sizes.memory_urls / kSteps;
  double peak = 0;
  double half = 0;
  std::uint64_t number = 0;
  for (std::uint64_t i = 0; i < kSteps; ++i) {
    std::vector<Lease> leases;
    std::vector<Settlement> settlements;
    for (const auto& batch : make_batches(step, sizes.memory_hosts, i + 1)) {
      add(*engine, batch);
      // A crawl also takes: one page for each 20 links.
      leases.clear();
      settlements.clear();
      WEIR_CHECK(engine->lease(3, SystemClock().now(), leases).has_value());
      for (const auto& lease : leases) settlements.push_back(done(lease, ++number));
      WEIR_CHECK(engine->turn(settlements, {}, SystemClock().now()).has_value());
    }
    const double now = resident_mib();
    peak = std::max(peak, now);
    if (i == kSteps / 2) half = peak;
    const auto stats = engine->stats();
    Bench::say(fmt::format("  {:>9} admitted {:>6} hosts {:>6.1f} MiB resident (windows {:.1f}, set {:.1f})",
                           stats.admitted, stats.hosts_active, now,
                           static_cast<double>(stats.window_bytes) / kMiB,
                           static_cast<double>(stats.dedup.bytes) / kMiB));
  }
  bench.report("resident MiB", peak, 300, fmt::format("peak; {:.1f} at half", half));
}

// Each in a process of its own, so that one's memory is not another's.
void in_child(Bench& bench, void (*run)(Bench&)) {
  const pid_t child = ::fork();
  if (child == 0) {
    run(bench);
    ::_exit(bench.missed ? 1 : 0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) bench.missed = true;
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string_view> words(arguments + 1, arguments + count);
  Bench bench;
  if (!words.empty() && words[0] == "quick") bench.sizes = kQuick;
  const std::string_view which = words.size() > 1 ? words[1] : "all";
  bench.folder = std::string(words.size() > 2 ? words[2] : ".") + "/frontier-bench";
  std::filesystem::create_directories(bench.folder);
  const struct {
    const char* name;
    void (*run)(Bench&);
  } measures[] = {{"add", bench_add},
                  {"drain", bench_drain},
                  {"idle", bench_idle},
                  {"reopen", bench_reopen},
                  {"memory", bench_memory}};
  for (const auto& measure : measures) {
    if (which == "all" || which == measure.name) in_child(bench, measure.run);
  }
  std::filesystem::remove_all(bench.folder);
  return bench.missed ? 1 : 0;
}
