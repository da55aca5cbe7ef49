// Error: how every floor reports an operation that could not be done.
// The code says what the caller does next; the message says what, where and how to mend it.
// A page's fate is data (frontier/reason.h), not an Error. Value type, no thread state.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace weir {

// Named after the caller's reaction, so that a switch over it is a plan.
enum class ErrorCode : std::uint8_t {
  kRetry,       // transient: the same call may succeed later (disk full, peer busy)
  kSkip,        // this one input is bad: count it, go on with the next
  kUsage,       // the operator's words are wrong: exit 2
  kRuntime,     // this run cannot go on: exit 1
  kState,       // the state directory cannot be used: exit 3
  kUnreachable  // a dedup or frontier backend does not answer: exit 4
};

class [[nodiscard]] Error {
 public:
  Error(ErrorCode code, std::string message) : code_(code), message_(std::move(message)) {}

  ErrorCode code() const { return code_; }
  const std::string& message() const { return message_; }

  // The same error with "context: " in front; each floor adds its own once.
  Error with_context(std::string_view context) const { return {code_, std::string(context) + ": " + message_}; }

 private:
  ErrorCode code_;
  std::string message_;
};

template <typename T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(ErrorCode code, std::string message) {
  return std::unexpected(Error(code, std::move(message)));
}

}  // namespace weir
