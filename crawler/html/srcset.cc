// The steps of the standard; descriptors only decide whether a candidate is valid.
#include "crawler/html/srcset.h"

#include "crawler/html/ascii.h"

namespace weir::crawler {
namespace {

// "Rules for parsing floating-point number values" applied to all of the text; the sign of "-0" included.
struct Number {
  bool valid = false;
  bool negative = false;
  bool zero = true;
};

std::size_t skip_digits(std::string_view text, std::size_t at, Number& number) {
  for (; at < text.size() && is_ascii_digit(text[at]); ++at) number.zero = number.zero && text[at] == '0';
  return at;
}

// A valid floating-point number: [-] digits [. digits] [e [+-] digits], digits before or behind the point.
Number read_number(std::string_view text) {
  Number number;
  number.negative = text.starts_with('-');
  const std::size_t start = number.negative ? 1 : 0;
  std::size_t at = skip_digits(text, start, number);
  bool digits = at > start;
  if (at < text.size() && text[at] == '.') {
    const std::size_t fraction = at + 1;
    at = skip_digits(text, fraction, number);
    if (at == fraction) return number;
    digits = true;
  }
  if (!digits) return number;
  if (at < text.size() && ascii_lower(text[at]) == 'e') {
    ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    Number ignored;
    const std::size_t exponent = at;
    at = skip_digits(text, at, ignored);
    if (at == exponent) return number;
  }
  number.valid = at == text.size();
  return number;
}

bool is_integer(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool is_zero(std::string_view digits) { return digits.find_first_not_of('0') == std::string_view::npos; }

// What the descriptors of one candidate have said so far.
class Descriptors {
 public:
  void add(std::string_view text) {
    const char unit = text.back();
    const std::string_view value = text.substr(0, text.size() - 1);
    if (unit == 'w') {
      error_ = error_ || !is_integer(value) || is_zero(value) || width_ || density_;
      width_ = true;
    } else if (unit == 'x') {
      const Number number = read_number(value);
      error_ = error_ || !number.valid || (number.negative && !number.zero) || width_ || density_ || height_;
      density_ = true;
    } else if (unit == 'h') {
      error_ = error_ || !is_integer(value) || is_zero(value) || height_ || density_;
      height_ = true;
    } else {
      error_ = true;
    }
  }
  bool valid() const { return !error_ && (!height_ || width_); }

 private:
  bool error_ = false;
  bool width_ = false;
  bool density_ = false;
  bool height_ = false;
};

// Reads the descriptors from `at` to behind the comma that ends the candidate; commas in parentheses do not.
bool read_descriptors(std::string_view value, std::size_t& at) {
  Descriptors descriptors;
  bool in_parentheses = false;
  std::size_t start = at;
  const auto end_word = [&](std::size_t end) {
    if (end > start) descriptors.add(value.substr(start, end - start));
    start = end + 1;
  };
  for (; at < value.size(); ++at) {
    const char c = value[at];
    if (in_parentheses) {
      in_parentheses = c != ')';
    } else if (c == '(') {
      in_parentheses = true;
    } else if (c == ',') {
      break;
    } else if (is_ascii_space(c)) {
      end_word(at);
    }
  }
  end_word(at);
  if (at < value.size()) ++at;
  return descriptors.valid();
}

}  // namespace

void parse_srcset(std::string_view value, std::vector<std::string_view>& urls) {
  std::size_t at = 0;
  while (true) {
    while (at < value.size() && (is_ascii_space(value[at]) || value[at] == ',')) ++at;
    if (at >= value.size()) return;
    const std::size_t start = at;
    while (at < value.size() && !is_ascii_space(value[at])) ++at;
    std::string_view url = value.substr(start, at - start);
    if (url.ends_with(',')) {
      url = url.substr(0, url.find_last_not_of(',') + 1);
      urls.push_back(url);
    } else if (read_descriptors(value, at)) {
      urls.push_back(url);
    }
  }
}

}  // namespace weir::crawler
