// Parameters of a query, as the lossy key rules see them: pieces between '&', each with a name up to its first
// '='. Names are compared in the key's spelling ("utm%5Fid" is "utm_id"). Pure; a query that stays as it is is
// not copied.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace weir::frontier {

// Names an operator listed; a '*' at the end stands for any rest. Exact in case.
class ParamNames {
 public:
  // kUsage: an empty name, one with '&', '=' or '#', or with '*' elsewhere than at its end.
  Result<void> add(const std::string& name);
  bool has(std::string_view name) const;
  // As given, in the key's spelling; sorted, each once.
  const std::vector<std::string>& patterns() const { return patterns_; }

 private:
  std::vector<std::string> patterns_;
};

// The built-in lists (docs/url-identity.md), in any case of their letters.
bool is_tracking_param(std::string_view name);
bool is_session_param(std::string_view name);

// A query in the key's spelling, without its '?'; absent: there is none. A change points `text` into `storage`.
struct KeyQuery {
  std::optional<std::string_view> text;
  std::string storage;
};

// The name of one piece of a query.
inline std::string_view param_name(std::string_view piece) { return piece.substr(0, piece.find('=')); }

// Takes out every parameter whose name is `dropped`. If nothing is left of a query that lost parameters, the
// query is gone with its '?'. True: something was taken out.
template <typename Dropped>
bool strip_query(KeyQuery& query, Dropped dropped);

// By name, stable. True: the order changed.
bool sort_query(KeyQuery& query);

// ---- implementation ----------------------------------------------------------------------------------------

template <typename Dropped>
bool strip_query(KeyQuery& query, Dropped dropped) {
  if (!query.text) return false;
  std::string kept;
  bool changed = false;
  bool first = true;
  std::size_t begin = 0;
  while (begin <= query.text->size()) {
    const std::size_t end = std::min(query.text->find('&', begin), query.text->size());
    const std::string_view piece = query.text->substr(begin, end - begin);
    const bool drop = dropped(param_name(piece));
    if (drop && !changed) kept.assign(query.text->substr(0, begin > 0 ? begin - 1 : 0));
    changed = changed || drop;
    if (!drop && changed) kept.append(first ? "" : "&").append(piece);
    first = first && drop;
    begin = end + 1;
  }
  if (!changed) return false;
  query.storage = std::move(kept);
  query.text = query.storage;
  if (query.text->empty()) query.text.reset();
  return true;
}

}  // namespace weir::frontier
