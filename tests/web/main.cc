// weir-testweb: a web made from a seed, served on loopback, that knows what a crawler should have done to it.
// SIGTERM or SIGINT ends it and writes the report. One thread. See graph.h for its URLs, --help for its flags.
#include <fmt/core.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>
#include <vector>

#include "tests/web/load.h"
#include "tests/web/web_service.h"

namespace weir::testweb {
namespace {

// Sockets are the one thing that is needed in numbers.
void raise_open_files() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

int stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  return signalfd(-1, &signals, SFD_CLOEXEC);
}

std::string address_of(std::uint32_t host) {
  constexpr std::uint32_t kLast = 250, kMiddle = 256;
  return fmt::format("127.{}.{}.{}", 1 + host / (kLast * kMiddle), host / kLast % kMiddle, 1 + host % kLast);
}

Result<void> write_file(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::trunc);
  file << text << std::flush;
  if (!file) return fail(ErrorCode::kRuntime, fmt::format("cannot write '{}'; is its folder there?", path));
  return {};
}

Result<void> write_names(const WebOptions& options) {
  if (options.names_file.empty()) return {};
  std::string text = "[dns.hosts]\n";
  if (!options.address_per_host) return write_file(options.names_file, text + "\"*.test\" = \"127.0.0.1\"\n");
  for (std::uint32_t k = 0; k < options.hosts; ++k) {
    text += fmt::format("\"{}\" = \"{}\"\n", host_name(k), address_of(k));
  }
  return write_file(options.names_file, text);
}

Result<void> write_report(const WebOptions& options, const WebService& service) {
  if (options.report_file.empty()) return {};
  if (options.report_file != "-") return write_file(options.report_file, service.report());
  fmt::print("{}", service.report());
  return {};
}

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

Result<void> measure(Server& server, WebService& service, double seconds, const Clock& clock) {
  // The load's process holds the only write end: its end is our signal to stop.
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) return fail(ErrorCode::kRuntime, "cannot make a pipe");
  const pid_t child = fork();
  if (child == 0) {
    const auto duration = std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
    _exit(load(service.graph(), server.port(), duration, clock) ? 0 : 1);
  }
  close(ends[1]);
  const double processor = processor_seconds();
  const MonoTime begin = clock.now().mono;
  if (auto served = server.run(service, ends[0]); !served) return served;
  const double wall = std::chrono::duration<double>(clock.now().mono - begin).count();
  const double used = processor_seconds() - processor;
  close(ends[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
    return fail(ErrorCode::kRuntime, "the load generator was not answered as it should be");
  }
  const auto pages = static_cast<double>(service.requests());
  fmt::print(
      "pages {:.0f} wall_seconds {:.2f} pages_per_second {:.0f} cpu_seconds {:.2f} pages_per_cpu_second "
      "{:.0f}\n",
      pages, wall, pages / wall, used, pages / used);
  return {};
}

Result<void> serve(const WebOptions& options) {
  raise_open_files();
  const SystemClock clock;
  const bool any = options.address_per_host && options.bind == "127.0.0.1";
  auto server = Server::listen(any ? "0.0.0.0" : options.bind, options.port, clock);
  if (!server) return std::unexpected(server.error());
  WebService service(options, (*server)->port());
  if (auto named = write_names(options); !named) return named;
  if (options.measure_seconds > 0) return measure(**server, service, options.measure_seconds, clock);
  const int stop = stop_signals();
  fmt::print("ready http://{}:{}/ port={} pages={} hosts={} seed={}\n", host_name(0), (*server)->port(),
             (*server)->port(), options.pages, options.hosts, options.seed);
  std::fflush(stdout);
  if (auto served = (*server)->run(service, stop); !served) return served;
  return write_report(options, service);
}

int run(std::span<char*> words) {
  std::vector<std::string_view> arguments(words.begin(), words.end());
  for (const std::string_view word : arguments) {
    if (word != "--help") continue;
    fmt::print("{}", usage());
    return 0;
  }
  const auto options = parse_options(arguments);
  const auto served = options ? serve(*options) : Result<void>(std::unexpected(options.error()));
  if (served) return 0;
  fmt::print(stderr, "weir-testweb: {}\n", served.error().message());
  return served.error().code() == ErrorCode::kUsage ? 2 : 1;
}

}  // namespace
}  // namespace weir::testweb

int main(int argc, char** argv) {
  return weir::testweb::run(std::span(argv, static_cast<std::size_t>(argc)).subspan(1));
}
