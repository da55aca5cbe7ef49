// One RE2::Set. It is asked twice when the index is wanted: the first question stops early and allocates
// nothing.
#include "frontier/scope/pattern_set.h"

#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <utility>

namespace weir::frontier {
namespace {

constexpr std::int64_t kPatternMemoryMax = 32 << 20;  // of one set: program and automaton together

RE2::Options pattern_options() {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kPatternMemoryMax);
  return options;
}

}  // namespace

struct PatternSet::Compiled {
  RE2::Set set{pattern_options(), RE2::UNANCHORED};
};

PatternSet::PatternSet() = default;
PatternSet::PatternSet(PatternSet&&) noexcept = default;
PatternSet& PatternSet::operator=(PatternSet&&) noexcept = default;
PatternSet::~PatternSet() = default;

Result<PatternSet> PatternSet::compile(std::string_view setting, const std::vector<std::string>& patterns) {
  PatternSet set;
  if (patterns.empty()) return set;
  set.compiled_ = std::make_unique<Compiled>();
  set.size_ = patterns.size();
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    std::string why;
    if (set.compiled_->set.Add(patterns[i], &why) < 0) {
      return fail(ErrorCode::kUsage, std::string(setting) + "[" + std::to_string(i) + "]: '" + patterns[i] +
                                         "' is not an RE2 pattern: " + why);
    }
  }
  if (!set.compiled_->set.Compile()) {
    return fail(ErrorCode::kUsage, std::string(setting) + ": the patterns together need more than " +
                                       std::to_string(kPatternMemoryMax >> 20) + " MiB; shorten the list");
  }
  return set;
}

PatternMatch PatternSet::match(std::string_view text) const {
  if (empty()) return PatternMatch::kNo;
  RE2::Set::ErrorInfo error{};
  if (compiled_->set.Match(re2::StringPiece(text.data(), text.size()), nullptr, &error)) {
    return PatternMatch::kYes;
  }
  return error.kind == RE2::Set::kNoError ? PatternMatch::kNo : PatternMatch::kUnsure;
}

std::optional<std::uint32_t> PatternSet::first_match(std::string_view text) const {
  if (match(text) != PatternMatch::kYes) return std::nullopt;
  if (size_ == 1) return 0;
  std::vector<int> matches;
  RE2::Set::ErrorInfo error{};
  if (!compiled_->set.Match(re2::StringPiece(text.data(), text.size()), &matches, &error)) return std::nullopt;
  return static_cast<std::uint32_t>(*std::ranges::min_element(matches));
}

}  // namespace weir::frontier
