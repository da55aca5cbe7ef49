// What the lossy key rules do to a path (in the key's spelling, beginning with '/'). Each returns true if it
// changed the path, and makes no dot segment, so that the parser reads back what was written. Pure.
#pragma once

#include <string>
#include <string_view>

namespace weir::frontier {

// A change points `text` into `storage`, or cuts it shorter.
struct KeyPath {
  std::string_view text;
  std::string storage;
};

// Takes ";jsessionid=..." and its like (is_session_param) out of every segment, up to the next ';' or '/'.
// A segment that would become "." or ".." keeps it.
bool strip_session_ids(KeyPath& path);

// ASCII letters outside escapes.
bool lowercase(KeyPath& path);

// The last segment, if it is a name that servers answer the folder with (index.html, default.aspx, ...).
bool strip_index(KeyPath& path);

// One slash at the end; not of "/", and not where two stand there: those are another resource.
bool strip_trailing_slash(KeyPath& path);

}  // namespace weir::frontier
