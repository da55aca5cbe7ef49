// Standard output and standard error of the process: the one place that prints. Output is buffered and goes out
// in order before an error does; a reader that has gone away (EPIPE) ends it silently. One thread.
#pragma once

#include <cstddef>
#include <string>

#include "crawler/cli/streams.h"

namespace weir::crawler {

class StandardStreams final : public Streams {
 public:
  StandardStreams() = default;
  StandardStreams(const StandardStreams&) = delete;
  StandardStreams& operator=(const StandardStreams&) = delete;
  ~StandardStreams() override;

  void out(std::string_view text) override;
  void error(std::string_view text) override;
  // False when something could not be written, to a full disk for example.
  bool flush();

 private:
  std::string buffer_;
  bool failed_ = false;
};

// Of standard error; columns are 80 where they cannot be had.
struct Terminal {
  bool live = false;  // it is a terminal that can rewrite a line
  std::size_t columns = 80;
};
Terminal error_terminal();

}  // namespace weir::crawler
