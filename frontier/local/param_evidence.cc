// Two families. NUL is in no serialised URL, so that it separates fields and sorts before all of them:
//
//   pages    URL                                -> digest     asked for the member of a group without the
//   parameter members  host NUL name NUL rest NUL values  -> digest     rest: the URL without the parameter
#include "frontier/local/param_evidence.h"

#include <algorithm>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/coding.h"
#include "frontier/url/key_params.h"
#include "frontier/url/url_key.h"

namespace weir::frontier::local {
namespace {

constexpr std::uint32_t kBatchRecords = 10'000;
constexpr std::size_t kMemtableBytes = 16 << 20;
enum Sorted : std::size_t { kPages, kMembers };

std::vector<std::string_view> pieces_of(std::string_view query) {
  std::vector<std::string_view> pieces;
  for (std::size_t begin = 0; begin <= query.size();) {
    const std::size_t end = std::min(query.find('&', begin), query.size());
    pieces.push_back(query.substr(begin, end - begin));
    begin = end + 1;
  }
  return pieces;
}

// A key taken apart for one parameter.
struct Split {
  std::string rest;    // without the parameter; without '?' when no other is left
  std::string values;  // its pieces, in order
};

Split split_by(std::string_view front, const std::vector<std::string_view>& pieces, std::string_view name) {
  Split split{std::string(front), {}};
  bool first = true;
  for (const std::string_view piece : pieces) {
    if (param_name(piece) == name) {
      split.values.append(split.values.empty() ? "" : "&").append(piece);
      continue;
    }
    split.rest.append(first ? "?" : "&").append(piece);
    first = false;
  }
  return split;
}

struct Member {
  std::string_view host;
  std::string_view name;
  std::string_view rest;
  std::string_view values;
  std::uint64_t digest = 0;
};

Member decode_member(std::string_view key, std::string_view value) {
  Member member;
  for (std::string_view* field : {&member.host, &member.name, &member.rest, &member.values}) {
    const std::size_t end = std::min(key.find('\0'), key.size());
    *field = key.substr(0, end);
    key.remove_prefix(std::min(end + 1, key.size()));
  }
  member.digest = Reader(value).u64();
  return member;
}

std::string url_of(const Member& member) {
  const bool more = member.rest.find('?') != std::string_view::npos;
  return std::string(member.rest).append(more ? "&" : "?").append(member.values);
}

// Counts one parameter of one host; groups come one after another.
class Counter {
 public:
  void start(const Member& member) {
    count_ = {};
    count_.host = member.host;
    count_.param = member.name;
    values_.clear();
  }

  // `bare`: the digest of the member without the parameter, if that page was met.
  void start_group(const Member& member, std::optional<std::uint64_t> bare) {
    rest_ = member.rest;
    counted_ = false;
    first_ = bare;
    if (!bare) return;
    first_url_ = rest_;
    note_value("");
  }

  void add(const Member& member) {
    note_value(member.values);
    if (!first_) {
      first_ = member.digest;
      first_url_ = url_of(member);
      return;
    }
    if (!counted_) ++count_.pages;
    counted_ = true;
    const bool agrees = member.digest == *first_;
    ++(agrees ? count_.pairs_agreeing : count_.pairs_disagreeing);
    if (agrees && count_.examples[0].empty()) count_.examples = {first_url_, url_of(member)};
  }

  const ParamCount& count() {
    count_.values = values_.size();
    return count_;
  }
  bool is_same_param(const Member& member) const {
    return member.host == count_.host && member.name == count_.param;
  }
  bool is_same_group(const Member& member) const { return member.rest == rest_; }

 private:
  void note_value(std::string_view values) {
    if (values_.size() < kParamValuesMax) values_.emplace(values);
  }

  ParamCount count_;
  std::string rest_;
  std::optional<std::uint64_t> first_;
  std::string first_url_;
  bool counted_ = false;
  std::unordered_set<std::string> values_;
};

}  // namespace

Result<std::unique_ptr<ParamEvidence>> ParamEvidence::open(const std::string& folder, Log& log) {
  StoreOptions options;
  options.path = folder;
  options.families = {{"pages", kMemtableBytes, true}, {"members", kMemtableBytes, false}};
  auto store = Store::open(options, StoreAccess::kReadWrite, log);
  if (!store) return std::unexpected(store.error());
  return std::unique_ptr<ParamEvidence>(new ParamEvidence(std::move(*store)));
}

Result<void> ParamEvidence::put(std::size_t family, std::uint64_t digest) {
  value_.clear();
  put_u64(value_, digest);
  batch_.put(family, key_, value_);
  return ++in_batch_ < kBatchRecords ? Result<void>() : flush();
}

Result<void> ParamEvidence::flush() {
  auto written = store_->write(batch_, false);
  batch_.clear();
  in_batch_ = 0;
  return written;
}

Result<void> ParamEvidence::add(const Url& url, std::uint64_t digest) {
  const UrlKey key = canonical_key(url);
  key_ = key.text();
  if (auto stored = put(kPages, digest); !stored) return stored;
  const std::size_t mark = key.text().find('?');
  if (mark == std::string_view::npos) return {};
  const std::string_view front = key.text().substr(0, mark);
  const std::vector<std::string_view> pieces = pieces_of(key.text().substr(mark + 1));
  std::vector<std::string_view> names;
  for (const std::string_view piece : pieces) {
    const std::string_view name = param_name(piece);
    const bool met = std::ranges::find(names, name) != names.end();
    if (name.empty() || met || names.size() == kParamsPerUrlMax) continue;
    names.push_back(name);
    const Split split = split_by(front, pieces, name);
    key_.assign(url.hostname()).append(1, '\0').append(name).append(1, '\0');
    key_.append(split.rest).append(1, '\0').append(split.values);
    if (auto stored = put(kMembers, digest); !stored) return stored;
  }
  return {};
}

Result<void> ParamEvidence::for_each(const std::function<void(const ParamCount&)>& visit) {
  if (auto flushed = flush(); !flushed) return flushed;
  Counter counter;
  const auto report = [&] {
    if (counter.count().pages > 0) visit(counter.count());
  };
  auto cursor = store_->scan(kMembers, {}, {});
  bool first = true;
  for (; cursor.valid(); cursor.next(), first = false) {
    const Member member = decode_member(cursor.key(), cursor.value());
    const bool same_param = !first && counter.is_same_param(member);
    if (!first && !same_param) report();
    if (!same_param) counter.start(member);
    if (!same_param || !counter.is_same_group(member)) {
      auto bare = store_->get(kPages, member.rest);
      if (!bare) return std::unexpected(bare.error());
      counter.start_group(member, *bare ? std::optional(Reader(**bare).u64()) : std::nullopt);
    }
    counter.add(member);
  }
  if (!first) report();
  return cursor.status();
}

}  // namespace weir::frontier::local
