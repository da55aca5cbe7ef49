// Arithmetic over RLIMIT_NOFILE.
#include "crawler/fetch/fd_budget.h"

#include <sys/resource.h>

#include <algorithm>
#include <string>

namespace weir::crawler {

std::uint64_t raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = limit.rlim_max;
  return ::setrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : before;
}

Result<DescriptorBudget> fit_descriptors(const DescriptorNeeds& needs) {
  const std::uint64_t shared = needs.limit > needs.reserved ? needs.limit - needs.reserved : 0;
  const std::uint64_t share = shared / std::max(needs.fetchers, 1u);
  const std::uint64_t sockets = share > kClientDescriptors ? share - kClientDescriptors : 0;
  constexpr std::uint64_t kPerTransfer = 1 + kExtraPerTransfer;
  if (sockets < kTransfersMin * kPerTransfer) {
    const std::uint64_t least =
        needs.reserved + std::uint64_t{needs.fetchers} * (kClientDescriptors + kTransfersMin * kPerTransfer);
    return fail(ErrorCode::kUsage, "the limit of open files is " + std::to_string(needs.limit) + ", at least " +
                                       std::to_string(least) +
                                       " are needed: raise it (ulimit -n 65536) or lower " +
                                       "crawl.fetcher_threads");
  }
  DescriptorBudget budget;
  budget.transfers_max =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(needs.transfers_max, sockets / kPerTransfer));
  const std::uint64_t left = sockets - std::uint64_t{budget.transfers_max} * kExtraPerTransfer;
  budget.connections_max = static_cast<std::uint32_t>(std::min<std::uint64_t>(needs.connections_max, left));
  budget.reduced = budget.transfers_max < needs.transfers_max || budget.connections_max < needs.connections_max;
  return budget;
}

void DescriptorThrottle::on_exhausted(std::uint32_t running) {
  successes_ = 0;
  limit_ = std::clamp(running * 3 / 4, 1u, limit_);
}

void DescriptorThrottle::on_success() {
  if (!reduced() || ++successes_ < kSuccessesPerStep) return;
  successes_ = 0;
  ++limit_;
}

}  // namespace weir::crawler
