// The contact rule and the default scope (docs/decisions/0006).
#include "crawler/cli/crawl_plan.h"

#include <algorithm>
#include <utility>

#include "crawler/cli/seed_scope.h"
#include "crawler/fetch/address_rules.h"
#include "crawler/fetch/host_map.h"
#include "crawler/fetch/hosts_file.h"
#include "crawler/seeds/line_source.h"

namespace weir::crawler {
namespace {

using frontier::Url;

bool is_on_this_machine(const Url& url, const HostMap& names) {
  std::string_view host = url.hostname();
  if (const frontier::IpAddress* mapped = names.find(host)) return is_loopback(*mapped);
  if (host == "localhost" || host.ends_with(".localhost")) return true;  // RFC 6761 6.3
  if (url.host_kind() == frontier::HostKind::kIpv6) host = host.substr(1, host.size() - 2);
  const frontier::IpAddress address = parse_ip(host);
  if (address.known) return is_loopback(address);
  return hosts_file_says_loopback(std::string(host));
}

Result<void> copy_standard_input(SeedSources& seeds) {
  const auto inputs = std::ranges::count(seeds.files, "-");
  if (inputs == 0) return {};
  if (inputs > 1) return fail(ErrorCode::kUsage, "standard input ('-') can be named once only");
  auto spool = spool_standard_input();
  if (!spool) return std::unexpected(spool.error());
  seeds.spool = *spool;
  return {};
}

Result<void> check_contact(const Config& config, const CrawlPlan& plan) {
  if (plan.all_loopback || !config.agent.contact.empty()) return {};
  return fail(ErrorCode::kUsage,
              "agent.contact is required, so that whoever runs a site can reach you: "
              "--set agent.contact=https://example.org/our-crawler (or mailto:you@example.org)");
}

}  // namespace

Result<CrawlPlan> plan_crawl(const Config& config) {
  auto names = HostMap::parse(config.dns.hosts);
  if (!names) return std::unexpected(names.error());
  CrawlPlan plan;
  plan.seeds = {config.crawl.seeds, config.crawl.seed_files, -1};
  if (auto copied = copy_standard_input(plan.seeds); !copied) return std::unexpected(copied.error());
  SeedScope scope(config);
  auto read = for_each_seed(plan.seeds, plan.report, [&](const Seed& seed) -> Result<void> {
    plan.all_loopback = plan.all_loopback && is_on_this_machine(seed.url, *names);
    scope.add(seed.url);
    return {};
  });
  if (!read) return std::unexpected(read.error());
  if (plan.report.good == 0) {
    const std::string bad = format_bad_seeds(plan.report);
    return fail(ErrorCode::kUsage,
                (bad.empty() ? "" : bad + "\n") +
                    "no seeds: name URLs, --seeds FILE or crawl.seeds; a crawl is resumed by the "
                    "same command that began it");
  }
  if (auto contact = check_contact(config, plan); !contact) return std::unexpected(contact.error());
  plan.scope = std::move(scope).finish();
  return plan;
}

}  // namespace weir::crawler
