#!/bin/sh
# A dedup backend is two files and one registry line: writes a toy backend into a scratch copy of dedup/, and
# checks that the conformance suite runs over it by name. With a broken toy the suite must go red.
# Called by ctest: toy_backend.sh SOURCE_DIR COMPILER "FLAGS" LIBRARY...   (libraries: dedup, base, gtest, ...)
set -eu
source_dir=$1
compiler=$2
flags=$3
shift 3

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r "$source_dir/dedup" "$scratch/dedup"

# File one.
cat > "$scratch/dedup/toy_set.h" <<'TOY'
// ToySet: a std::set of fingerprints, to show what a backend needs.
#pragma once

#include <set>
#include <utility>

#include "dedup/registry.h"

namespace weir::dedup {

class ToySet final : public UrlSet {
 public:
  Result<void> test_and_set(std::span<const Fingerprint> batch, std::span<Verdict> verdicts) override;
  Result<void> test(std::span<const Fingerprint> batch, std::span<Verdict> verdicts) const override;
  Result<void> insert(std::span<const Fingerprint> batch) override;
  SetStats stats() const override;
  bool exact() const override { return true; }
  std::string_view name() const override { return "toy"; }

 private:
  std::set<std::pair<std::uint64_t, std::uint64_t>> keys_;
};

}  // namespace weir::dedup
TOY

# File two.
cat > "$scratch/dedup/toy_set.cc" <<'TOY'
// The toy's three operations and its row. TOY_BREAKS makes every seventh repeat win again.
#include "dedup/toy_set.h"

namespace weir::dedup {

Result<void> ToySet::test_and_set(std::span<const Fingerprint> batch, std::span<Verdict> verdicts) {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    bool fresh = keys_.insert({batch[i].hi, batch[i].lo}).second;
#ifdef TOY_BREAKS
    fresh = fresh || batch[i].lo % 7 == 0;
#endif
    verdicts[i] = fresh ? Verdict::kNew : Verdict::kSeen;
  }
  return {};
}

Result<void> ToySet::test(std::span<const Fingerprint> batch, std::span<Verdict> verdicts) const {
  for (std::size_t i = 0; i < batch.size(); ++i) {
    verdicts[i] = keys_.contains({batch[i].hi, batch[i].lo}) ? Verdict::kSeen : Verdict::kNew;
  }
  return {};
}

Result<void> ToySet::insert(std::span<const Fingerprint> batch) {
  for (const Fingerprint& key : batch) keys_.insert({key.hi, key.lo});
  return {};
}

SetStats ToySet::stats() const {
  SetStats stats;
  stats.keys = keys_.size();
  return stats;
}

Backend toy_backend() {
  return {"toy", "a std::set", false,
          [](const SetOptions&) -> Result<std::unique_ptr<UrlSet>> { return std::make_unique<ToySet>(); }};
}

}  // namespace weir::dedup
TOY

# The one registry line.
sed -i 's/^  ROW(exact_backend) .*/&\n  ROW(toy_backend) \\/' "$scratch/dedup/registry.cc"
changed=$(diff "$source_dir/dedup/registry.cc" "$scratch/dedup/registry.cc" | grep -c '^[<>]' || true)
[ "$changed" = 1 ] || { echo "expected one changed line in registry.cc, found $changed"; exit 1; }

# The scratch copy comes first, so that its registry is the one that is linked.
compile() {
  # shellcheck disable=SC2086
  "$compiler" -std=c++23 $flags -I"$scratch" -I"$source_dir" "$@"
}
compile -c "$source_dir/tests/dedup/conformance_test.cc" -o "$scratch/suite.o" &
compile -c "$scratch/dedup/registry.cc" -o "$scratch/registry.o"
compile -c "$scratch/dedup/toy_set.cc" -o "$scratch/toy.o"
compile -DTOY_BREAKS -c "$scratch/dedup/toy_set.cc" -o "$scratch/broken.o"
wait $!
compile "$scratch/suite.o" "$scratch/registry.o" "$scratch/toy.o" "$@" -o "$scratch/suite"
compile "$scratch/suite.o" "$scratch/registry.o" "$scratch/broken.o" "$@" -o "$scratch/broken_suite"

"$scratch/suite" --gtest_filter='*/toy' > "$scratch/out" 2>&1 || { cat "$scratch/out"; exit 1; }
ran=$(grep -c '^\[       OK \] .*/toy' "$scratch/out" || true)
[ "$ran" -ge 10 ] || { cat "$scratch/out"; echo "the suite ran only $ran tests over the toy backend"; exit 1; }
if "$scratch/broken_suite" --gtest_filter='*Law1*/toy' > "$scratch/out" 2>&1; then
  echo "the suite stayed green over a toy backend that breaks law 1"
  exit 1
fi
echo "toy backend: two files, one line, $ran conformance tests green; its broken twin is red"
