// TagSkipper: finds the end of a tag too long to be kept, over any number of pieces (HTML
// Standard 13.2.5.32-40). Remembers one state, nothing of the tag. Pure.
#pragma once

#include <cstdint>
#include <string_view>

#include "crawler/html/ascii.h"

namespace weir::crawler {

class TagSkipper {
 public:
  // From behind the '<'.
  void start() { state_ = State::kName; }

  // How much of `text` belongs to the tag, its '>' included; *ended says whether that was met.
  std::size_t skip(std::string_view text, bool* ended) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (!step(text[i])) continue;
      *ended = true;
      return i + 1;
    }
    *ended = false;
    return text.size();
  }

 private:
  enum class State : std::uint8_t { kBetween, kName, kAfterName, kBeforeValue, kQuoted, kUnquoted };

  // True at the '>' that ends the tag.
  bool step(char c) {
    if (state_ == State::kQuoted) {
      if (c == quote_) state_ = State::kBetween;
      return false;
    }
    if (c == '>') return true;
    if (is_ascii_space(c)) {
      if (state_ == State::kName) state_ = State::kAfterName;
      if (state_ == State::kUnquoted) state_ = State::kBetween;
      return false;
    }
    switch (state_) {
      case State::kBeforeValue:
        quote_ = c;
        state_ = c == '"' || c == '\'' ? State::kQuoted : State::kUnquoted;
        return false;
      case State::kName:
      case State::kAfterName:
        state_ = c == '/' ? State::kBetween : c == '=' ? State::kBeforeValue : State::kName;
        return false;
      case State::kBetween:
        if (c != '/') state_ = State::kName;
        return false;
      case State::kQuoted:
      case State::kUnquoted: return false;
    }
    return false;
  }

  State state_ = State::kBetween;
  char quote_ = '"';
};

}  // namespace weir::crawler
