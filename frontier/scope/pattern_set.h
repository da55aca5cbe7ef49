// PatternSet: many RE2 patterns, one question: does any match, and which is the first? Patterns are searched in
// the text, not anchored. Linear in the text whatever the patterns are. Immutable and thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace weir::frontier {

enum class PatternMatch : std::uint8_t {
  kNo,
  kYes,
  kUnsure  // RE2 gave up: the patterns need more memory for this text than they may have
};

class PatternSet {
 public:
  // `setting` is the name in messages, "scope.deny". kUsage, naming the pattern by its index, when one does not
  // compile or all together are too large. An empty list matches nothing.
  static Result<PatternSet> compile(std::string_view setting, const std::vector<std::string>& patterns);
  PatternSet(PatternSet&&) noexcept;
  PatternSet& operator=(PatternSet&&) noexcept;
  ~PatternSet();
  PatternSet();

  bool empty() const { return size_ == 0; }

  // Allocates nothing and stops at the first match of any pattern.
  PatternMatch match(std::string_view text) const;

  // The lowest index of a pattern that matches; nullopt when none does or RE2 gave up. Allocates on a match.
  std::optional<std::uint32_t> first_match(std::string_view text) const;

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;  // null: no patterns
  std::size_t size_ = 0;
};

}  // namespace weir::frontier
