// Escaping by class of byte: plain runs are found first, everything else one character at a time.
#include "crawler/output/json.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <iterator>

namespace weir::crawler {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

constexpr bool is_plain(unsigned char byte) {
  return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
}

void append_escape(std::string& out, unsigned char byte) {
  out.append("\\u00").append(1, kHexDigits[byte >> 4]).append(1, kHexDigits[byte & 15]);
}

void append_ascii(std::string& out, unsigned char byte) {
  switch (byte) {
    case '"': out.append("\\\""); return;
    case '\\': out.append("\\\\"); return;
    case '\n': out.append("\\n"); return;
    case '\r': out.append("\\r"); return;
    case '\t': out.append("\\t"); return;
  }
  append_escape(out, byte);
}

struct Sequence {
  std::size_t length = 1;  // bytes to consume
  bool valid = false;
};

// Unicode 15 table 3-7: which second bytes a lead byte allows. An invalid sequence ends before the first byte
// that does not belong to it ("maximal subpart", as browsers replace).
Sequence sequence_at(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto lead = byte(0);
  if (lead < 0xc2 || lead > 0xf4) return {};
  const std::size_t wanted = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  const unsigned lowest = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const unsigned highest = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (byte(1) < lowest || byte(1) > highest) return {};
  for (std::size_t i = 2; i < wanted; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xbf) return {i, false};
  }
  return {wanted, true};
}

std::size_t append_multibyte(std::string& out, std::string_view text) {
  const Sequence sequence = sequence_at(text);
  const bool c1_control = sequence.valid && text[0] == '\xC2' && static_cast<unsigned char>(text[1]) < 0xa0;
  if (!sequence.valid) {
    out.append(kReplacement);
  } else if (c1_control) {
    append_escape(out, static_cast<unsigned char>(text[1]));
  } else {
    out.append(text.substr(0, sequence.length));
  }
  return sequence.length;
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = at;
    while (end < text.size() && is_plain(static_cast<unsigned char>(text[end]))) ++end;
    out.append(text.substr(at, end - at));
    at = end;
    if (at == text.size()) break;
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x80) {
      append_ascii(out, byte);
      ++at;
    } else {
      at += append_multibyte(out, text.substr(at));
    }
  }
  out += '"';
}

void JsonObject::begin(std::string_view name) {
  out_.append(first_ ? "\"" : ",\"").append(name).append("\":");
  first_ = false;
}

JsonObject& JsonObject::text(std::string_view name, std::string_view value) {
  begin(name);
  append_json_string(out_, value);
  return *this;
}

JsonObject& JsonObject::text_or_null(std::string_view name, std::string_view value) {
  return value.empty() ? null(name) : text(name, value);
}

JsonObject& JsonObject::number(std::string_view name, std::uint64_t value) {
  begin(name);
  fmt::format_to(std::back_inserter(out_), "{}", value);
  return *this;
}

JsonObject& JsonObject::fraction(std::string_view name, double value) {
  begin(name);
  fmt::format_to(std::back_inserter(out_), "{}", value);
  return *this;
}

JsonObject& JsonObject::boolean(std::string_view name, bool value) {
  return raw(name, value ? "true" : "false");
}

JsonObject& JsonObject::null(std::string_view name) { return raw(name, "null"); }

JsonObject& JsonObject::raw(std::string_view name, std::string_view json) {
  begin(name);
  out_.append(json);
  return *this;
}

}  // namespace weir::crawler
