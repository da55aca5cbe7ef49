// PublicSuffixes: which names are registered by whom (https://publicsuffix.org). libpsl stands behind it; its
// list is the system's newest or the built-in one. Private suffixes (github.io) count: below them others live.
// Hosts are as Url::hostname() gives them: lower case, Punycode. Immutable and thread-safe after loading.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

struct psl_ctx_st;

namespace weir::frontier {

class PublicSuffixes {
 public:
  // The newest list on this machine; never fails, because libpsl carries one.
  static PublicSuffixes newest();
  // A file in the list's own format. kUsage when it cannot be read or holds no rules.
  static Result<PublicSuffixes> load(const std::string& path);

  // "co.uk" and "github.io"; a single label that no rule names ("localhost", "test") is none.
  bool is_public_suffix(std::string_view host) const;

  // "a.co.uk" of "www.a.co.uk"; empty for a public suffix, a single label and what has empty labels. An IP
  // address must not be asked about. A view into `host`.
  std::string_view registrable_domain(std::string_view host) const;

 private:
  struct Free {
    void operator()(const psl_ctx_st* list) const;
  };
  explicit PublicSuffixes(const psl_ctx_st* list) : list_(list) {}

  std::unique_ptr<const psl_ctx_st, Free> list_;
};

}  // namespace weir::frontier
