// ResponseHead: the few header fields a crawler reads, collected line by line while they arrive. Interim (1xx)
// answers are forgotten when the next one begins; trailers and lines after the end change nothing but the byte
// count. A value type.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace weir::crawler {

class ResponseHead {
 public:
  // One line as it came, with its line end. False: more than limits::kHeaderBytesMax so far.
  bool add_line(std::string_view line, WallTime now);

  const std::string& content_type() const { return content_type_; }          // last field
  const std::string& location() const { return location_; }                  // first field, raw bytes
  const std::string& retry_after() const { return retry_after_; }            // of several the longest wait
  const std::string& link() const { return link_; }                          // all fields, joined by ", "
  const std::string& refresh() const { return refresh_; }                    // first field
  const std::string& content_location() const { return content_location_; }  // first field
  std::size_t bytes() const { return bytes_; }
  bool complete() const { return complete_; }

  void clear();

 private:
  void begin_answer(std::string_view status_line);
  void end_field(WallTime now);

  std::string content_type_;
  std::string location_;
  std::string retry_after_;
  std::string link_;
  std::string refresh_;
  std::string content_location_;
  std::string field_name_;   // lower case, of the field being read; empty: none of interest
  std::string field_value_;  // kept until the next line shows that it is not continued
  bool has_location_ = false;
  bool interim_ = false;
  bool complete_ = false;
  std::size_t bytes_ = 0;
};

}  // namespace weir::crawler
