// TrustStore: the file of TLS root certificates that libcurl is given: the system's, or these and the
// operator's extra ones together in an anonymous memory file. One file and no directory, because only then
// does libcurl 7.88 parse the roots once instead of for every connection. Immutable after open.
#pragma once

#include <string>

#include "base/error.h"

namespace weir::crawler {

class TrustStore {
 public:
  // kUsage when `extra_file` holds no certificate. Empty: only the system's.
  static Result<TrustStore> open(const std::string& extra_file);

  TrustStore(TrustStore&& other) noexcept;
  TrustStore& operator=(TrustStore&&) = delete;
  ~TrustStore();

  const std::string& path() const { return path_; }  // empty: the system has none

 private:
  TrustStore(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}

  int descriptor_ = -1;
  std::string path_;
};

}  // namespace weir::crawler
