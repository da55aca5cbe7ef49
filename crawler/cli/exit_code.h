// The program's exit codes: part of its contract with scripts.
#pragma once

#include "base/error.h"

namespace weir::crawler {

enum class ExitCode : int {
  kDone = 0,
  kRuntime = 1,  // also: `url same` says different, an invalid URL was among those asked about
  kUsage = 2,
  kState = 3,
  kUnreachable = 4,
  kStopped = 10  // cleanly, with work left
};

constexpr ExitCode exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage: return ExitCode::kUsage;
    case ErrorCode::kState:
    case ErrorCode::kRetry: return ExitCode::kState;  // a disk that stayed full
    case ErrorCode::kUnreachable: return ExitCode::kUnreachable;
    case ErrorCode::kSkip:
    case ErrorCode::kRuntime: break;
  }
  return ExitCode::kRuntime;
}

}  // namespace weir::crawler
