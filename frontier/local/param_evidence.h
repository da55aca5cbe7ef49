// ParamEvidence: query parameters that made no difference. Pages of one host are compared that differ in the
// value or presence of one parameter only: do their contents (DoneRecord::digest) agree? Nothing is concluded
// here but counts; a parameter that agreed ten times may matter the eleventh.
//
// Sorting is done by a store of its own in a scratch folder, so that memory does not grow with the pages: about
// 50 MiB of RocksDB's. Disk: every URL once, and once more for each of its parameters. One thread.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/log.h"
#include "base/store.h"
#include "frontier/url/url.h"

namespace weir::frontier::local {

inline constexpr std::size_t kParamsPerUrlMax = 32;     // of the first so many names of a query is kept account
inline constexpr std::uint64_t kParamValuesMax = 1000;  // distinct values are counted up to this

struct ParamCount {
  std::string host;
  std::string param;                      // in the key's spelling
  std::uint64_t pages = 0;                // groups of URLs that are one but for the parameter
  std::uint64_t pairs_agreeing = 0;       // members of a group beyond its first, with the content of the first
  std::uint64_t pairs_disagreeing = 0;    // with another
  std::uint64_t values = 0;               // distinct; being absent is one of them
  std::array<std::string, 2> examples{};  // the first pair that agreed
};

class ParamEvidence {
 public:
  // `folder` is made and is the caller's to remove.
  static Result<std::unique_ptr<ParamEvidence>> open(const std::string& folder, Log& log);

  // A page that was answered with `digest`.
  Result<void> add(const Url& url, std::uint64_t digest);

  // After all add(): every parameter that was compared at least once, in order of host and name.
  Result<void> for_each(const std::function<void(const ParamCount&)>& visit);

 private:
  explicit ParamEvidence(std::unique_ptr<Store> store) : store_(std::move(store)), batch_(store_->batch()) {}
  Result<void> put(std::size_t family, std::uint64_t digest);  // under key_
  Result<void> flush();

  std::unique_ptr<Store> store_;
  StoreBatch batch_;
  std::uint32_t in_batch_ = 0;
  std::string key_;
  std::string value_;
};

}  // namespace weir::frontier::local
