// Streams: where a verb's words go. Results to out(), what went wrong to error(). Implementations:
// StandardStreams (the process's own) and the tests' recorder. One thread.
#pragma once

#include <string>
#include <string_view>

namespace weir::crawler {

class Streams {
 public:
  virtual ~Streams() = default;
  virtual void out(std::string_view text) = 0;
  virtual void error(std::string_view text) = 0;

  void out_line(std::string_view text) { out(std::string(text) + "\n"); }
  // "weir: text".
  void problem(std::string_view text) { error("weir: " + std::string(text) + "\n"); }
};

}  // namespace weir::crawler
