// JSON, written only: strings escaped for any bytes, and objects field by field. Output is always valid UTF-8
// and one line: bad sequences become U+FFFD, control characters (C0, DEL, C1) become \u escapes, so that a
// terminal that shows it cannot be steered. Pure; appends to the caller's string.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weir::crawler {

// Appends `text` in quotes. Cost: one pass; runs of plain ASCII are copied whole.
void append_json_string(std::string& out, std::string_view text);

// {"a":1,"b":"x"}; close() ends it. Names are the program's own and not escaped.
class JsonObject {
 public:
  explicit JsonObject(std::string& out) : out_(out) { out_ += '{'; }

  JsonObject& text(std::string_view name, std::string_view value);
  JsonObject& text_or_null(std::string_view name, std::string_view value);  // null when empty
  JsonObject& number(std::string_view name, std::uint64_t value);
  JsonObject& fraction(std::string_view name, double value);  // finite
  JsonObject& boolean(std::string_view name, bool value);
  JsonObject& null(std::string_view name);
  JsonObject& raw(std::string_view name, std::string_view json);  // already JSON
  void close() { out_ += '}'; }

 private:
  void begin(std::string_view name);

  std::string& out_;
  bool first_ = true;
};

}  // namespace weir::crawler
