// LineSource: lines of a text file, plain or gzip (told apart by its first bytes), or of standard input.
// Reads in chunks: a file of any size costs one line of memory. Not thread-safe. Blocking I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace weir::crawler {

enum class LineEvent : std::uint8_t {
  kLine,
  kTooLong,  // over the limit: skipped to its end, text() is empty
  kEnd
};

class LineSource {
 public:
  // Takes over `descriptor`. `name` is for messages. kUsage when it is not a file.
  static Result<LineSource> adopt(int descriptor, std::string name);
  // "-" is standard input.
  static Result<LineSource> open(const std::string& path);
  LineSource(LineSource&&) noexcept;
  LineSource& operator=(LineSource&&) = delete;
  ~LineSource();

  // kUsage when the file cannot be read to its end (damaged or cut gzip).
  Result<LineEvent> next();

  std::string_view text() const { return line_; }   // without line end and byte order mark; until next()
  std::uint64_t number() const { return number_; }  // of the line, from 1
  const std::string& name() const { return name_; }

 private:
  struct Stream;
  LineSource(std::unique_ptr<Stream> stream, std::string name);
  Result<bool> fill();
  void take(std::string_view piece, bool& too_long);

  std::unique_ptr<Stream> stream_;
  std::string name_;
  std::vector<char> chunk_;
  std::size_t begin_ = 0;  // unread part of the chunk
  std::size_t end_ = 0;
  std::string line_;
  std::uint64_t number_ = 0;
};

// Standard input as a file that can be read twice (a copy without a name in the temporary folder).
Result<int> spool_standard_input();

}  // namespace weir::crawler
