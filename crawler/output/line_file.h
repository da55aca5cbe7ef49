// LineFile: a file of text lines that several writers append to. Lines are collected and appended by one
// write(2) per flush to a file opened with O_APPEND, so that writers never mix lines. One object per thread.
// A full disk never stops a crawl: lines that could not be written are counted. Not synced: after a power loss
// the last lines may be missing; after kill -9 none that were flushed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/error.h"

namespace weir::crawler {

class LineFile {
 public:
  // Makes the folder and the file when missing. A last line that a crash cut short is ended first.
  static Result<std::unique_ptr<LineFile>> open(const std::string& path);
  ~LineFile();  // flushes
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  // Append one line, its newline included, then call line_added(), which flushes when much has been collected.
  std::string& buffer() { return buffer_; }
  void line_added();
  void flush();

  std::uint64_t lines_lost() const { return lines_lost_; }

 private:
  explicit LineFile(int descriptor) : descriptor_(descriptor) {}

  const int descriptor_;
  std::string buffer_;
  std::uint64_t lines_buffered_ = 0;
  std::uint64_t lines_lost_ = 0;
};

}  // namespace weir::crawler
