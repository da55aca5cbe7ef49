// The one home of libpsl's list functions. Names are copied once, for the terminating zero that C wants.
#include "frontier/scope/public_suffix.h"

#include <libpsl.h>

namespace weir::frontier {
namespace {

bool has_empty_label(std::string_view host) {
  return host.empty() || host.front() == '.' || host.back() == '.' || host.find("..") != std::string_view::npos;
}

}  // namespace

void PublicSuffixes::Free::operator()(const psl_ctx_st* list) const {
  psl_free(const_cast<psl_ctx_t*>(list));  // a no-op for the built-in list
}

PublicSuffixes PublicSuffixes::newest() {
  const psl_ctx_t* list = psl_latest(nullptr);
  return PublicSuffixes(list != nullptr ? list : psl_builtin());
}

Result<PublicSuffixes> PublicSuffixes::load(const std::string& path) {
  PublicSuffixes list(psl_load_file(path.c_str()));
  if (list.list_ == nullptr || psl_suffix_count(list.list_.get()) <= 0) {
    return fail(ErrorCode::kUsage, "cannot read public suffixes from '" + path +
                                       "'; want the format of https://publicsuffix.org/list/");
  }
  return list;
}

bool PublicSuffixes::is_public_suffix(std::string_view host) const {
  if (has_empty_label(host)) return false;
  return psl_is_public_suffix2(list_.get(), std::string(host).c_str(), PSL_TYPE_ANY | PSL_TYPE_NO_STAR_RULE) ==
         1;
}

std::string_view PublicSuffixes::registrable_domain(std::string_view host) const {
  if (has_empty_label(host)) return {};
  const std::string name(host);
  const char* domain = psl_registrable_domain(list_.get(), name.c_str());
  return domain == nullptr ? std::string_view() : host.substr(static_cast<std::size_t>(domain - name.c_str()));
}

}  // namespace weir::frontier
